# SPDX-License-Identifier: MIT
"""Functions of the program by name, beside uftrace: by moved instructions, room that the compiler left, and what it put in."""
import os
import shutil
import statistics

from rows import missing, row
from running import guarded

TARGETS = {"RECORDER_TARGETS": "target;with_number", "RECORDER_ARGUMENTS": "with_number@arg1/i"}
# program, what it is, goal in 2T, how uftrace is asked for the same
WAYS = (("native", "by name", 2.0, ["-P", "^target$"]),
        ("native_nops", "by name, -fpatchable-function-entry", 2.0, ["-P", "^target$"]),
        ("native_fentry", "-pg -mfentry", 1.3, ["-F", "target"]),
        ("native_calls", "-finstrument-functions", 1.3, ["-F", "target"]))


def by_uftrace(bench, program, options):
    """Nanoseconds of a call that uftrace records."""
    folder = bench.trace(os.path.basename(program) + ".uftrace")
    argv = ["uftrace", "record", "--no-libcall", "-d", folder, *options, program]
    return bench.values(argv)["target"]


def measure_way(bench, name, what, goal, options):
    program = bench.program(f"bench/{name}")
    runs = [bench.traced(f"{name}{i}", [program], **TARGETS) for i in range(3)]
    cost, all_in = (statistics.median(values[value] / values["stamps"] for values in runs) for value in ("target", "target_all"))
    yield row(name, f"a function of the program, {what}: record path", cost, "x 2T", goal)
    yield row(f"{name}_ns", "    the same", statistics.median(values["target"] for values in runs), "ns")
    yield row(f"{name}_all", "    all in: encoded, compressed, written", all_in, "x 2T")
    yield row(f"{name}_number", "    with an argument", statistics.median(values["number"] for values in runs), "ns")
    yield row(f"{name}_others", "    a function that is not named", statistics.median(values["neighbour"] for values in runs), "ns",
              0.5 if goal == 2.0 else None)
    if shutil.which("uftrace"):
        yield row(f"{name}_uftrace", "    uftrace, the same", by_uftrace(bench, program, options), "ns")
    else:
        yield missing(f"{name}_uftrace", "    uftrace, the same", "no uftrace")


def measure(bench):
    for way in WAYS:
        yield from guarded(measure_way, bench, *way)
