#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What write_trace.py writes is what decode.py reads: both come from the page alone."""
import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)

import second_reader  # noqa: E402
import write_trace  # noqa: E402


def decode(where, *options):
    status, out, err = second_reader.ask(*options, where)
    return status, out.decode(errors="surrogateescape"), err


def check(seed, where):
    streams = write_trace.good(where, seed)
    want = [record for name, stream in streams.items()
            for record in write_trace.objects(name, stream)]
    status, out, err = decode(where, "--records")
    got = [json.loads(line) for line in out.splitlines()]
    assert status == 0, err
    order = [(record["tstart"], record["rank"]) for record in got]
    assert order == sorted(order), "records are not in the order of time"
    zero = min(record["tstart"] for record in want)
    first = min(record["tstart"] for record in got)
    for record in got:
        record["tstart"] += zero - first
        record["tend"] += zero - first
    found = {(record["stream"], record["thread"], record["sequence"]): record for record in got}
    assert len(found) == len(got) == len(want), f"{len(got)} records of {len(want)}"
    for record in want:
        other = found[record["stream"], record["thread"], record["sequence"]]
        assert record == {key: other[key] for key in record}, f"{record}\n{other}"

    total = json.loads(decode(where, "--json")[1])
    assert total["stored"] == len(want) and total["complete"] is False
    assert total["lost"] == sum(stream.lost + stream.closed_lost for stream in streams.values())
    assert total["in_flight"] == 2 * len(streams) and len(total["notes"]) == 2 * len(streams)
    for form in ("--text", "--plain"):
        assert len(decode(where, form, "--bare", "--in-flight")[1].splitlines()) == len(want) + 4


with tempfile.TemporaryDirectory() as folder:
    for number in range(5):
        check(number, os.path.join(folder, str(number)))
