#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# files: memory
# timeout: 600
"""Of each broken trace recorder filter makes one with the same records, which says at least as much of what is lost; or it is refused and leaves nothing."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools")
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "format"))

import broken  # noqa: E402


def run(program, *words):
    return subprocess.run([os.path.join(TOOLS, program), *words], check=False, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)


def info(where):
    return json.loads(run("recorder", "info", "-q", "--json", where).stdout)


def count(number):
    """`null`: not known how many."""
    return number if isinstance(number, int) else -1


def worse(before, after):
    """What the new trace keeps to itself, None if nothing."""
    for key in ("running", "start", "duration"):
        if before[key] != after[key]:
            return f"{key}: {after[key]} for {before[key]}"
    if after["complete"] and not before["complete"]:
        return "it says that it is complete"
    if count(after["lost"]) < count(before["lost"]):
        return f"lost: {after['lost']} for {before['lost']}"
    return None


def wrong(where, folder, conditions):
    shown = run("recorder2text", "-q", *conditions, where)
    made = run("recorder", "filter", "-q", "-j1", *conditions, "-o", os.path.join(folder, "out"), where)
    if made.returncode != shown.returncode:
        return f"exit status {made.returncode} for {shown.returncode}: {made.stderr.decode()}"
    left = [name for name in os.listdir(folder) if name.startswith("out")]
    if made.returncode or left != ["out"]:
        return f"left behind: {left}" if left else None
    out = os.path.join(folder, "out")
    if run("recorder2text", "-q", out).stdout != shown.stdout:
        return "other records"
    if not conditions and run("recorder", "check", "-q", out).returncode and not run("recorder", "check", "-q", where).returncode:
        return "the new trace is damaged"
    return worse(info(where), info(out))


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(broken.CASES):
            where = os.path.join(folder, name)
            broken.write(name, where)
            problem = wrong(where, folder, [] if number % 3 == 0 else ["--functions", "*write*"])
            shutil.rmtree(os.path.join(folder, "out"), ignore_errors=True)
            if problem:
                failed += 1
                print(f"{name}: {problem}")
    print(f"{len(broken.CASES)} cases, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
