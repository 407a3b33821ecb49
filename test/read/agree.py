#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# timeout: 600
"""libreader and the second reader give the same, of sound traces and of broken ones."""
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "format")]

import broken  # noqa: E402
import readers  # noqa: E402
import write_trace  # noqa: E402


def traces(folder):
    for seed in range(5):
        where = os.path.join(folder, f"good-{seed}")
        write_trace.good(where, seed)
        yield where, True
    for name in broken.CASES:
        where = os.path.join(folder, name)
        if not broken.write(name, where)["refused"] and name not in broken.FALSE_CLOCKS:
            yield where, False


failed = 0
with tempfile.TemporaryDirectory() as base:
    for trace, sound in traces(base):
        what = readers.difference(trace, sound)
        if what:
            failed += 1
            print(f"{os.path.basename(trace)}: {what}")
print(f"{failed} failed")
sys.exit(1 if failed else 0)
