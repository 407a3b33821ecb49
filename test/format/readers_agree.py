#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# timeout: 600
"""recorder2text --plain and the second reader say the same of good traces and of broken ones.

readers_agree.py [TRACE...]: of these traces instead. TOP_BUILDDIR: where the tools were built.
"""
import collections
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)

import broken  # noqa: E402
import second_reader  # noqa: E402
import write_trace  # noqa: E402

TOOLS = os.environ.get("TEST_TOOLS") or os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools")


def run(*command):
    """(status, lines of stdout, stderr)"""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          timeout=120)
    return done.returncode, done.stdout.splitlines(), done.stderr.decode(errors="replace")


def differ(where):
    """How the readers differ on a sound trace, None if they do not."""
    want = second_reader.ask("--plain", "--in-flight", where)[1].splitlines()
    status, got, _ = run(os.path.join(TOOLS, "recorder2text"), "--plain", where)
    if status:
        return f"recorder2text: exit status {status}"
    for a, b in zip(want, got):
        if a != b:
            return f"decode.py:     {a}\nrecorder2text: {b}"
    return None if len(want) == len(got) else f"{len(want)} lines and {len(got)} lines"


def differ_on_broken(where, expect):
    """The same of a broken one: both give the same lines, in whatever order, and refuse the same."""
    want = second_reader.ask("--plain", "--in-flight", where)[1].splitlines()
    status, got, err = run(os.path.join(TOOLS, "recorder2text"), "--plain", where)
    if status != (1 if expect["refused"] else 0):
        return f"recorder2text: exit status {status}: {err[-300:]}"
    missing = collections.Counter(want) - collections.Counter(got)
    if missing:
        return f"{sum(missing.values())} lines are not there, one is: {min(missing)}"
    if len(want) != len(got):
        return f"{len(want)} lines and {len(got)} lines"
    status, out, err = run(os.path.join(TOOLS, "recorder"), "check", where)
    return f"recorder check: exit status {status}" if status not in (0, 1) else None


def all_cases(folder):
    """Yields (name, difference)."""
    for seed in range(3):
        where = os.path.join(folder, f"good{seed}")
        write_trace.good(where, seed)
        yield f"good{seed}", differ(where)
    for seed in range(6):
        where = os.path.join(folder, f"machines{seed}")
        os.mkdir(where)
        write_trace.machines(where, seed)
        yield f"machines{seed}", differ(where)
    for name in sorted(set(broken.CASES) - broken.FALSE_CLOCKS):
        where = os.path.join(folder, name)
        yield name, differ_on_broken(where, broken.write(name, where))


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        cases = [(where, differ(where)) for where in sys.argv[1:]] or list(all_cases(folder))
    for name, difference in cases:
        if difference:
            failed += 1
            print(f"{name}: {difference}")
    print(f"{len(cases)} traces, {failed} read differently")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
