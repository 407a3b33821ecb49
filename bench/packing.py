# SPDX-License-Identifier: MIT
"""Packed traces: bytes by ranks, of jobs that were run and of many more that were not."""
import os
import shutil
import struct
import zlib

from rows import missing, row
from running import OVERSUBSCRIBED

RANKS = (1, 2, 4, 8)
SIMULATED = (10**3, 10**4, 10**5)
MODEL_STEPS = 20  # few, as their times are written for each simulated rank
TRAILER = struct.Struct("<QIIII8s")


def uvarint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def sizes(path):
    """(bytes of a packed trace, those of its data areas: times and what depends on them)"""
    with open(path, "rb") as file:
        data = file.read()
    offset, stored = TRAILER.unpack(data[-TRAILER.size:])[:2]
    index = zlib.decompress(data[offset:offset + stored])
    count, at = uvarint(index, 0)
    times = 0
    for _ in range(count):
        head, at = uvarint(index, at)
        times += 0 if head & 3 else head >> 2
        for _ in range(3 if head & 3 else 0):
            _, at = uvarint(index, at)
    return len(data), times


def pack(bench, trace):
    path = bench.trace(trace + ".rtrace")
    bench.run([bench.program("tools/recorder"), "pack", "-q", "--force", "-o", path, bench.trace(trace)])
    return sizes(path)


def halo(bench, trace, ranks, steps):
    bench.traced(trace, ["mpirun", "-np", str(ranks), bench.program("bench/halo"), str(steps), "1"],
                 RECORDER_LAYERS="mpi", **OVERSUBSCRIBED)


def measure_ranks(bench):
    rest = {}
    for ranks in RANKS:
        trace = f"packed{ranks}"
        halo(bench, trace, ranks, 500)
        size, times = pack(bench, trace)
        rest[ranks] = size - times
        yield row(f"pack_{ranks}", f"halo exchange of {ranks} ranks, packed: beside times", rest[ranks],
                  "B", steady=False)
        yield row(f"pack_{ranks}_times", "    times", times, "B", steady=False)
        yield row(f"pack_{ranks}_files", "    the trace before", bench.allocated(trace), "B", steady=False)
    last, before = RANKS[-1], RANKS[-2]
    yield row("pack_rank", f"    one more rank, from {before} to {last}: beside times",
              (rest[last] - rest[before]) / (last - before), "B", 200)


def measure_simulated(bench):
    """Ranks like those of a job of four."""
    halo(bench, "model", 4, MODEL_STEPS)
    path, program = bench.trace("simulated.rtrace"), bench.program("bench/pack")
    for ranks in SIMULATED:
        made = bench.values([program, bench.trace("model"), path, str(ranks)])
        read = bench.values([program, path, "-"])
        name = f"pack_simulated_{ranks}"
        yield row(name, f"{ranks} simulated ranks: beside times", made["rest"] / ranks, "B/rank", 200)
        yield row(name + "_cpu", "    putting them together", made["pack_us"], "us/rank")
        yield row(name + "_memory", "    memory for it", made["pack_megabytes"], "MB")
        yield row(name + "_messages", "    messages between processes, which share files", 0, "")
        yield row(name + "_open", "    opening the file", read["open_us"] / 1e3, "ms")
        yield row(name + "_open_memory", "    memory for it", read["open_megabytes"], "MB")
        os.unlink(path)


def measure(bench):
    if not os.path.exists(bench.program("bench/halo")) or not shutil.which("mpirun"):
        yield missing("pack_rank", "packed traces", "no MPI")
        return
    yield from measure_ranks(bench)
    yield from measure_simulated(bench)
