#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who waited for whom in MPI, as recorder summary says it: of jobs that are made up, so that the answer is known to the nanosecond."""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from job import CHAR, WORLD, Job  # noqa: E402

TOOLS = os.environ.get("TEST_TOOLS") or os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools")
ANY_SOURCE, ANY_TAG, PROC_NULL = -1, -1, -2
SENDER, RECEIVER, MEMBER = "late sender", "late receiver", "late member"
JOBS = []


def job_of(make):
    """Returns a job, the waits in it as {(waiter, cause): {kind: [calls, us]}}, and what else the summary says."""
    JOBS.append(make)
    return make


@job_of
def blocking():
    job = Job(2)
    job.receive(0, 1, 5000, 100)        # 0 to 5000, sent at 3000
    job.compute(1, 3000)
    job.send(1, 0, 10, 100)
    job.now = [10_000, 10_000]
    job.send(0, 1, 4000, 100)           # received at 12000
    job.compute(1, 2000)
    job.receive(1, 0, 2000, 100)
    job.now = [20_000, 20_000]
    job.send(0, 1, 10, 100)             # buffered: it ends before it is received
    job.compute(1, 2000)
    job.receive(1, 0, 10, 100)
    return job, {(0, 1): {SENDER: [1, 3000], RECEIVER: [1, 2000]}}, {"messages": 3, "unmatched": 0}


@job_of
def nobody_and_oneself():
    job = Job(2)
    job.send(0, PROC_NULL, 1000, 100)
    job.receive(0, PROC_NULL, 1000, 0)
    job.send(0, 0, 10, 100)
    job.receive(0, 0, 1000, 100)
    job.send(0, 1, 10, 100)             # never received
    return job, {}, {"messages": 1, "unmatched": 1}


@job_of
def order():
    """Two messages of a channel: the second one is late, and the first receive, of any tag, completes last."""
    job = Job(2)
    job.call(0, "MPI_Irecv", 10, 1, CHAR, ANY_SOURCE, ANY_TAG, WORLD, 1)  # posted first: gets the first message
    job.call(0, "MPI_Irecv", 10, 1, CHAR, 1, 7, WORLD, 2)
    job.call(0, "MPI_Irecv", 10, 1, CHAR, 1, 8, WORLD, 3)                 # another channel, though it may be what the first gets
    job.now[0] = 1000
    job.call(0, "MPI_Waitall", 9000, 2, [2, 3], [1, 7, 1, 0, 1, 8, 1, 0])
    job.call(0, "MPI_Waitall", 10, 1, [1], [1, 7, 1, 0])
    job.send(1, 0, 10, 1, 7)
    job.now[1] = 2500
    job.send(1, 0, 10, 1, 8)
    job.now[1] = 6000
    job.send(1, 0, 10, 1, 7)
    return job, {(0, 1): {SENDER: [1, 5000]}}, {"messages": 3, "unmatched": 0}


@job_of
def last_of_several():
    """A call that completes several waits once, for the last one."""
    job = Job(3)
    job.call(0, "MPI_Irecv", 10, 1, CHAR, 1, 0, WORLD, 1)
    job.call(0, "MPI_Irecv", 10, 1, CHAR, 2, 0, WORLD, 2)
    job.now[0] = 1000
    job.call(0, "MPI_Waitall", 9000, 2, [1, 2], [1, 0, 1, 0, 2, 0, 1, 0])
    job.now[1], job.now[2] = 3000, 5000
    job.call(1, "MPI_Isend", 10, 1, CHAR, 0, 0, WORLD, 1)
    job.send(2, 0, 10, 1)
    return job, {(0, 2): {SENDER: [1, 4000]}}, {"messages": 2}


@job_of
def probed():
    job = Job(2)
    job.call(0, "MPI_Probe", 4000, ANY_SOURCE, ANY_TAG, WORLD, [1, 5, 1, 0])
    job.receive(0, 1, 10, 1, 5)
    job.now[1] = 3000
    job.send(1, 0, 10, 1, 5)
    return job, {(0, 1): {SENDER: [1, 3000]}}, {"messages": 1}


@job_of
def cancelled():
    job = Job(2)
    job.call(0, "MPI_Irecv", 10, 1, CHAR, ANY_SOURCE, ANY_TAG, WORLD, 1)
    job.call(0, "MPI_Irecv", 10, 1, CHAR, 1, 0, WORLD, 2)
    job.call(0, "MPI_Waitall", 10, 1, [1], [-32766, -32766, -2, 0])
    job.now[0] = 1000
    job.call(0, "MPI_Waitall", 9000, 1, [2], [1, 0, 1, 0])
    job.now[1] = 2000
    job.send(1, 0, 10, 1)
    return job, {(0, 1): {SENDER: [1, 1000]}}, {"messages": 1, "unmatched": 0}


CANCELLED = [-32766, -32766, -2, 0]


@job_of
def cancelled_before_others():
    """Two of one channel are cancelled, the earlier one while the later one is there; the one behind them receives what comes first."""
    job = Job(2)
    for request in (1, 2, 3):
        job.call(0, "MPI_Irecv", 10, 1, CHAR, 1, 0, WORLD, request)
    job.call(0, "MPI_Waitall", 10, 2, [1, 2], CANCELLED + CANCELLED)
    job.now[0] = 1000
    job.call(0, "MPI_Waitall", 9000, 1, [3], [1, 0, 1, 0])
    job.now[1] = 2000
    job.send(1, 0, 10, 1)
    return job, {(0, 1): {SENDER: [1, 1000]}}, {"messages": 1, "unmatched": 0, "given_up": 0}


@job_of
def cancelled_behind_others():
    """A later one of the channel has been received when an earlier one turns out to be cancelled: whose numbers are wrong is not known. What was sent until then counts."""
    job = Job(2)
    job.call(0, "MPI_Isend", 10, 1, CHAR, 1, 5, WORLD, 9)
    for request in (1, 2):
        job.call(0, "MPI_Irecv", 10, 1, CHAR, 1, 0, WORLD, request)
    job.call(0, "MPI_Waitall", 10, 1, [2], [1, 0, 1, 0])
    job.call(0, "MPI_Waitall", 10, 1, [1], CANCELLED)
    job.call(0, "MPI_Waitall", 10, 1, [9], [0, 0, 0, 0])
    job.send(1, 0, 10, 1)
    job.receive(1, 0, 10, 1, 5)
    return job, {}, {"messages": 1, "given_up": 1}


@job_of
def collective():
    job = Job(3)
    for rank, at in enumerate((0, 4000, 1000)):
        job.now[rank] = at
        job.call(rank, "MPI_Barrier", 5000 - at, WORLD)
    for rank, at in enumerate((10_000, 12_000, 13_000)):  # from the root, 1: rank 2 comes after it
        job.now[rank] = at
        job.call(rank, "MPI_Bcast", 4000, 1, CHAR, 1, WORLD)
    for rank, at in enumerate((20_000, 25_000, 23_000)):  # to the root, 0: nobody else waits
        job.now[rank] = at
        job.call(rank, "MPI_Reduce", 7000, 1, CHAR, 0, WORLD)
    job.now[0] = 30_000
    job.call(0, "MPI_Barrier", 100, WORLD)                # the others do not come
    return job, {(0, 1): {MEMBER: [3, 4000 + 2000 + 5000]}, (2, 1): {MEMBER: [1, 3000]}}, {"collective": 3, "incomplete": 1}


@job_of
def clocks():
    """What is not more than clocks may differ is no wait: 1.5 us here."""
    job = Job(2)
    job.clocks = {0: 0, 1: 1500}
    for i, late in enumerate((1, 4)):
        job.now = [i * 1000, i * 1000 + late]
        job.receive(0, 1, 10, 100)
        job.send(1, 0, 1, 100)
    job.now = [5000, 7000]
    job.receive(0, 1, 10, 100)  # is received before it is sent
    job.send(1, 0, 1, 100)
    return job, {(0, 1): {SENDER: [1, 4]}}, {"messages": 3, "reversed": 1}


@job_of
def lost():
    job = Job(2)
    job.receive(0, 1, 5000, 100)
    job.now[1] = 3000
    job.send(1, 0, 10, 100)
    job.losses = {1: 3}
    return job, {}, {"messages": 0, "unmatched": 1, "left_out": 1}


def run(*words):
    done = subprocess.run([os.path.join(TOOLS, "recorder"), "summary", *words], capture_output=True, check=False, timeout=120)
    if done.returncode:
        sys.exit(f"summary {words}: status {done.returncode}, {done.stderr.decode()}")
    return done.stdout.decode()


def us(seconds):
    return round(seconds * 10 ** 9) / 1000


def waits_of(found):
    return {(pair["waiter"], pair["cause"]): {kind: [sums["calls"], us(sums["time"])] for kind, sums in pair["waits"].items() if sums["calls"]}
            for pair in found["pairs"]}


def sums_agree(found):
    """Ranks and communicators have what pairs have."""
    every = sum(us(pair["time"]) for pair in found["pairs"])
    by_rank = {row["rank"]: row for row in found["ranks"]}
    for rank, row in by_rank.items():
        if us(row["waited"]) != sum(us(pair["time"]) for pair in found["pairs"] if pair["waiter"] == rank):
            return f"rank {rank}: waited {row['waited']}"
        if us(row["caused"]) != sum(us(pair["time"]) for pair in found["pairs"] if pair["cause"] == rank):
            return f"rank {rank}: caused {row['caused']}"
    if round(sum(us(comm["time"]) for comm in found["communicators"]) - every, 3):
        return f"communicators: {found['communicators']}"
    return None


def match(*words):
    """Its status, and what it prints."""
    done = subprocess.run([os.path.join(TOOLS, "recorder"), "match", *words], capture_output=True, check=False, timeout=120)
    if done.stderr.count(b"\n") > 1 or done.returncode not in (0, 1):  # one line: that calls are lost
        sys.exit(f"match {words}: status {done.returncode}, {done.stderr.decode()}")
    return done.returncode, done.stdout.decode()


def check_match(trace, found):
    """`recorder match` says what `recorder summary` found."""
    alone = found["unmatched"] + found["incomplete"]
    status, text = match("--exit-code", trace)
    if status != bool(alone):
        return f"match --exit-code: {status} of {alone} without a partner"
    if f"{found['messages']} sent and received, {found['unmatched']} sends and receives without" not in text:
        return f"match: {text}"
    if json.loads(match("--json", trace)[1]) != found or match("--csv", trace)[1] != run("--csv", "--table", "waits", trace):
        return "match has other waits than summary"
    ranks = csv.DictReader(io.StringIO(match("--csv", "--table", "ranks", trace)[1]))
    if [[us(float(row["waited"])), us(float(row["caused"])), int(row["came_last"])] for row in ranks] != \
            [[us(row["waited"]), us(row["caused"]), row["came_last"]] for row in found["ranks"]]:
        return "match: ranks"
    comms = csv.DictReader(io.StringIO(match("--csv", "--table", "communicators", trace)[1]))
    if [[row["name"], int(row["messages"]), int(row["collective"]), us(float(row["waited"]))] for row in comms] != \
            [[row["name"], row["messages"], row["collective"], us(row["time"])] for row in found["communicators"]]:
        return "match: communicators"
    return None


def check(make, folder):
    job, want, numbers = make()
    trace = os.path.join(folder, make.__name__)
    job.save(trace)
    text = run("--json", trace)
    if text != run("--json", "-j", "3", trace):
        return "-j changes the result"
    found = json.loads(text)["mpi_waits"]
    if waits_of(found) != want:
        return f"{waits_of(found)}, not {want}"
    for key, number in numbers.items():
        if found[key] != number:
            return f"{key}: {found[key]}, not {number}"
    rows = list(csv.DictReader(io.StringIO(run("--csv", "--table", "waits", trace))))
    if [us(float(row["time"])) for row in rows] != [us(pair["time"]) for pair in found["pairs"]]:
        return f"CSV: {rows}"
    if bool(want) and f"by rank {found['pairs'][0]['waiter']} for rank {found['pairs'][0]['cause']}" not in run(trace):
        return "not in the text"
    return sums_agree(found) or check_match(trace, found)


def check_conditions(folder):
    """Without some calls numbers would be wrong; without some ranks partners are missing."""
    trace = os.path.join(folder, "order")
    for options, key, want in ((("--functions", "MPI_Irecv,MPI_Waitall"), "conditions", True), (("--time", "1us.."), "conditions", True),
                               (("--ranks", "0"), "unmatched", 3), (("--layers", "mpi"), "messages", 3)):
        found = json.loads(run("--json", *options, trace))["mpi_waits"]
        if found[key] != want or (want is True and found["pairs"]):
            return f"{options}: {found}"
    if "not known" not in match("--functions", "MPI_Irecv", trace)[1]:
        return "match knows"
    return None


def main():
    with tempfile.TemporaryDirectory() as folder:
        failures = {make.__name__: check(make, folder) for make in JOBS} | {"conditions": check_conditions(folder)}
    failures = [f"{name}: {text}" for name, text in failures.items() if text]
    print("\n".join(failures) or f"{len(JOBS)} jobs")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
