#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Of each broken trace, summary, findings and report are valid JSON or a refusal in words; so they are of traces with absurd values in every field."""
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(os.path.dirname(HERE), folder) for folder in ("format", "read", "fuzz")]

import broken  # noqa: E402
import fields  # noqa: E402

TOOLS = os.environ.get("TEST_TOOLS") or os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools")
EVERY = 40  # of the fields: how many cases there are for one that is taken


def wrong(trace):
    for verb in ("summary", "findings"):
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
    return wrong_page(trace)


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


def cases(folder):
    """(name, trace)"""
    for name in broken.CASES:
        where = os.path.join(folder, name)
        broken.write(name, where)
        yield name, where
    for number, (name, files) in enumerate(fields.all_cases(folder)):
        if number % EVERY:
            continue
        where = os.path.join(folder, f"field-{number}")
        for file, data in files.items():
            path = os.path.join(where, file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as out:
                out.write(data)
        yield name, where


def main():
    failed = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, trace in cases(folder):
            count += 1
            problem = wrong(trace)
            if problem:
                failed += 1
                print(f"{name}: {problem}")
    print(f"{count} traces, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
