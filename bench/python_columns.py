# SPDX-License-Identifier: MIT
"""python_columns.py PACKAGE DIR ROUNDS: what reading a trace into columns of numpy costs, for pythoning.py.

CPU time of a record in ns, opening the trace included; medians of rounds.
"""
import statistics
import sys
import time

sys.path.insert(0, sys.argv[1])
import numpy  # noqa: E402
import recorder  # noqa: E402

WAYS = {
    "by_end": {"order": "end"},
    "by_time": {},
    "few": {"columns": ("tstart", "tend", "rank", "func_id"), "order": "end"},
    "files": {"columns": ("tstart", "tend", "function", "bytes", "file"), "order": "end"},
}


def columns(given):
    def read(reader):
        made = reader.to_columns(**given)
        assert isinstance(made["tstart"], numpy.ndarray)
        return made.rows

    return read


def one_by_one(reader):
    """With a look at each."""
    return sum(record.tend >= record.tstart for record in reader)


def cost(read):
    begin = time.process_time()
    with recorder.RecorderReader(sys.argv[2]) as reader:
        rows = read(reader)
    return (time.process_time() - begin) * 1e9 / rows


reads = {name: columns(given) for name, given in WAYS.items()}
reads["each"] = one_by_one
costs = {name: [] for name in reads}
for _ in range(int(sys.argv[3])):
    for way, read_all in reads.items():
        costs[way].append(cost(read_all))
for way, values in costs.items():
    print(way, statistics.median(values))
