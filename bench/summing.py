# SPDX-License-Identifier: MIT
"""recorder summary: CPU time of a record, by what the records are of."""
import os
import shutil

from rows import missing, row
from running import HALO_RANKS

WORKLOADS = (("writes", "small writes", 120000), ("random", "random blocks", 60000),
             ("nested", "nested loop", 120000), ("metadata", "metadata loop", 20000))
ROUNDS, TURNS = 7, 5
GOAL = 80


def once(bench, trace):
    """CPU ns a record of one thread, beginning and end included."""
    cpu = bench.run([bench.program("tools/recorder"), "summary", "-q", "-j1", "--json",
                     bench.trace(trace)])[1]
    return cpu / bench.records(trace) * 1e9


def least(bench, trace):
    return min(once(bench, trace) for _ in range(TURNS))


def measure(bench):
    for name, what, calls in WORKLOADS:
        trace = f"summary_{name}"
        bench.workload(name, trace, calls, ROUNDS)
        yield row(f"summary_{name}", f"recorder summary, {what}", least(bench, trace), "ns/record", GOAL)
        shutil.rmtree(bench.trace(trace))
    if not os.path.exists(bench.program("bench/halo")) or not shutil.which("mpirun"):
        yield missing("summary_halo", "recorder summary, halo exchange", "no MPI")
        return
    bench.halo()
    yield row("summary_halo", f"recorder summary, halo exchange of {HALO_RANKS} ranks",
              least(bench, "halo"), "ns/record", GOAL)
