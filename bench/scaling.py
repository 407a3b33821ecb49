# SPDX-License-Identifier: MIT
"""How costs grow: with the number of records, ranks, threads and files."""
import os
import shutil
import statistics

from rows import missing, row
from running import OVERSUBSCRIBED, guarded

RECORDS = (10**4, 10**5, 10**6, 10**7, 10**8)
RANKS = (1, 2, 4, 8, 16, 32, 64)
THREADS = (1, 2, 4, 8, 16)
FILES = (1, 10, 10**2, 10**3, 10**4, 10**5)
OPENS = 10**5
STEPS = 1000
RUNS = 5


def power(count):
    """10,000 as 10^4."""
    digits = len(str(count)) - 1
    return f"10^{digits}" if digits > 2 and count == 10**digits else f"{count}"


def measure_records(bench, count):
    """Writes that are a stub's, so that what is left is the recorder's."""
    argv = [bench.program("bench/loop"), os.path.join(bench.files, "loop"), str(count)]
    stub = os.path.join(bench.build, "bench", ".libs", "libstub.so")
    trace = f"records{count}"
    cpu = bench.traced(trace, argv, stub)["cpu"]
    _, read = bench.run([bench.program("tools/recorder"), "info", bench.trace(trace)])
    yield row(f"records_{count}", f"{power(count)} records: recording one, all in", cpu / count, "ns")
    yield row(f"records_{count}_bytes", "    all files", bench.allocated(trace) / count, "B/record")
    yield row(f"records_{count}_info", "    recorder info, CPU time", read * 1e3, "ms")
    shutil.rmtree(bench.trace(trace))


def finalize(bench, ranks, trace):
    """What rank 0 of the ring tells; traced if there is a name for the trace."""
    argv = ["mpirun", "-np", str(ranks), bench.program("bench/ring"), str(STEPS)]
    if trace:
        return bench.traced(trace, argv, **OVERSUBSCRIBED)["finalize"]
    return bench.values(argv, **OVERSUBSCRIBED)["finalize"]


def measure_ranks(bench, ranks):
    if not os.path.exists(bench.program("bench/ring")) or not shutil.which("mpirun"):
        yield missing(f"ranks_{ranks}", f"{ranks} ranks", "no MPI")
        return
    runs = [(finalize(bench, ranks, None), finalize(bench, ranks, f"ranks{ranks}.{number}"))
            for number in range(RUNS)]
    bare, traced = (statistics.median(times) for times in zip(*runs))
    trace = f"ranks{ranks}.0"
    _, read = bench.run([bench.program("tools/recorder"), "info", bench.trace(trace)])
    yield row(f"ranks_{ranks}", f"{ranks} rank{'s' if ranks > 1 else ''}, {STEPS} messages each: files of a rank",
              bench.allocated(trace) / ranks, "B")
    yield row(f"ranks_{ranks}_finalize", "    MPI_Finalize, added", traced - bare, "ms",
              10 if ranks == 2 else None, steady=False)
    yield row(f"ranks_{ranks}_info", "    recorder info, CPU time", read * 1e3, "ms")


def measure_threads(bench, threads):
    values = bench.traced(f"threads{threads}", [bench.program("bench/workloads"), "threads",
                                                bench.files, "30000", "3", str(threads)])
    yield row(f"threads_{threads}", f"{threads} thread{'s' if threads > 1 else ''}: a record, to one of one thread",
              values["added_all"] / values["added_1"], "x", 1.1 if threads == 4 else None)


def measure_files(bench, files):
    argv = [bench.program("bench/loop"), os.path.join(bench.files, "file"), str(OPENS), str(files)]
    runs = [(bench.values(argv)["cpu"], bench.traced(f"files{files}.{number}", argv)["cpu"])
            for number in range(RUNS)]
    for name in os.listdir(bench.files):
        os.unlink(os.path.join(bench.files, name))
    bare, traced = (statistics.median(times) for times in zip(*runs))
    trace = f"files{files}.0"
    yield row(f"files_{files}", f"{power(files)} file{'s' if files > 1 else ''} opened and closed in turn: added",
              (traced - bare) / OPENS, "ns")
    yield row(f"files_{files}_bytes", "    all files of the trace, of an open and close",
              bench.allocated(trace) / OPENS, "B")


def measure(bench):
    """Curves: each point is measured as the like of it is in other groups."""
    for group, points in ((measure_records, RECORDS), (measure_ranks, RANKS),
                          (measure_threads, THREADS), (measure_files, FILES)):
        for point in points:
            yield from guarded(group, bench, point)
