#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes broken traces, each with the complaint that a reader owes.

    broken.py DIR            DIR/NAME/ and DIR/NAME.json for each case
    broken.py --list         names and what is broken

NAME.json: `refused` (not a trace at all), `damaged` (else it is sound, though perhaps strange),
`stored` (records that a reader still gives), `file` and `offset` that a complaint names (offset
null: none in particular).
"""
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import broken_blocks  # noqa: E402,F401  each adds its cases
import broken_chunks  # noqa: E402,F401
import broken_columns  # noqa: E402,F401
import broken_defs  # noqa: E402,F401
import broken_directory  # noqa: E402,F401
import broken_files  # noqa: E402,F401
import broken_limits  # noqa: E402,F401
import broken_live  # noqa: E402,F401
import broken_looped  # noqa: E402,F401
import broken_nested  # noqa: E402,F401
import broken_nodes  # noqa: E402,F401
import broken_numbers  # noqa: E402,F401
import broken_raw  # noqa: E402,F401
import broken_signatures  # noqa: E402,F401
import broken_summed  # noqa: E402,F401
from spoiling import CASES, Trace  # noqa: E402

# Clocks that go backwards or around: what a reader makes of such times is its own affair.
FALSE_CLOCKS = {"meta-anchors", "meta-anchor-far", "anchors-false", "times-last"}


def write(name, where):
    """Writes case `name` into directory `where`; returns what is expected."""
    text, build, expect, at = CASES[name]
    os.makedirs(where)
    trace = Trace(where)
    build(trace)
    offset = trace.at[at] if isinstance(at, str) else at
    return {"case": name, "what": text, **expect, "offset": offset}


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    if sys.argv[1] == "--list":
        for name, (text, _, _, _) in CASES.items():
            print(f"{name:22} {text}")
        return 0
    for name in CASES:
        where = os.path.join(sys.argv[1], name)
        expect = write(name, where)
        with open(where + ".json", "w", encoding="ascii") as file:
            json.dump(expect, file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
