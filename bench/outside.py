# SPDX-License-Identifier: MIT
"""What `recorder system` costs: those whose calls it records, all others, and how long it takes to begin."""
import os
import statistics
import subprocess
import time

from rows import missing, row

RUNS = 5
FLOOD = 2000000  # calls of each of two processes
# Before what else the machine does, as far as that is in other sessions: how many calls come is a question of CPUs.
FIRST = ["sh", "-c", "echo -20 2>&- >/proc/self/autogroup; exec \"$@\"", "first"]
SETTINGS = {"RECORDER_QUIET": "1"}


def costs(bench, *before):
    """What the program reports, run by `before`."""
    path = os.path.join(bench.files, "written")
    return bench.values([*before, bench.program("bench/syscalls"), "cost", path], **SETTINGS)


def function(bench, *before):
    """What a call of a function takes, run by `before`."""
    path = os.path.join(bench.files, "written")
    return bench.values([*before, bench.program("bench/syscalls"), "function", path], **SETTINGS)["function"]


class Attached:
    """The recorder, at work for a process that does nothing."""

    def __init__(self, bench, *options):
        self.child = subprocess.Popen(
            [bench.program("tools/recorder"), "system", "-q", "-o", bench.trace(f"idle{time.monotonic_ns()}"), *options, "--",
             "sh", "-c", "echo; read line"], env={**bench.base, **SETTINGS}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self):
        self.child.stdout.readline()
        return self

    def __exit__(self, *_):
        self.child.communicate(b"\n", timeout=30)


def begin_of(bench):
    """Seconds from the start of the recorder to that of the program, less the same without the recorder."""
    taken = []
    for i in range(2 * RUNS):
        before = [] if i % 2 else system(bench, f"begin{i}")
        started = time.clock_gettime(time.CLOCK_MONOTONIC)
        values = costs(bench, *before)
        taken.append(values["begun"] - started)
    return statistics.median(taken[0::2]) - statistics.median(taken[1::2])


def system(bench, trace, *options):
    return [bench.program("tools/recorder"), "system", "-q", "-o", bench.trace(trace), *options, "--"]


def flood(bench):
    """(calls a second bare, recorded; records and those lost) of two processes that do nothing but getppid(2); of three runs the fastest, and the most that was lost."""
    program = [bench.program("bench/syscalls"), "cheap", os.path.join(bench.files, "flooded"), str(FLOOD)]
    bare, rates, lost = [], [], []
    for i in range(3):
        trace = f"flood{i}"
        bare.append(bench.values([*FIRST, *program], **SETTINGS)["rate"])
        rates.append(bench.values([*FIRST, *system(bench, trace, "--ring", "16m"), *program], **SETTINGS)["rate"])
        info = bench.info(trace)
        lost.append(info["lost"])
    return max(bare), max(rates), info["records"] + info["lost"], max(lost)


def sampled(bench):
    """Percent of a core that ten samples a second take."""
    bench.run([bench.program("tools/recorder"), "run", "-q", "--sample=10", "-o", bench.trace("sampled"), "--", "sleep", "5"])
    text, _ = bench.run([bench.program("tools/recorder"), "sql", "-q", "--csv", bench.trace("sampled"),
                         "SELECT name, value FROM metadata WHERE name IN ('sampler.cpu', 'sampler.samples')"])
    said = dict(line.replace('"', "").split(",") for line in text.splitlines()[1:])
    return int(said["sampler.cpu"]) / int(said["sampler.samples"]) * 10 / 1e9 * 100


def measure(bench):
    yield row("sampling", "recorder run --sample=10: of one core", sampled(bench), "%", 0.2)
    text, _ = bench.run(["id", "-u"])
    if text.strip() != "0":
        yield missing("system", "recorder system", "not root")
        return
    runs = {"bare": [], "inside": [], "summed": [], "beside": [], "after": []}
    for i in range(RUNS):
        runs["bare"].append(costs(bench)["call"])
        runs["inside"].append(costs(bench, *system(bench, f"inside{i}"))["call"])
        runs["summed"].append(costs(bench, *system(bench, f"summed{i}", "--mode", "profile"))["call"])
        with Attached(bench):
            runs["beside"].append(costs(bench)["call"])
        runs["after"].append(costs(bench)["call"])
    ns = {name: statistics.median(values) for name, values in runs.items()}
    yield row("system_bare", "a pwrite of 8 bytes that nobody looks at", ns["bare"], "ns")
    yield row("system_call", "recorder system: added to it", ns["inside"] - ns["bare"], "ns", 400)
    yield row("system_summed", "    --mode profile", ns["summed"] - ns["bare"], "ns", 400)
    yield row("system_beside", "    to those of other processes meanwhile", ns["beside"] - ns["bare"], "ns", 180)
    yield row("system_after", "    and afterwards", ns["after"] - ns["bare"], "ns", 10, steady=False)
    yield row("system_begin", "    until the program begins", begin_of(bench), "s", 0.5)
    bare = statistics.median(function(bench) for _ in range(RUNS))
    probed = statistics.median(function(bench, *system(bench, f"probed{i}", "--events=-block,-writeback,-iouring", "-t", "be_called"))
                               for i in range(RUNS))
    yield row("system_function", "recorder system -t: added to a call of a function", probed - bare, "ns", steady=False)
    bare, rate, records, lost = flood(bench)
    yield row("system_rate", "    two processes that do nothing but calls of getppid", rate / 1e6, "M/s", 1.0, higher=True)
    yield row("system_rate_bare", "        that nobody looks at", bare / 1e6, "M/s")
    yield row("system_lost", f"    lost of {records:,} with a ring of 16 MiB", lost, "records", 0, steady=False)
