#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which bytes of which file were written and read, by the calls that a trace has.

    check.py FILE WRITTEN READ <TEXT     of recorder2text; WRITTEN, READ: ranges begin-end,... and the sum of bytes

Each range must have been touched, no other byte, and the sum of what the calls moved must be at least the given one and at most
what their buffers make of it: twice that.
"""
import re
import sys

ARGUMENT = re.compile(r'(\w+)=(-?\d+)')


class Positions:
    """Follows descriptors of one file through a trace."""

    def __init__(self, name):
        self.name = name
        self.at = {}  # by descriptor
        self.moved = {"read": [], "write": []}

    def transfer(self, what, fd, begin, count):
        if count > 0:
            self.moved[what].append((begin, begin + count))

    def call(self, function, args, result, fd):
        values = {name: int(value) for name, value in ARGUMENT.findall(args)}
        if function in ("open", "openat", "fopen", "creat"):
            self.at[fd] = 0
        elif function == "lseek" and result >= 0:
            self.at[fd] = result
        elif function in ("read", "write", "readv", "writev"):
            self.transfer(function.rstrip("v"), fd, self.at[fd], result)
            self.at[fd] += max(result, 0)
        elif function in ("pread", "pwrite", "preadv", "pwritev"):
            self.transfer(function[1:].rstrip("v"), fd, values["offset"], result)

    def line(self, text):
        found = re.match(r"\S+ \S+ \S+ \S+ \d+ \w+ (\w+)\((.*)\) = (-?\d+)( \"(.*)\")?", text)
        if not found or f"/{self.name}\"" not in text:
            return
        function, args, result, _, path = found.groups()
        fd = int(result) if path else int(re.search(r"(?:fd|stream)=(-?\d+) ", args).group(1))
        self.call(function, args, int(result), fd)


def union(ranges):
    """Ranges that touch are one."""
    merged = []
    for begin, end in sorted(ranges):
        if merged and begin <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([begin, end])
    return ",".join(f"{begin}-{end}" for begin, end in merged)


def main():
    name, wanted = sys.argv[1], {"write": sys.argv[2], "read": sys.argv[3]}
    positions = Positions(name)
    for text in sys.stdin:
        positions.line(text)
    good = True
    for what, text in wanted.items():
        ranges, _, least = text.partition("=")
        moved = sum(end - begin for begin, end in positions.moved[what])
        touched = union(positions.moved[what])
        print(f"{name} {what}: {touched} in {len(positions.moved[what])} calls, {moved} bytes")
        good = good and touched == ranges and int(least or 0) <= moved <= 2 * int(least or 0)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
