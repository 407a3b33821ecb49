#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what a smoke test expects with the trace of its first thread, as the second reader has it.

    check_handles.py [--outermost] TRACE RANK WANT

With --outermost calls that were made inside others are left aside: libraries call their own functions.

In WANT a handle is written as "<KIND HANDLE LIFE NAME>": its value in the program, whether the call makes ("new"), uses or
ends it, and its name if MPI defines it. In the trace it is a number, which the definition of the object explains. One handle
has one number from its making to its end, and no two have the same; predefined ones have the name of their
definition. All else must be equal as it stands.
"""
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import decode  # noqa: E402

TOKEN = re.compile(r"<(\w+) ([0-9a-f]+) (\w+) (\S+)>")


class Handles:
    """Which number each handle has."""

    def __init__(self, stream):
        self.stream, self.numbers, self.names = stream, {}, {}

    def defined_name(self, kind, number):
        if kind in ("comm", "datatype"):
            name = self.stream.defs[kind.upper()].get(number, {}).get("name")
        else:
            name = self.stream.defs["NAME"].get((kind.encode(), number))
        return name.decode() if isinstance(name, bytes) else name

    def agree(self, kind, handle, life, name, number):
        """What is wrong with a number, None if nothing."""
        if kind == "fd":  # in an array: the descriptor below, its file above
            return None if number & 0xffffffff == int(handle, 16) and number >> 32 else "not that descriptor"
        key = (kind, handle)
        known = self.numbers.get(key)
        if kind in ("message", "pthread"):  # their handles are used again at once; their numbers rise
            known, self.numbers[key] = self.numbers.get(key, 0), number
            return None if number >= known + (life == "new") else f"{kind} {number} after {known}"
        if name != "-":
            self.names[key] = name
        if known is None or life == "new":
            other = [k for k, n in self.numbers.items() if n == number and k[0] == kind and k != key]
            if other and number != 0:
                return f"{kind} {number} is also {other[0][1]}"
            self.numbers[key] = number
        elif known != number:
            return f"{kind} {handle} was {known}"
        if life == "end":
            del self.numbers[key]
        return None


def compare(want, got, handles):
    """What is wrong with a line, None if nothing."""
    pattern, at = "", 0
    tokens = list(TOKEN.finditer(want))
    for token in tokens:
        pattern += re.escape(want[at:token.start()]) + r"(-?\d+)"
        at = token.end()
    match = re.fullmatch(pattern + re.escape(want[at:]), got)
    if not match:
        return "differs"
    for token, number in zip(tokens, match.groups()):
        wrong = handles.agree(*token.groups(), int(number))
        if wrong:
            return wrong
    return None


def main():
    where, rank, path = sys.argv[-3:]
    kept = []
    trace = decode.Trace(where, lambda *call: kept.append(call))
    for problem in trace.problems:
        print(problem)
    mine = [call for call in kept if call[0].number("rank", -1) == int(rank) and call[1] == 0]
    printer = decode.Printer(trace, False, True)
    got = [printer.line(s, t, r).partition(" ")[2] for s, t, r, _ in decode.by_time(trace, mine)]
    if sys.argv[1] == "--outermost":
        got = [line for line in got if line.startswith("0 ")]
    with open(path, encoding="ascii") as file:
        want = file.read().splitlines()
    if not mine:
        sys.exit(f"rank {rank} has no records")
    handles = Handles(mine[0][0])
    wrong = [(w, g, what) for w, g in zip(want, got) for what in [compare(w, g, handles)] if what]
    for w, g, what in wrong[:20]:
        print(f"{what}\n- {w}\n+ {g}")
    if len(want) != len(got):
        print(f"{len(got)} records, wanted {len(want)}")
    for (kind, handle), name in handles.names.items():
        number = handles.numbers.get((kind, handle))
        if number is not None and handles.defined_name(kind, number) != name:
            print(f"{kind} {name} is number {number}, {handles.defined_name(kind, number)}")
            wrong.append(name)
    return 1 if wrong or trace.problems or len(want) != len(got) else 0


if __name__ == "__main__":
    sys.exit(main())
