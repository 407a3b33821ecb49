# SPDX-License-Identifier: MIT
"""Many of something: what one of them costs, beside one of few. What grows with their number shows here."""
import os
import shutil
import sys

from rows import missing, row
from running import OVERSUBSCRIBED, guarded

GOAL = 2  # x, of one of many to one of few
TURNS = 5
MAPPINGS = (50, 5000)
THREADS = (2000, 20000)
COMMS = (5000, 50000)
FILES = (20000, 200000)
RUNS = (2, 2000)
STARTS = 20


def mapped(bench, count):
    """ns that recording adds to an mmap and its munmap."""
    argv = [bench.program("bench/many"), "mappings", str(count), os.path.join(bench.files, "mapped")]
    bare = min(bench.values(argv)["pair"] for _ in range(TURNS))
    return min(bench.traced("mapped", argv)["pair"] for _ in range(TURNS)) - bare


def measure_mappings(bench):
    few, many = (mapped(bench, count) for count in MAPPINGS)
    yield row("many_mappings", f"mmap and munmap, {MAPPINGS[1]:,} mapped: added, to {MAPPINGS[0]} mapped",
              many / few, "x", GOAL, steady=False)
    yield row("many_mappings_ns", "    added", many, "ns")


def read(bench, trace, *argv):
    """CPU seconds of a tool."""
    return min(bench.run([bench.program(argv[0]), *argv[1:], bench.trace(trace)])[1] for _ in range(TURNS))


def read_both(bench, make, counts, *argv):
    """CPU microseconds for each of few, and of many, of one trace each."""
    for count in counts:
        trace = f"many_{count}"
        make(count, trace)
        yield read(bench, trace, *argv) / count * 1e6
        shutil.rmtree(bench.trace(trace))


def measure_threads(bench):
    def make(count, trace):
        bench.traced(trace, [bench.program("bench/many"), "threads", str(count),
                             os.path.join(bench.files, "opened")])

    few, many = read_both(bench, make, THREADS, "tools/recorder2pfw", "-q", "-j1", "--force", "-o",
                          os.path.join(bench.files, "many.pfw"))
    yield row("many_threads", f"recorder2pfw, a thread of {THREADS[1]:,}, to one of {THREADS[0]:,}",
              many / few, "x", GOAL, steady=False)
    yield row("many_threads_us", "    CPU of a thread", many, "us")


def measure_comms(bench):
    program = bench.program("bench/comms")
    if not os.path.exists(program) or not shutil.which("mpirun"):
        yield missing("many_comms", "recorder summary, a communicator of many", "no MPI")
        return

    def make(count, trace):
        bench.traced(trace, [program, str(count)], **OVERSUBSCRIBED)

    few, many = read_both(bench, make, COMMS, "tools/recorder", "summary", "-q", "-j1")
    yield row("many_comms", f"recorder summary, a communicator of {COMMS[1]:,}, to one of {COMMS[0]:,}",
              many / few, "x", GOAL, steady=False)
    yield row("many_comms_us", "    CPU of a communicator", many, "us")


# runs a program and reports the most memory that it had
WITH_MEMORY = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
               "print('kib', resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")


def measure_files(bench):
    summary = ("tools/recorder", "summary", "-q", "-j1")
    memory = []

    def make(count, trace):
        bench.traced(trace, [bench.program("bench/many"), "files", str(count), os.path.join(bench.files, "used.")])
        memory.append(bench.values([sys.executable, "-c", WITH_MEMORY, bench.program(summary[0]), *summary[1:],
                                    bench.trace(trace)])["kib"])

    few, many = read_both(bench, make, FILES, *summary)
    yield row("many_files", f"recorder summary, a file of {FILES[1]:,}, to one of {FILES[0]:,}",
              many / few, "x", GOAL, steady=False)
    yield row("many_files_us", "    CPU of a file", many, "us")
    yield row("many_files_kib", "    memory of a file", memory[1] / FILES[1], "KiB")


def start_beside(bench, count):
    """CPU us of a program that is a run of its own, told a directory that as many others were."""
    base = bench.trace("runs")
    start = {"LD_PRELOAD": bench.library, "RECORDER_TRACES_DIR": base}
    bench.run(["/bin/cat", "/etc/passwd"], **start)
    for number in range(2, count + 1):
        os.mkdir(f"{base}.{number}")
        shutil.copy(os.path.join(base, "recorder.gm"), f"{base}.{number}")
    cpu = min(bench.run(["/bin/cat", "/etc/passwd"], **start)[1] for _ in range(STARTS))
    for name in os.listdir(bench.traces):
        if name.split(".")[0] == "runs":
            shutil.rmtree(os.path.join(bench.traces, name))
    return cpu * 1e6


def measure_runs(bench):
    few, many = (start_beside(bench, count) for count in RUNS)
    yield row("many_runs", f"/bin/cat, a run told the directory of {RUNS[1]:,} others, to {RUNS[0]}",
              many / few, "x", GOAL, steady=False)


def measure(bench):
    for part in (measure_mappings, measure_threads, measure_comms, measure_files, measure_runs):
        yield from guarded(part, bench)
