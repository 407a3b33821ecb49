#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# files: memory
# timeout: 600
"""Of each broken trace, and of traces with absurd values in every field, the JSON events of all forms obey the rules of those who read them, or are refused in words."""
import contextlib
import glob
import io
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(os.path.dirname(HERE), folder) for folder in ("cli", "fuzz", "format")]

import absurd  # noqa: E402
import check_chrome  # noqa: E402
import check_pfw  # noqa: E402
import turns  # noqa: E402

TOOLS = os.environ.get("TEST_TOOLS") or os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools")
check_chrome.LATEST = float("inf")  # times are absurd, too
FORMS = ((check_chrome, "t.json", ("--format", "chrome")),
         (check_chrome, "t-*.json", ("--format", "chrome", "--split", "3K", "--levels", "0-9")),
         (check_pfw, "t.pfw", ("--format", "pfw2")),
         (check_pfw, "t-*.pfw", ("--format", "pfw", "--split", "3K", "--stacks")))


def judge(checker, path):
    said = io.StringIO()
    sys.argv[1:] = [path]
    try:
        with contextlib.redirect_stdout(said):
            checker.check()
    except SystemExit:
        return said.getvalue().strip()
    except (ValueError, KeyError, IndexError, TypeError) as error:
        return f"{type(error).__name__}: {error}"
    return None


def wrong(trace, folder, number):
    for checker, names, options in turns.taking_part(number, FORMS):
        output = os.path.join(folder, names.replace("-*", ""))
        done = subprocess.run([os.path.join(TOOLS, "recorder2pfw"), "-q", *options, "-o", output, trace],
                              capture_output=True, check=False, timeout=120)
        made = glob.glob(os.path.join(folder, names))
        if b"Sanitizer" in done.stderr or b"runtime error" in done.stderr:
            return f"{options}: {done.stderr[-2000:]}"
        if done.returncode not in (0, 1) or (done.returncode == 1 and (made or not done.stderr)):
            return f"{options}: status {done.returncode}: {done.stderr[-300:]}"
        if done.returncode == 0 and not made:
            return f"{options}: no file"
        problems = [judge(checker, path) for path in made]
        for path in made:
            os.unlink(path)
        if any(problems):
            return f"{options}: {next(filter(None, problems))[:400]}"
    return None


if __name__ == "__main__":
    sys.exit(absurd.try_all(wrong))
