# SPDX-License-Identifier: MIT
"""Which files are of one process: STREAM, and STREAM-s1, STREAM-s2 ... that it closed (doc/format.md, 4)."""
import re

from chunks import File
from parts import DATA, Damage, Refused

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


def first_numbers(path, identity):
    """{thread: sequence number of its first record} of a .rec; nothing of another stream's."""
    numbers = {}
    try:
        file = File(path, b"S", lambda problem: None)
    except (Damage, Refused, OSError):
        return numbers
    for _, header, _ in file.chunks():
        if header.type == DATA and identity in (None, file.identity):
            numbers[header.thread] = min(numbers.get(header.thread, header.sequence), header.sequence)
    return numbers


def is_before(one, other):
    return any(one[thread] < other[thread] for thread in one.keys() & other.keys())


def in_order(paths, identity):
    """The .rec of one process as their records go on, whatever their names are by now."""
    left = [(path, first_numbers(path, identity)) for path in paths]
    ordered = []
    while left:
        following = next((one for one in left if not any(is_before(other[1], one[1]) for other in left)), left[0])
        left.remove(following)
        ordered.append(following[0])
    return ordered
