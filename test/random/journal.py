# SPDX-License-Identifier: MIT
"""The journals of test/random/random: what the program really did, thread by thread."""
import collections
import os
import re

# arguments: {name: value}; offsets: {argument: (offset, bytes, whether the trace can tell)}
Line = collections.namedtuple("Line", "text function result err arguments offsets")
File = collections.namedtuple("File", "fd identity")


def identity(word):
    """(device, inode), None for what is not open."""
    return None if word == "?" else tuple(int(number) for number in word.split(":"))


def file(word):
    fd, name = word.split("/")
    return File(int(fd), identity(name))


def value(form, word):
    if form == "i":
        return int(word)
    if form == "f":
        return file(word)
    if form == "a":
        return [int(number) for number in word.split(",")]
    if form == "v":
        return word.replace("|", "\0").encode()
    return word.encode()


def place(word):
    offset, size, doubt = re.fullmatch(r"(\d+):(\d+)(\??)", word).groups()
    return int(offset), int(size), not doubt


def line(text):
    function, *words = text.split(" ")
    result, err, arguments, offsets = None, 0, {}, {}
    for word in words:
        if word[0] == "=":
            result = file(word[1:]) if "/" in word else int(word[1:])
        elif word[0] == "!":
            err = int(word[1:])
        elif word[0] == "@":
            name, where = word[1:].split("=")
            offsets[name] = place(where)
        elif word[0] == "~":
            pass    # text whose length stdio does not tell
        else:
            name, word = word.split("=", 1)
            name, form = name.split(":")
            arguments[name] = value(form, word)
    return Line(text, function, result, err, arguments, offsets)


class Journals:
    """All lines by (pid, image, tid), and all names that each file ever had."""

    def __init__(self, where):
        self.threads, self.names = {}, collections.defaultdict(set)
        for name in os.listdir(where):
            if name == "shared":
                continue
            lines = self.threads[tuple(int(number) for number in name.split("."))] = []
            with open(os.path.join(where, name), encoding="ascii") as text:
                for row in text.read().splitlines():
                    if row.startswith("name "):
                        _, who, path = row.split(" ", 2)
                        self.names[identity(who)].add(path.encode())
                    else:
                        lines.append(line(row))
