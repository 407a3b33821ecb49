#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A trace of two hosts, whose ranks count time in four ways: order, times, and pids that collide.

Ranks 0 and 1 run on one boot of host a, ranks 2 and 3 on host b; ranks 0 and 2 have the same pid.
Round after round, rank after rank makes a call one millisecond after the one before it. TOP_BUILDDIR:
where the tools were built.
"""
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "format"))

from write_trace import (  # noqa: E402
    END, PWRITE, REAL, Pair, Record, StreamWriter, file_definition, function_definition, local,
    save_global, thread_definition)

TOOLS = os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools")
MS = 1_000_000
ROUNDS = 5
SPAN = 100 * MS


class Clock:
    """A rank's: `mono` since its machine came up, `ticks` of its counter, when the trace begins."""

    def __init__(self, mono, ticks, ratio, kind="tsc", step=0):
        self.mono, self.ticks, self.ratio, self.kind, self.step = mono, ticks, ratio, kind, step

    def at(self, ns):
        """The counter `ns` after the trace began."""
        return self.ticks + ns * self.ratio[0] // self.ratio[1]

    def anchor(self, ns):
        """`step`: ns by which the wall clock was put wrong when this rank looked at it."""
        return self.at(ns), self.mono + ns, REAL + ns + self.step


# What the first stream of a machine read of the wall clock counts for all streams there.
RANKS = [("a", 4242, Clock(77_000 * MS, 10**12, (5, 2))),
         ("a", 4243, Clock(77_000 * MS, 10**12, (5, 2), step=7 * 10**9)),
         ("b", 4242, Clock(900 * MS, 900 * MS, (1, 1), "monotonic")),
         ("b", 4244, Clock(900 * MS, 5 * 10**15, (3, 1)))]


class Stream(StreamWriter):
    """Adds the anchors of its own clock to all it writes."""

    def __init__(self, rank, host, pid, clock):
        first = {f"anchor.0.{name}": value
                 for name, value in zip(("ticks", "mono", "real"), clock.anchor(rank))}
        super().__init__(0x100 + rank, None, local(
            rank, len(RANKS), pid, host=host, **{"boot.id": f"boot of {host}",
                                                 "clock.kind": clock.kind, **first}))
        self.of, self.rank = clock, rank

    def add(self, type_, body, **more):
        more["anchor"] = self.of.anchor(SPAN if type_ == END else MS)
        return super().add(type_, body, **more)

    def save_calls(self, where):
        self.defs(function_definition(PWRITE), file_definition(1, b"/data"),
                  thread_definition(0, 1000 + self.rank, 1, self.of.at(0)))
        self.data(0, [Record(PWRITE, self.of.at(begin), self.of.at(begin + 1000),
                             [Pair(5, 1), 8, begin], 8) for begin in map(self.begin, range(ROUNDS))])
        self.finish(**{f"anchor.1.{name}": value
                       for name, value in zip(("ticks", "mono", "real"), self.of.anchor(SPAN))})
        self.save(where, f"rank-{self.rank}")

    def begin(self, turn):
        return (len(RANKS) * turn + self.rank + 2) * MS


def run(*command):
    done = subprocess.run([os.path.join(TOOLS, command[0]), *command[1:]], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.stdout.decode(), done.stderr.decode()


def expect(want, got, what):
    if want != got:
        sys.exit(f"hosts.py: {what}: wanted {want}, got {got}")


def check_text(trace):
    lines = [line.split() for line in run("recorder2text", trace)[0].splitlines()]
    wanted = [(rank, (len(RANKS) * turn + rank + 2) * MS) for turn in range(ROUNDS)
              for rank in range(len(RANKS))]
    expect([f"{rank} {1000 + rank} {begin / 1e9:.9f} {(begin + 1000) / 1e9:.9f}"
            for rank, begin in wanted], [" ".join(line[:4]) for line in lines], "order and times")


def check_info(trace):
    info = json.loads(run("recorder", "info", "--json", trace)[0])
    expect((True, True, 4, 20), tuple(info[key] for key in (
        "complete", "unverified_clock", "ranks", "records")), "info")
    expect([(host, pid) for host, pid, _ in RANKS],
           [(stream["host"], stream["pid"]) for stream in info["streams"]], "streams of info")
    expect(REAL, round(info["start"] * 1e9 / 1e3) * 1000, "begin of the trace")
    expect(True, "not verified" in run("recorder", "info", trace)[0], "info tells of the clocks")
    run("recorder", "check", trace)


def check_pids(trace, name):
    """Each rank has a pid of its own, and the real one is told beside it."""
    text = run("recorder2pfw", "--format", name, "-q", "-o", "-", trace)[0]
    if name == "chrome":
        events = json.loads(text)["traceEvents"]
    else:
        events = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    calls = [event for event in events if event["ph"] == "X"]
    pids = {event["tid"] - 1000: event["pid"] for event in calls}
    expect(20, len(calls), f"{name}: calls")
    expect(4, len(set(pids.values())), f"{name}: different pids")
    expect(20, len({(event["pid"], event["tid"], event["ts"]) for event in calls}), name)
    real = {}
    for event in events:
        args = event.get("args", {})
        if name == "chrome" and event["name"] == "process_name":
            real[args["rank"]] = args.get("pid", event["pid"])
        elif name == "pfw" and event["name"] == "CM" and args["name"] == "pid":
            rank, = (rank for rank, pid in pids.items() if pid == event["pid"])
            real[rank] = int(args["value"])
    told = {rank: real.get(rank, pids[rank]) for rank in range(len(RANKS))}
    expect({rank: pid for rank, (_, pid, _) in enumerate(RANKS)}, told, f"{name}: real pids")


def check_outside(trace):
    """Samples that one of both hosts has."""
    def told():
        text = [line.split(None, 1)[1] for line in run("recorder", "info", trace)[0].splitlines() if line.startswith("outside ")]
        info = json.loads(run("recorder", "info", "--json", trace)[0])
        return text, info["hosts"], info["hosts_sampled"], info["hosts_watched"]

    expect(([], 2, 0, 0), told(), "nobody looks from outside")
    add_outside(trace, "sampler", RANKS[0])
    expect((["samples of 1 of 2 hosts; 'recorder run' behind the launcher sees all"], 2, 1, 0), told(), "samples of one host")
    add_outside(trace, "system", RANKS[0])
    expect((["samples of 1, what the kernel does on 1 of 2 hosts; 'recorder run' behind the launcher sees all"], 2, 1, 1), told(),
           "one host is looked at")
    add_outside(trace, "sampler", RANKS[2])
    add_outside(trace, "system", RANKS[2])
    expect(([], 2, 2, 2), told(), "both are")


def add_outside(trace, source, rank):
    host, _, clock = rank
    first = {f"anchor.0.{name}": value for name, value in zip(("ticks", "mono", "real"), clock.anchor(0))}
    stream = StreamWriter(0x900 + len(os.listdir(trace)), None, local(
        -1, -1, 99, host=host, source=source, main=0, **{"boot.id": f"boot of {host}", "clock.kind": clock.kind, **first}))
    stream.finish(**{f"anchor.1.{name}": value for name, value in zip(("ticks", "mono", "real"), clock.anchor(SPAN))})
    stream.save(trace, f"{source}-{host}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace")
        os.mkdir(trace)
        save_global(trace, {"run.id": "hosts", "format": "1.0", "created": REAL})
        for rank, (host, pid, clock) in enumerate(RANKS):
            Stream(rank, host, pid, clock).save_calls(trace)
        check_text(trace)
        check_info(trace)
        check_pids(trace, "chrome")
        check_pids(trace, "pfw")
        check_outside(trace)


main()
