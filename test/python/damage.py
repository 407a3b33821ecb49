#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""damage.py: of each broken trace the package gives what recorder2text gives, or an exception that says what it is."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "format"))
import broken  # noqa: E402
import turns  # noqa: E402
import recorder  # noqa: E402
from recorder.intervals import offset_intervals  # noqa: E402


def lines_of(trace):
    done = subprocess.run(["recorder2text", "-q", trace], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False, timeout=120)
    return os.fsdecode(done.stdout).split("\n")[:-1] if done.returncode == 0 else None


def use(reader):
    """All that is there, for whatever it may be."""
    for stream in range(len(reader.streams)):
        for what in (reader.threads, reader.files, reader.losses, reader.metadata):
            what(stream)
    for record in reader.iter(in_flight=True):
        repr(record)
        assert len(record.args_to_strs()) == record.arg_count
        for name in record.names:
            record.argument(name)
    rows = sum(batch.rows for batch in reader.batches(("rank", "function", "file", "bytes"), "count", size=100))
    assert rows == sum(1 for _ in reader)
    for interval in offset_intervals(reader):
        assert interval.size > 0 and 0 <= interval.rank < reader.GM.total_ranks, interval
    for rank in range(min(reader.GM.total_ranks, 20)):
        assert len(reader.records[rank]) == len(list(reader.records[rank]))
        assert len(reader.LMs[rank].filemap) == reader.LMs[rank].num_files
    assert sum(function["calls"] for function in reader.summary()["functions"]) == sum(reader.count().values())
    assert reader.verify() == reader.problems()


refused = count = 0
with tempfile.TemporaryDirectory() as base:
    for number, name in enumerate(broken.CASES):
        if not turns.mine(number):
            continue
        count += 1
        where = os.path.join(base, name)
        broken.write(name, where)
        want = lines_of(where)
        try:
            with recorder.RecorderReader(where) as opened:
                got = [str(record) for record in opened.iter(in_flight=True)]
                use(opened)
        except (recorder.NotATraceError, recorder.NewerFormatError, recorder.TraceNotFoundError) as error:
            assert str(error), name
            got = None
            refused += 1
        if got != want:
            sys.exit(f"{name}: {got}\nnot {want}")
print(f"{count} broken traces, {refused} refused")
assert 0 < refused < count
