#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# timeout: 600
"""Each broken trace gets its complaint and every record that is whole from decode.py."""
import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)

import broken  # noqa: E402
import second_reader  # noqa: E402
import spoiling  # noqa: E402


def wrong(expect, status, out, err):
    """What is wrong with the answer to one case, None if nothing."""
    if "Traceback" in err:
        return "crash"
    if status != (1 if expect["damaged"] or expect["refused"] else 0):
        return f"exit status {status}"
    if expect["refused"]:
        return None if not out and len(err.splitlines()) == 1 else "not refused with one line"
    if not out:
        return "refused"
    if spoiling.miscounts(expect, json.loads(out)):
        return spoiling.miscounts(expect, json.loads(out))
    if not expect["damaged"]:
        return None
    for line in err.splitlines():
        words = line.replace(":", " ").split()
        if expect["file"] in line and (expect["offset"] is None or str(expect["offset"]) in words):
            return None
    return "the complaint is not there"


failed = 0
with tempfile.TemporaryDirectory() as folder:
    for name in broken.CASES:
        case = broken.write(name, os.path.join(folder, name))
        answer = second_reader.ask("--json", os.path.join(folder, name))
        problem = wrong(case, *answer)
        if problem:
            failed += 1
            print(f"{name}: {problem}; expected {case}\n{answer[2]}")
print(f"{len(broken.CASES)} cases, {failed} failed")
sys.exit(1 if failed else 0)
