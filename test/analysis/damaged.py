#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# files: memory
"""Of each broken trace, summary, findings, verify, match and report are valid JSON or a refusal in words; so they are of traces with absurd values in every field."""
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(os.path.dirname(HERE), folder) for folder in ("fuzz", "format")]

import absurd  # noqa: E402
import turns  # noqa: E402

TOOLS = os.environ.get("TEST_TOOLS") or os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools")


def wrong(trace, _, number):
    """What is wrong with what the verbs say whose turn it is."""
    for verb in turns.taking_part(number, ("summary", "findings", "verify", "match", "report"), 3):
        problem = wrong_page(trace) if verb == "report" else wrong_answer(verb, trace)
        if problem:
            return problem
    return None


def wrong_answer(verb, trace):
    done = subprocess.run([os.path.join(TOOLS, "recorder"), verb, "--json", trace], capture_output=True, check=False, timeout=120)
    if done.returncode not in (0, 1):
        return f"{verb}: status {done.returncode}: {done.stderr[-300:]}"
    if done.returncode == 1 and not done.stderr:
        return f"{verb}: refused without a word"
    if done.returncode == 0:
        try:
            json.loads(done.stdout)
        except ValueError as error:
            return f"{verb}: not JSON: {error}"
    return None


def wrong_page(trace):
    done = subprocess.run([os.path.join(TOOLS, "recorder"), "report", "-o", "-", trace], capture_output=True, check=False, timeout=120)
    if done.returncode not in (0, 1) or (done.returncode == 1 and not done.stderr):
        return f"report: status {done.returncode}: {done.stderr[-300:]}"
    if done.returncode == 0:
        try:
            text = done.stdout.split(b'id="data">')[1].split(b"</script>")[0]
            json.loads(text)
        except (IndexError, ValueError) as error:
            return f"report: not JSON: {error}"
        if re.search(rb"[<>&\x80-\xff]", text):
            return "report: markup in its data"
    return None


if __name__ == "__main__":
    sys.exit(absurd.try_all(wrong))
