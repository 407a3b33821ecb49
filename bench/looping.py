# SPDX-License-Identifier: MIT
"""Loops with RECORDER_TIMING=summary: what the trace takes, however often they go around."""
import os
import shutil

from rows import missing, row
from running import OVERSUBSCRIBED, guarded
from scaling import power

RECORDS = (10**6, 10**7, 10**8)
HALO_RECORDS, HALO_RANKS, HALO_CALLS = (10**5, 10**6, 10**7), 2, 6     # calls of a step
PATIENCE = 300      # seconds of a loop of files
KINDS = {"writes": "writes and seeks in turn", "names": "four files opened, looked at and closed in turn",
         "checkpoints": "a file opened, written 10,000 times and closed"}


def stream_bytes(bench, trace):
    return sum(entry.stat().st_size for entry in os.scandir(bench.trace(trace)) if entry.name.endswith(".rec"))


def measure_loop(bench, kind, count):
    """System calls that are a stub's where there is one."""
    stub = os.path.join(bench.build, "bench", ".libs", "libstub.so")
    argv = [bench.program("bench/again"), kind, os.path.join(bench.files, "again"), str(count)]
    trace = f"loops-{kind}-{count}"
    cpu = bench.traced(trace, argv, stub if kind == "writes" else "", RECORDER_TIMING="summary")["cpu"]
    records = bench.records(trace)
    assert records >= count, f"{records} records of {count} calls"
    yield row(f"loops_{kind}_{count}", f"{power(count)} records, {KINDS[kind]}: all of the .rec",
              stream_bytes(bench, trace), "B", steady=False)
    yield row(f"loops_{kind}_{count}_cpu", "    CPU time of a record, with its call", cpu / count, "ns")
    shutil.rmtree(bench.trace(trace))


def measure_halo(bench, count):
    """Ranks whose requests and tags count on."""
    trace = f"loops-halo-{count}"
    bench.traced(trace, ["mpirun", "-np", str(HALO_RANKS), bench.program("bench/halo"), str(count // HALO_CALLS), "1", "tags"],
                 RECORDER_LAYERS="mpi", RECORDER_TIMING="summary", **OVERSUBSCRIBED)
    records = bench.records(trace)
    assert records >= HALO_RANKS * (count - HALO_CALLS), f"{records} records of {count} calls in {HALO_RANKS} ranks"
    yield row(f"loops_halo_{count}", f"{power(count)} records a rank, a halo exchange: all of the .rec of a rank",
              stream_bytes(bench, trace) / HALO_RANKS, "B", steady=False)
    shutil.rmtree(bench.trace(trace))


def measure(bench):
    bench.patience = PATIENCE
    for kind in KINDS:
        for count in RECORDS:
            yield from guarded(measure_loop, bench, kind, count)
    if not os.path.exists(bench.program("bench/halo")) or not shutil.which("mpirun"):
        yield missing("loops_halo", "a halo exchange", "no MPI")
        return
    for count in HALO_RECORDS:
        yield from guarded(measure_halo, bench, count)
