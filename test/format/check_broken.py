#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# timeout: 300
"""recorder check complains of each broken trace, naming the file and the offset that are wrong.

TOP_BUILDDIR: where the tools were built.
"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)

import broken  # noqa: E402

CHECK = [os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools", "recorder"), "check"]
# Nothing is wrong with it, but a reader that cannot read all of it may say so in its exit status.
EITHER = {"encoding-unknown"}


def wrong(expect, status, text):
    """What is wrong with the answer to one case, None if nothing."""
    bad = expect["damaged"] or expect["refused"]
    if status != (1 if bad else 0) and expect["case"] not in EITHER:
        return f"exit status {status}"
    if not bad or not expect["file"]:
        return None
    for line in text.splitlines():
        if expect["file"] in line and (expect["offset"] is None or
                                       str(expect["offset"]) in re.split(r"[^0-9]+", line)):
            return None
    return f"nothing said of {expect['file']} at {expect['offset']}"


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in broken.CASES:
            where = os.path.join(folder, name)
            expect = broken.write(name, where)
            done = subprocess.run(CHECK + [where], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  check=False, timeout=120)
            text = done.stdout.decode(errors="replace").replace(where, "")
            problem = wrong(expect, done.returncode, text)
            if problem:
                failed += 1
                print(f"{name}: {problem} ({expect['what']}):\n{text}")
    print(f"{len(broken.CASES)} cases, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
