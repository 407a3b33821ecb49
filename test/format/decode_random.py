#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Randomly damaged traces: the second reader never stumbles and gives only what was written.

decode_random.py [COUNT [FIRST_SEED]]
"""
import os
import random
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import decode  # noqa: E402
import write_trace  # noqa: E402


def damage(dice, data):
    """One or a few of the things that happen to files."""
    for _ in range(dice.choice((1, 1, 1, 3))):
        at, end = sorted(dice.randrange(len(data) + 1) for _ in range(2))
        kind = dice.randrange(6)
        if kind < 2 and at < len(data):
            data = data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1:]
        elif kind == 2:
            data = data[:at]
        elif kind == 3:
            data = data[:at] + data[end:]
        elif kind == 4:
            data = data[:end] + data[at:]
        else:
            data = data[:at] + dice.randbytes(dice.randrange(300)) + data[at:]
        if not data:
            break
    return data


def check(seed, where):
    dice = random.Random(seed)
    streams = write_trace.good(where, seed)
    name = dice.choice(sorted(os.listdir(where)))
    with open(os.path.join(where, name), "rb") as file:
        before = file.read()
    after = damage(dice, before)
    with open(os.path.join(where, name), "wb") as file:
        file.write(after)

    given = {}
    names = {f"function_{function.id}": function.name for function in write_trace.FUNCTIONS}

    def take(stream, thread, records):
        for record in records:
            key = stream.name, thread, record.sequence
            assert key not in given, f"seed {seed}: {key} is given twice"
            # raw records are given even if their function's definition is gone
            function = record.function.name
            function = names.get(function, function)
            given[key] = (function, record.tstart, record.tend, record.level)

    trace = decode.Trace(where, take)
    written = {(name, thread, sequence): (record.function.name, tstart, tend, record.level)
               for name, stream in streams.items()
               for thread, sequence, record, tstart, tend, _ in stream.expected}
    for key, record in given.items():
        assert written.get(key) == record, f"seed {seed}: {key} is {record}"
    if len(given) < len(written):
        assert trace.problems, f"seed {seed}: records are gone, and nothing is said"
    return len(given) / len(written)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 150
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    shares = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            shares.append(check(seed, os.path.join(folder, str(seed))))
    print(f"{count} damaged traces, {100 * sum(shares) / count:.0f} % of the records given")


if __name__ == "__main__":
    main()
