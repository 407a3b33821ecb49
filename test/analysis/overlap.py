#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""I/O and computing at the same time, and bursts of I/O: made-up jobs of which each instant is known. overlap.py DIR DIR only writes them."""
import csv
import io
import json
import os
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from job import (CHAR, Job, FUNCTIONS, WORLD, FIRST_TICK, REAL, TICKS_PER_US, Pair, Record, StreamWriter, definition, file_definition,  # noqa: E402
                 function_definition, instant, local, save_global, string, thread_definition)

TOOLS = os.environ.get("TEST_TOOLS") or os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools")
LENGTH = 10_000  # us
STATES = ("files_alone", "files_with_program", "files_with_mpi", "program", "mpi", "waiting")


def ticks(us):
    return FIRST_TICK + int(us * TICKS_PER_US)


def call(name, begin, end, *args, ret=0, level=0):
    return Record(FUNCTIONS[name], ticks(begin), ticks(end), list(args), ret, level=level)


def write(begin, end, count=4096, at=0, level=0):
    return call("pwrite", begin, end, Pair(5, 1), count, at, ret=count, level=level)


def write_stream(where, name, rank, threads, number, **more):
    """`threads`: a list of records each, the main thread first."""
    stream = StreamWriter(number, None, local(rank, 2, 4000 + number, **more))
    stream.defs(*map(function_definition, FUNCTIONS.values()), file_definition(1, b"/data/0"), file_definition(2, b"pipe"),
                definition(6, struct.pack("<IIQiiiI", WORLD, 0, 7, rank, 2, 0, 1) + string("MPI_COMM_WORLD") + struct.pack("<IiiiI", 1, 0, 2, 1, 0)),
                definition(7, struct.pack("<IIqq", CHAR, 0, 1, 1) + string("MPI_CHAR")),
                *(thread_definition(i, 5000 + 10 * number + i, i == 0, FIRST_TICK, f"t{i}") for i in range(len(threads))), anchor=instant(FIRST_TICK))
    for i, records in enumerate(threads):
        stream.data(i, records)
    stream.finish(**dict(zip(("anchor.1.ticks", "anchor.1.mono", "anchor.1.real"), instant(ticks(LENGTH)))))
    stream.save(where, name)


def write_job(where):
    os.makedirs(where)
    save_global(where, {"run.id": "sample", "format": "1.0", "created": REAL, "recorder.version": "0.1.0", "ranks": 2})
    last = call("fstat", LENGTH - 1, LENGTH, Pair(5, 1))
    # computes but for MPI from 1,000 to 2,000, a pipe from 6,000 to 7,000, and 1 us at the end; the other thread writes beside all of it.
    # That both have given what they do a name changes nothing: they compute there.
    write_stream(where, "rank-0", 0, [
        [call("MPI_Barrier", 1000, 2000, WORLD, level=1), call("read", 6000, 7000, Pair(6, 2), 10, ret=10, level=1), call("step", 100, 9000), last],
        [write(500, 700, level=1), write(1500, 2500, level=1), write(6500, 7500, level=1), call("step", 500, 7500)]], 16)
    # MPI-IO from 1,000 to 3,000, with a write and a message within
    write_stream(where, "rank-1", 1, [
        [call("MPI_Barrier", 1200, 1400, WORLD, level=1), write(1500, 2500, level=1),
         call("MPI_File_write_at", 1000, 3000, Pair(1, 1), 0, 4096, CHAR, [0, 0, 4096, 0]), last]], 17)
    # a child of rank 0, which does nothing beside
    write_stream(where, "child", 0, [[write(4000, 4400), last]], 18, main=0, **{"parent.stream": 16})


def want_of(**known):
    return {state: known.get(state, 0) for state in STATES} | {"program": LENGTH - sum(known.values())}


# Of rank 0 the other thread computes from 500 to 7,500 where it does not write, also while the main thread is in MPI or waits for the pipe.
WANTED = [want_of(files_with_program=200 + 500 + 500, files_with_mpi=500, files_alone=500 + 1), want_of(files_alone=2000 + 1), want_of(files_alone=400 + 1)]


def say(*command):
    return subprocess.run([os.path.join(TOOLS, command[0]), *command[1:]], capture_output=True, check=True).stdout.decode()


def same(what, want, got):
    if want != got:
        sys.exit(f"overlap.py: {what}: {got}, not {want}")


def us(row):
    return {state: round(row[state] * 1e6) for state in STATES}


def added(rows):
    return {state: sum(row[state] for row in rows) for state in STATES}


def check_summary(trace, wanted):
    found = json.loads(say("recorder", "summary", "--json", trace))
    ranks = [{place: us(rank["overlap"][place]) for place in ("own", "children")} for rank in found["ranks"]]
    same("rank 0", wanted[0], ranks[0]["own"])
    same("its child", wanted[2], ranks[0]["children"])
    same("rank 1", wanted[1], ranks[1]["own"])
    same("all", added(wanted[:2]), us(found["overlap"]["own"]))
    rows = list(csv.DictReader(io.StringIO(say("recorder", "summary", "--csv", "--table", "overlap", trace))))
    same("CSV", [wanted[0], wanted[2], wanted[1], dict.fromkeys(STATES, 0)],
         [{state: round(float(row[state]) * 1e6) for state in STATES} for row in rows])
    text = say("recorder", "summary", trace)
    same("text", True, any(line.split()[:1] == ["ranks"] and "alone" in line for line in text.splitlines()))


def check_window(trace):
    """Half of it: of rank 0 the write from 1,500 to 2,500 is cut."""
    found = json.loads(say("recorder", "summary", "--json", "--time", "0.001s..0.002s", trace))
    row = us(found["ranks"][0]["overlap"]["own"])
    same("sum in a window", 1000, sum(row.values()))
    same("in a window", (500, 0), (row["files_with_mpi"], row["files_alone"]))


def write_checkpoints(where):
    """Five checkpoints of 40 MB in 20 ms, one every 200 ms, with a line of a log every ms; and what is read at the begin."""
    job = Job(length=1_100_000, files=2)
    job.pread(0, 10_000, 10 ** 7, 0, 1)
    for i in range(5):
        while job.now[0] < 100_000 + i * 200_000:
            job.pwrite(0, 10, 100, i * 100, 1)
            job.compute(0, 990)
        for k in range(4):
            job.pwrite(0, 4900, 10 ** 7, (4 * i + k) * 10 ** 7)
            job.compute(0, 100)
    job.save(where)


def near(what, want, got, by):
    if abs(want - got) > by:
        sys.exit(f"overlap.py: {what}: {got}, not {want} within {by}")


def check_bursts(trace):
    found = json.loads(say("recorder", "summary", "--json", trace))
    bin_width = 1.1 / 1024 + 1e-6
    writes = [row for row in found["bursts"] if row["direction"] == "writes"]
    same("bursts", (5, 5, 1), (len(writes), found["rhythms"]["writes"]["bursts"], found["rhythms"]["reads"]["bursts"]))
    for i, row in enumerate(writes):
        near(f"begin of burst {i}", 0.1 + 0.2 * i, row["begin"], 3 * bin_width)
        near(f"length of burst {i}", 0.02, row["end"] - row["begin"], 3 * bin_width)
        near(f"bytes of burst {i}", 4 * 10 ** 7, row["bytes"], 1000)
    near("period", 0.2, found["rhythms"]["writes"]["period"], 2 * bin_width)
    same("bursts as CSV", len(found["bursts"]), len(say("recorder", "summary", "--csv", "--table", "bursts", trace).splitlines()) - 1)
    same("bursts as text", True, "5 bursts of 40.0 MB" in say("recorder", "summary", trace))


def check_filesystems(trace):
    """/data is on none of those that the sample's machine has mounted."""
    found, = json.loads(say("recorder", "summary", "--json", trace))["filesystems"]
    same("file system", ("", 10 ** 7), (found["directory"], found["bytes_read"]))


def main():
    if len(sys.argv) > 2:
        write_job(sys.argv[1])
        write_checkpoints(sys.argv[2])
        return
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace")
        write_job(trace)
        check_summary(trace, WANTED)
        check_window(trace)
        trace = os.path.join(folder, "checkpoints")
        write_checkpoints(trace)
        check_bursts(trace)
        check_filesystems(trace)


main()
