# SPDX-License-Identifier: MIT
"""The traces that no tool may stumble over: each broken one of test/format, and a share of those with an absurd value in one field."""
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), folder) for folder in ("format", "read", "fuzz")]

import broken  # noqa: E402
import fields  # noqa: E402

EVERY = 40  # of the fields: how many cases there are for one that is taken


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


def try_all(wrong):
    """Whether wrong(trace, folder, number) says anything of one of them; `folder` is for its files."""
    failed = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, trace) in enumerate(cases(folder)):
            count += 1
            problem = wrong(trace, folder, number)
            if problem:
                failed += 1
                print(f"{name}: {problem}")
    print(f"{count} traces, {failed} failed")
    return failed > 0
