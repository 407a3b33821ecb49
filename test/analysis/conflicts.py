#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which ranks touch the same bytes, and what consistency models say of it: of jobs that are made up."""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from job import Job, Pair  # noqa: E402

TOOLS = os.environ.get("TEST_TOOLS") or os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools")
APPEND = 0o2001
FINE, UNKNOWN, VIOLATED, NONE = "fine", "unknown", "violated", "-"
JOBS = []


def job_of(make):
    """Returns a job, [(one, other, first byte, byte behind, {count: number})], the verdicts, and what else is said of the file."""
    JOBS.append(make)
    return make


def at(job, rank, us):
    job.now[rank] = us


@job_of
def blocks():
    """Each rank has its half, and one more reads beside them."""
    job = Job(3)
    for rank in (0, 1):
        job.open(rank)
        for i in range(300):
            job.pwrite(rank, 10, 1000, rank * 300_000 + i * 1000)
        job.close(rank)
    job.pread(2, 10, 1000, 600_000)
    return job, [], [FINE, FINE, FINE, NONE], {"exact": True, "ranks": 3}


@job_of
def strides():
    """Parts in turn, each of several transfers: far more than are kept one by one."""
    job = Job(3)
    for rank in range(3):
        for i in range(1000):
            for k in range(2):
                job.pwrite(rank, 10, 500, (3 * i + rank) * 1000 + k * 500)
    return job, [], [FINE, FINE, FINE, NONE], {"exact": True}


@job_of
def strides_that_meet():
    job = Job(2)
    for i in range(1000):
        job.pwrite(0, 10, 100, i * 1000)
    at(job, 1, 500_000)
    for i in range(10):
        job.pread(1, 10, 10, 500 + i * 5970)  # 230 bytes and more behind a multiple of 1,000: between blocks
    job.pread(1, 10, 100, 999_050)
    return job, [(0, 1, 999_050, 999_100, {"write_read": 1})], [FINE, VIOLATED, VIOLATED, NONE], {"exact": True}


@job_of
def closed_and_opened():
    job = Job(2)
    job.open(0)
    job.pwrite(0, 10, 1000, 0)
    job.close(0)
    at(job, 1, 1000)
    job.open(1)
    job.pread(1, 10, 500, 700)
    return job, [(0, 1, 700, 1000, {"write_read": 1})], [FINE, FINE, FINE, NONE], {"exact": True}


@job_of
def synced():
    job = Job(2)
    job.open(0)
    job.open(1)
    job.pwrite(0, 10, 1000, 0)
    job.sync(0)
    at(job, 1, 1000)
    job.pwrite(1, 10, 500, 0)
    return job, [(0, 1, 0, 500, {"write_write": 1})], [FINE, FINE, VIOLATED, NONE], {}


@job_of
def synced_too_early():
    job = Job(2)
    job.open(0)
    job.sync(0)
    job.pwrite(0, 10, 1000, 0)
    at(job, 1, 1000)
    job.pread(1, 10, 500, 0)
    at(job, 0, 2000)
    job.sync(0)
    return job, [(0, 1, 0, 500, {"write_read": 1})], [FINE, VIOLATED, VIOLATED, NONE], {}


@job_of
def read_before():
    job = Job(2)
    job.pread(0, 10, 1000, 0)
    at(job, 1, 1000)
    job.pwrite(1, 10, 500, 0)
    return job, [(0, 1, 0, 500, {"read_write": 1})], [FINE, FINE, FINE, NONE], {}


@job_of
def at_once():
    job = Job(2)
    job.pwrite(0, 100, 1000, 0)
    at(job, 1, 50)
    job.pwrite(1, 100, 1000, 500)
    return job, [(0, 1, 500, 1000, {"together": 1})], [VIOLATED, VIOLATED, VIOLATED, NONE], {}


@job_of
def by_mpi():
    """MPI_File_sync of the writer, and then of the reader; below it the system calls, as MPI-IO makes them."""
    job = Job(2)
    job.transfer(0, "MPI_File_write_at", 100, 1000, 0, below=[("pwrite", 50, (job.fd(), 1000, 0), 1000)])
    job.call(0, "MPI_File_sync", 100, Pair(1, 1), below=[("fsync", 50, (job.fd(),), 0)])
    at(job, 1, 1000)
    job.call(1, "MPI_File_sync", 100, Pair(1, 1))
    job.transfer(1, "MPI_File_read_at", 100, 1000, 0, below=[("pread", 50, (job.fd(), 1000, 0), 1000)])
    return job, [(0, 1, 0, 1000, {"write_read": 1})], [FINE, FINE, VIOLATED, FINE], {}


@job_of
def by_mpi_without_the_other():
    job = Job(2)
    job.transfer(0, "MPI_File_write_at", 100, 1000, 0, below=[("pwrite", 50, (job.fd(), 1000, 0), 1000)])
    job.call(0, "MPI_File_sync", 100, Pair(1, 1), below=[("fsync", 50, (job.fd(),), 0)])
    at(job, 1, 1000)
    job.transfer(1, "MPI_File_read_at", 100, 1000, 0, below=[("pread", 50, (job.fd(), 1000, 0), 1000)])
    return job, [(0, 1, 0, 1000, {"write_read": 1})], [FINE, FINE, VIOLATED, VIOLATED], {}


@job_of
def scattered():
    """More ways to touch a file than are kept."""
    job = Job(2)
    for i in range(400):
        job.pwrite(0, 10, 10, i * i * 100)
    at(job, 1, 500_000)
    job.pread(1, 10, 10, 50)
    return job, [(0, 1, 50, 60, {"uncertain": 1})], [UNKNOWN, UNKNOWN, UNKNOWN, NONE], {"exact": False}


@job_of
def appended():
    job = Job(2)
    for rank in (0, 1):
        job.open(rank, flags=APPEND)
        job.call(rank, "write", 10, job.fd(), 100, ret=100)
        job.pwrite(rank, 10, 100, 1000 + 100 * rank, 0)
    return job, [], [UNKNOWN, UNKNOWN, UNKNOWN, NONE], {"unknown": 4, "ranks": 2, "exact": True}


@job_of
def appended_to_what_another_writes():
    job = Job(3)
    job.open(0)
    job.pwrite(0, 10, 100, 0)
    job.open(1, flags=APPEND)
    job.call(1, "write", 10, job.fd(), 100, ret=100)
    return job, [], [UNKNOWN, UNKNOWN, UNKNOWN, NONE], {"unknown": 1, "ranks": 2, "exact": True}


@job_of
def read_from_somewhere():
    """By descriptors that came from elsewhere: of a file that nobody writes, no conflict can be."""
    job = Job(2)
    for rank in (0, 1):
        job.call(rank, "read", 10, job.fd(), 100, ret=100)
    return job, [], None, {}


@job_of
def appended_by_one():
    job = Job(2)
    job.open(0, flags=APPEND)
    job.call(0, "write", 10, job.fd(), 100, ret=100)
    return job, [], None, {}


@job_of
def clocks():
    """In order by less than clocks agree to."""
    job = Job(2)
    job.clocks = {0: 0, 1: 100_000}
    job.pwrite(0, 100, 1000, 0)
    at(job, 1, 150)
    job.pwrite(1, 100, 1000, 0)
    return job, [(0, 1, 0, 1000, {"together": 1})], [VIOLATED, VIOLATED, VIOLATED, NONE], {}


def run(*words):
    done = subprocess.run([os.path.join(TOOLS, "recorder"), "summary", *words], capture_output=True, check=False, timeout=120)
    if done.returncode:
        sys.exit(f"summary {words}: status {done.returncode}, {done.stderr.decode()}")
    return done.stdout.decode()


def check_pairs(found, want):
    if [(row["one"], row["other"], row["begin"], row["end"]) for row in found] != [row[:4] for row in want]:
        return f"{found}"
    for row, (*_, counts) in zip(found, want):
        for key in ("write_write", "write_read", "read_write", "together", "uncertain"):
            if row[key] != counts.get(key, 0):
                return f"{key}: {row}"
    return None


def verify(*words):
    """Its status, and what it prints."""
    done = subprocess.run([os.path.join(TOOLS, "recorder"), "verify", *words], capture_output=True, check=False, timeout=120)
    if done.stderr or done.returncode not in (0, 1):
        sys.exit(f"verify {words}: status {done.returncode}, {done.stderr.decode()}")
    return done.returncode, done.stdout.decode()


def check_verify(trace, found):
    """`recorder verify` says what `recorder summary` found."""
    verdicts = found["files"][0]["verdicts"]
    for model, verdict in verdicts.items():
        status, text = verify("--model", model, "--exit-code", trace)
        if status != (verdict == VIOLATED):
            return f"verify --model {model}: status {status} of {verdict}"
        line = f"  {model:8} " + " ".join(f"{name} {int(verdict == name)}" + "," * (name != VIOLATED) for name in (FINE, UNKNOWN, VIOLATED))
        if line not in text.splitlines():
            return f"verify --model {model}: {text}"
        if verdict == VIOLATED and not any(f"ranks {row['one']} and {row['other']}, first at bytes {row['begin']} to {row['end']}" in text
                                           for row in found["pairs"] if row["violates"][model]):
            return f"verify --model {model}: no pair in {text}"
    if verify("--exit-code", trace)[0] != (verdicts["posix"] == VIOLATED):
        return "verify --exit-code is not that of posix"
    text = verify("--all", trace)[1]
    if text.count("first at bytes") != len(found["pairs"]):
        return f"verify: {text}"
    if json.loads(verify("--json", trace)[1]) != found or verify("--csv", trace)[1] != run("--csv", "--table", "conflicts", trace):
        return "verify has other conflicts than summary"
    return None


def check(make, folder):
    job, want, verdicts, more = make()
    trace = os.path.join(folder, make.__name__)
    job.save(trace)
    text = run("--json", trace)
    if text != run("--json", "-j", "3", trace):
        return "-j changes the result"
    found = json.loads(text)["conflicts"]
    if verdicts is None:
        return None if not found["files"] else f"{found}"
    if [row["path"] for row in found["files"]] != ["/data/0"]:
        return f"files: {found}"
    file = found["files"][0]
    if list(file["verdicts"].values()) != verdicts:
        return f"verdicts: {file}"
    for key, value in more.items():
        if file[key] != value:
            return f"{key}: {file}"
    rows = list(csv.DictReader(io.StringIO(run("--csv", "--table", "conflicts", trace))))
    if [(int(row["one"]), int(row["begin"])) for row in rows] != [(row[0], row[2]) for row in want]:
        return f"CSV: {rows}"
    if bool(want) != ("same bytes by several ranks" in run(trace)):
        return "text"
    return check_pairs(found["pairs"], want) or check_verify(trace, found)


def check_readers(folder):
    """Files that one rank has written and all others read: looking at each pair of readers would take all the work that is allowed."""
    ranks, files, trace = 1300, 85, os.path.join(folder, "readers")
    job = Job(ranks, files=files)
    for file in range(files):
        job.pwrite(0, 10, 1000, 0, file=file)
    for rank in range(1, ranks):
        at(job, rank, 10_000)
        for file in range(files):
            job.pread(rank, 10, 1000, 0, file=file)
    job.save(trace)
    found = json.loads(run("--json", trace))["conflicts"]["files"]
    told = {(row["exact"], row["ranks"], row["pairs"]) for row in found}
    return None if len(found) == files and told == {(True, ranks, ranks - 1)} else f"{len(found)} files: {told}"


def check_conditions(folder):
    found = json.loads(run("--json", "--functions", "pwrite", os.path.join(folder, "at_once")))["conflicts"]
    if "not known" not in verify("--functions", "pwrite", os.path.join(folder, "at_once"))[1]:
        return "verify knows"
    return None if found == {"conditions": True, "files": [], "pairs": []} else f"{found}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        failures = {make.__name__: check(make, folder) for make in JOBS} | {"conditions": check_conditions(folder),
                                                                               "readers": check_readers(folder)}
    failures = [f"{name}: {text}" for name, text in failures.items() if text]
    print("\n".join(failures) or f"{len(JOBS)} jobs")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
