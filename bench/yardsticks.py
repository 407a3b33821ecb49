# SPDX-License-Identifier: MIT
"""What other tracers add to a loop of small writes, where they are installed."""
import os
import shutil
import statistics
import time

from rows import missing, row
from running import Failed, guarded

LTTNG_CALLS = 200000
LTTNG_RUNS = 5


def yardstick(bench, prefix, calls):
    """CPU ns that a tool adds to each small write: from two lengths, so that its start is not in it."""
    argv = [bench.program("bench/loop"), os.path.join(bench.files, "loop")]

    def cost(command):
        short, long = (min(bench.run([*command, *argv, str(count)])[1] for _ in range(3))
                       for count in (0, calls))
        return (long - short) / calls * 1e9

    return cost(prefix) - cost([])


class Sessions:
    """A session daemon of LTTng of our own; one for root that runs already is not touched, nor used."""

    def __init__(self, bench):
        self.bench, self.pid_file = bench, bench.trace("lttng.pid")
        try:
            bench.run(["lttng", "list"])
        except Failed:
            bench.run(["lttng-sessiond", "--daemonize", "--no-kernel", "--pidfile", self.pid_file])
            return
        raise Failed("a session daemon runs already")

    def close(self):
        with open(self.pid_file, encoding="ascii") as file:
            pid = int(file.read())
        os.kill(pid, 15)
        for _ in range(100):
            if not os.path.exists(f"/proc/{pid}"):
                break
            time.sleep(0.05)


def lttng_record(bench, argv, name):
    """CPU ns of the loop while a session records its tracepoints, and the bytes of the trace."""
    trace = bench.trace(name)
    for command in (["create", name, f"--output={trace}"],
                    ["enable-channel", "--userspace", "--subbuf-size=1M", "--num-subbuf=8", "all"],
                    ["enable-event", "--userspace", "--channel=all", "recorder_bench:*"],
                    ["start"]):
        bench.run(["lttng", *command])
    try:
        cpu = bench.values(argv, LTTNG_UST_REGISTER_TIMEOUT="5000")["cpu"]
    finally:
        bench.run(["lttng", "destroy", name])
    size = sum(os.path.getsize(os.path.join(folder, file))
               for folder, _, files in os.walk(trace) for file in files)
    return cpu, size


def measure_lttng(bench):
    """Two tracepoints, before and after the call; what its daemon takes is not in it."""
    what = "yardstick: LTTng-UST, two tracepoints around a small write"
    program = bench.program("bench/lttng")
    if not os.path.exists(program) or not shutil.which("lttng-sessiond"):
        yield missing("lttng", what, "not installed")
        return
    argv = [program, os.path.join(bench.files, "lttng"), str(LTTNG_CALLS)]
    sessions = Sessions(bench)
    try:
        runs = [(bench.values(argv)["cpu"], *lttng_record(bench, argv, f"lttng{number}"))
                for number in range(LTTNG_RUNS)]
    finally:
        sessions.close()
    bare, traced, size = (statistics.median(values) for values in zip(*runs))
    yield row("lttng", what, (traced - bare) / LTTNG_CALLS, "ns", steady=False)
    yield row("lttng_bytes", "    all files", size / LTTNG_CALLS, "B/record", steady=False)


def measure(bench):
    """Other tracers at the loop of small writes."""
    tools = (("strace", 4000, ["strace", "-f", "-o", "/dev/null"]),
             ("uftrace", 200000, ["uftrace", "record", "--force", "-d", bench.trace("uftrace")]))
    for tool, calls, prefix in tools:
        what = f"yardstick: {tool}, a small write"
        if not shutil.which(tool):
            yield missing(tool, what, "not installed")
            continue
        yield row(tool, what, yardstick(bench, prefix, calls), "ns", steady=False)
    yield from guarded(measure_lttng, bench)
