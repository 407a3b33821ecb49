# SPDX-License-Identifier: MIT
"""frames_check.py TRACE FRAMES DEPTH: whether the stack of each pwrite() in a trace is what gdb saw (frames_gdb.py), address by address."""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import decode  # noqa: E402

calls = {}  # offset: (stream, record)


def take(stream, _thread, records):
    """Keeps the calls that are compared."""
    for record in records:
        if record.function.name == "pwrite":
            calls[record.args[2]] = (stream, record)


def addresses(stream, stack):
    """(return addresses, whether there were more)"""
    modules, found = stream.defs["MODULE"], []
    for module, offset, _ in stack["frames"]:
        place = modules.get(module)
        found.append(offset - place["offset"] + place["first"] if place else offset)
    return found, stack["cut"]


def compare(offset, expected, depth):
    """What is wrong with one call, or None."""
    stream, record = calls[offset]
    stack = stream.defs["STACK"].get(record.stack)
    if stack is None:
        return f"no stack {record.stack}"
    found, cut = addresses(stream, stack)
    open_end = expected[-1] is None  # neither knows what called the last one
    expected = expected[:-1] if open_end else expected
    if found != expected[:depth] or cut != (open_end or len(expected) > depth):
        return (f"stack {record.stack}, {'cut' if cut else 'whole'}\n  {' '.join(map(hex, found))}\n  "
                f"{' '.join(map(hex, expected[:depth]))}")
    return None


def main():
    trace, frames, depth = sys.argv[1], sys.argv[2], int(sys.argv[3])
    decoded = decode.Trace(trace, take)
    wrong, seen = 0, 0
    with open(frames, encoding="ascii") as file:
        for line in file:
            offset, *expected = line.split()
            problem = compare(int(offset), [None if address == "?" else int(address, 16) for address in expected], depth)
            seen += 1
            if problem:
                wrong += 1
                print(f"call {offset}: {problem}")
    print(f"{seen} calls, {wrong} stacks are not what gdb saw")
    return 1 if wrong or decoded.problems or seen != len(calls) else 0


sys.exit(main())
