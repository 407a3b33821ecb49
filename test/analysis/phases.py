#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Epochs and steps: a made-up job of which each instant is known, and one of more steps than there is room for. phases.py DIR only writes the job."""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from job import (FIRST_TICK, FUNCTIONS, INT, REAL, TICKS_PER_US, Function, Pair, Record, StreamWriter, file_definition,  # noqa: E402
                 function_definition, instant, local, save_global, thread_definition)

TOOLS = os.environ.get("TEST_TOOLS") or os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools")
LENGTH = 10_000  # us


def tagged(number, name, *tags):
    return Function(number, "user", name, INT, "none", tuple((INT, tag, "int") for tag in tags))


REGIONS = {f.name: f for f in (tagged(101, "epoch", "epoch"), tagged(102, "step", "step"), tagged(103, "step.fetch", "step"), tagged(104, "whole", "epoch", "step"), tagged(105, "plain"))}


def ticks(us):
    return FIRST_TICK + int(us * TICKS_PER_US)


def call(name, begin, end, *args, ret=0, level=0):
    function = REGIONS.get(name) or FUNCTIONS[name]
    return Record(function, ticks(begin), ticks(end), list(args), ret, level=level)


def write(begin, end, count, level=0):
    return call("pwrite", begin, end, Pair(5, 1), count, 0, ret=count, level=level)


def write_stream(where, name, rank, threads, number, length=LENGTH, **more):
    stream = StreamWriter(number, None, local(rank, 2, 4000 + number, **more))
    stream.defs(*map(function_definition, FUNCTIONS.values()), *map(function_definition, REGIONS.values()), file_definition(1, b"/data/0"),
                *(thread_definition(i, 5000 + 10 * number + i, i == 0, FIRST_TICK, f"t{i}") for i in range(len(threads))), anchor=instant(FIRST_TICK))
    for i, records in enumerate(threads):
        for at in range(0, len(records), 20_000):
            stream.data(i, records[at:at + 20_000])
    stream.finish(**dict(zip(("anchor.1.ticks", "anchor.1.mono", "anchor.1.real"), instant(ticks(length)))))
    stream.save(where, name)


def begin_job(where):
    os.makedirs(where)
    save_global(where, {"run.id": "sample", "format": "1.0", "created": REAL, "recorder.version": "0.1.0", "ranks": 2})


def write_job(where):
    """Two epochs of 4,000 us, from 1,000 on, of two steps each; a step waits 400 us for data in a fetch, and has 1,600 us."""
    begin_job(where)
    last = call("fstat", LENGTH - 1, LENGTH, Pair(5, 1))
    mine = []
    for epoch in range(2):
        for step in range(2):
            at = 1000 + 4000 * epoch + 2000 * step
            mine.append(call("step.fetch", at, at + 400, step, level=1))
            mine.append(write(at + 500, at + 600, 10 + step, level=2))
            mine.append(call("step", at + 400, at + 2000, step, level=1))
        mine.append(call("epoch", 1000 + 4000 * epoch, 5000 + 4000 * epoch, epoch))
    # one call lies before all of it, and one touches the begin of an epoch: both are in none
    mine = [write(100, 200, 1), write(900, 1000, 2)] + mine + [last]
    # a thread of rank 0 that says nothing, and one of rank 1 that says it itself
    beside = [write(1000, 1700, 100), write(2900, 3100, 200)]
    write_stream(where, "rank-0", 0, [mine, beside], 16)
    write_stream(where, "rank-1", 1, [[last], [write(2100, 2300, 7, level=1), call("whole", 2000, 4000, -5, 9)]], 17)
    # a child of rank 0 writes across the border of two steps: time is divided, the call is of the step that it begins in
    write_stream(where, "child", 0, [[write(6900, 7100, 1000), last]], 18, main=0, **{"parent.stream": 16})


def say(*command):
    return subprocess.run([os.path.join(TOOLS, command[0]), *command[1:]], capture_output=True, check=True).stdout.decode()


def same(what, want, got):
    if want != got:
        sys.exit(f"phases.py: {what}: {got}, not {want}")


def us(seconds):
    return round(float(seconds) * 1e6)


def row(phase):
    return {"key": (phase.get("epoch"), phase.get("step")), "begin": us(phase["begin"]), "end": us(phase["end"]), "time": us(phase["time"]),
            "files": us(phase["files"]), "alone": us(phase["files_alone"]), "loading": us(phase["loading"]), "loads": phase["loads"],
            "bytes": phase["bytes_written"], "processes": phase["processes"]}


# Rank 0 computes while its main thread is in none of the calls, its other thread from its first call to its last one. The child computes but for its call.
WANTED = [
    # what rank 1 says of its second thread: time is that of its processes, whose main threads say nothing
    {"key": (-5, 9), "begin": 2000, "end": 2100, "time": 0, "files": 0, "alone": 0, "loading": 0, "loads": 0, "bytes": 7, "processes": 1},
    {"key": (0, 0), "begin": 1000, "end": 3000, "time": 4000, "files": 800, "alone": 100, "loading": 400, "loads": 1, "bytes": 310, "processes": 2},
    {"key": (0, 1), "begin": 3000, "end": 5000, "time": 4000, "files": 200, "alone": 100, "loading": 400, "loads": 1, "bytes": 11, "processes": 2},
    {"key": (1, 0), "begin": 5000, "end": 7000, "time": 4000, "files": 200, "alone": 200, "loading": 400, "loads": 1, "bytes": 1010, "processes": 2},
    {"key": (1, 1), "begin": 7000, "end": 9000, "time": 4000, "files": 200, "alone": 200, "loading": 400, "loads": 1, "bytes": 11, "processes": 2},
]


def added(rows, epoch):
    mine = [r for r in rows if r["key"][0] == epoch]
    total = {key: sum(r[key] for r in mine) for key in ("time", "files", "alone", "loading", "loads", "bytes")}
    return total | {"key": (epoch, None), "begin": min(r["begin"] for r in mine), "end": max(r["end"] for r in mine), "processes": mine[0]["processes"]}


def check_job(trace):
    found = [row(phase) for phase in json.loads(say("recorder", "summary", "--json", trace))["phases"]]
    same("steps", WANTED, [r for r in found if r["key"][1] is not None])
    same("epochs", [added(WANTED, epoch) for epoch in (-5, 0, 1)], [r for r in found if r["key"][1] is None])
    same("lengths", [100, 2000, 2000, 2000, 2000],
         [us(phase["length"]) for phase in json.loads(say("recorder", "summary", "--json", trace))["phases"] if "step" in phase])
    same("order", [(-5, None), (-5, 9), (0, None), (0, 0), (0, 1), (1, None), (1, 0), (1, 1)], [r["key"] for r in found])


def check_processes(trace):
    rows = list(csv.DictReader(io.StringIO(say("recorder", "summary", "--csv", "--table", "phases", trace))))
    mine = [(r["rank"], r["pid"], us(r["files"]), us(r["files_alone"]), int(r["bytes_written"])) for r in rows if (r["epoch"], r["step"]) == ("1", "0")]
    same("processes of a step", [("", "", 200, 200, 1010), ("0", "4016", 100, 100, 10), ("0", "4018", 100, 100, 1000)], sorted(mine))


def check_text(trace):
    lines = say("recorder", "summary", trace).splitlines()
    same("lines of epochs", ["0", "1", "-5"], sorted((line.split()[1] for line in lines if line.split()[:1] == ["epoch"]), key=lambda n: n.lstrip("-")))
    same("line of steps", True, any("5 steps of" in line for line in lines))


def check_window(trace):
    """From the middle of the first epoch to the middle of the second one."""
    found = {r["key"]: r for r in map(row, json.loads(say("recorder", "summary", "--json", "--time", "0.0035s..0.0065s", trace))["phases"])}
    same("first and last step of a window", (2 * 1500, 2 * 1500), (found[(0, 1)]["time"], found[(1, 0)]["time"]))


def check_hidden(trace):
    """Epochs are those of all regions, also where conditions hide these."""
    found = {r["key"]: r for r in map(row, json.loads(say("recorder", "summary", "--json", "--layers", "posix", trace))["phases"])}
    same("bytes without regions", {key["key"]: key["bytes"] for key in WANTED}, {key: r["bytes"] for key, r in found.items() if key[1] is not None})


def write_many(where, steps):
    """One tick for each step, of which every seventh writes."""
    begin_job(where)
    records = []
    for step in range(steps):
        if step % 7 == 0:
            records.append(write(10 + step, 10.5 + step, 1, level=1))
        records.append(call("step", 10 + step, 11 + step, step - 100))
    write_stream(where, "rank-0", 0, [records], 16, length=steps + 20)


def check_many(trace, steps):
    for jobs in ("1", "2"):
        found = json.loads(say("recorder", "summary", "--json", "-j", jobs, trace))["phases"]
        same("all that was written", (steps + 6) // 7, sum(phase["bytes_written"] for phase in found))
        same("all time", steps, sum(us(phase["time"]) for phase in found))
        same("width of rows", {4}, {phase["step_last"] - phase["step"] + 1 for phase in found})
        same("rows in order", [-100 + 4 * i for i in range(steps // 4)], [phase["step"] for phase in found])


def main():
    if len(sys.argv) > 1:
        write_job(sys.argv[1])
        return
    with tempfile.TemporaryDirectory() as folder:
        write_job(os.path.join(folder, "job.trace"))
        check_job(os.path.join(folder, "job.trace"))
        check_processes(os.path.join(folder, "job.trace"))
        check_text(os.path.join(folder, "job.trace"))
        check_window(os.path.join(folder, "job.trace"))
        check_hidden(os.path.join(folder, "job.trace"))
        write_many(os.path.join(folder, "many.trace"), 40_000)
        check_many(os.path.join(folder, "many.trace"), 40_000)


if __name__ == "__main__":
    main()
