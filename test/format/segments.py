# SPDX-License-Identifier: MIT
"""Which files are of one process: STREAM, and STREAM-s1, STREAM-s2 ... that it closed (doc/format.md, 4)."""
import re

NEWEST = 10 ** 9


def split(name):
    """The process's name, and the number of the segment; NEWEST for what has none."""
    match = re.fullmatch(r"(.+)-s([1-9][0-9]{0,8})", name)
    return (match[1], int(match[2])) if match else (name, NEWEST)


def by_process(names):
    """{name of the newest: names of the closed ones before it, oldest first}"""
    groups = {}
    for name in sorted(names, key=split):
        groups.setdefault(split(name)[0], []).append(name)
    return {group[-1]: group[:-1] for group in groups.values()}


def begin_late(first, number):
    """Whether what came before the first one is not here; `number` is what the newest says of itself."""
    first = split(first)[1]
    return (number if first == NEWEST else first) > 1
