#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each broken trace gets its complaint and every record that is whole from libreader."""
import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "format")]

import broken  # noqa: E402
import readers  # noqa: E402
import spoiling  # noqa: E402


def complains(expect, err):
    for line in err.splitlines():
        words = line.replace(":", " ").split()
        if expect["file"] in line and (expect["offset"] is None or str(expect["offset"]) in words):
            return True
    return False


def wrong(expect, status, out, err):
    """What is wrong with the answer to one case, None if nothing."""
    if status != (1 if expect["damaged"] or expect["refused"] else 0):
        return f"exit status {status}"
    if expect["refused"]:
        return None if not out else "not refused"
    if not out:
        return "refused"
    if spoiling.miscounts(expect, json.loads(out)):
        return spoiling.miscounts(expect, json.loads(out))
    if expect["damaged"] and not complains(expect, err):
        return "the complaint is not there"
    return None


failed = 0
with tempfile.TemporaryDirectory() as folder:
    for name in broken.CASES:
        where = os.path.join(folder, name)
        case = broken.write(name, where)
        answer = readers.dump("totals", where)
        problem = wrong(case, *answer)
        if problem:
            failed += 1
            print(f"{name}: {problem}; expected {case}\n{answer[2]}")
print(f"{len(broken.CASES)} cases, {failed} failed")
sys.exit(1 if failed else 0)
