#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each rule of recorder findings finds what it is for, and is silent where its threshold is just not reached (rules.py)."""
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from job import Job  # noqa: E402
from rules import RULES, one_rank_io  # noqa: E402

TOOLS = os.environ.get("TEST_TOOLS") or os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools")
RECORDER = os.path.join(TOOLS, "recorder")


def ask(*options):
    done = subprocess.run([RECORDER, "findings", "--json", *options], capture_output=True, check=False, timeout=120)
    if done.returncode or done.stderr:
        sys.exit(f"findings {options}: status {done.returncode}, {done.stderr.decode()}")
    return json.loads(done.stdout)


def check(name, make, folder):
    failures = []
    for found in (True, False):
        trace = os.path.join(folder, f"{name}-{found}")
        make(found).save(trace)
        rows = ask(trace)
        if (name in [row["rule"] for row in rows]) != found:
            failures.append(f"{name}: {'not found' if found else 'found'}: {[row['text'] for row in rows]}")
        stakes = [row["at_stake"] for row in rows]
        if stakes != sorted(stakes, reverse=True) or any(not row["text"].endswith(".") for row in rows):
            failures.append(f"{name}: {rows}")
        if rows != ask("-j", "3", trace):
            failures.append(f"{name}: -j changes the result")
    return failures


def check_manners(folder):
    trace = os.path.join(folder, "small-reads-True")
    text = subprocess.run([RECORDER, "findings", trace], capture_output=True, check=True).stdout.decode()
    failures = [] if "small-reads (5.00 ms, 0.5 %)" in text and "50.0 % of 1,000 reads" in text else [f"text: {text}"]
    for options, want in ((["--exit-code"], 1), ([], 0), (["--exit-code", "--ranks", "5"], 0)):
        status = subprocess.run([RECORDER, "findings", *options, trace], capture_output=True, check=False).returncode
        if status != want:
            failures.append(f"{options}: status {status}")
    return failures


def check_walk(folder):
    """What nftw() has made is in its time, and counts once."""
    job = Job()
    job.call(0, "nftw", 100000, b"/data/0", below=[("stat", 60, (b"/data/1",), 0)] * 1000)
    trace = os.path.join(folder, "walk")
    job.save(trace)
    text = [row["text"] for row in ask(trace) if row["rule"] == "metadata-time"]
    return [] if len(text) == 1 and "took 100 ms, 100.0 %" in text[0] else [f"walk: {text}"]


def check_rewritten(folder):
    """Who opens a small file again and again to write it anew does not write at random."""
    job = Job()
    for _ in range(1500):
        job.open(0)
        job.pwrite(0, 10, 100, 0)
        job.close(0)
    trace = os.path.join(folder, "rewritten")
    job.save(trace)
    return [f"rewritten: {row['text']}" for row in ask(trace) if row["rule"] == "random-writes"]


def check_stake(folder):
    """At stake in seeks is what they took, and not the opens of the same file."""
    job = Job(length=3_000_000)
    for i in range(1500):
        job.open(0, us=1000)
        job.call(0, "lseek", 2, job.fd(), i * 100, 0, ret=i * 100)
        job.pwrite(0, 10, 20000, i * 100)
        job.close(0)
    trace = os.path.join(folder, "stake")
    job.save(trace)
    rows = [row for row in ask(trace) if row["rule"] == "seeks"]
    return [] if len(rows) == 1 and abs(rows[0]["at_stake"] - 0.003) < 1e-4 else [f"stake: {rows}"]


def check_data_alone(folder):
    """At stake where one rank does all I/O is its time in files of data, and not what it took to load software."""
    job = one_rank_io(True)
    for _ in range(10):
        job.call(0, "stat", 20_000, b"/usr/lib/libm.so.6")
    trace = os.path.join(folder, "data-alone")
    job.save(trace)
    rows = [row for row in ask(trace) if row["rule"] == "one-rank-io"]
    return [] if len(rows) == 1 and abs(rows[0]["at_stake"] - 0.018) < 1e-4 else [f"data alone: {rows}"]


def check_locks(folder):
    """Calls that lock a file do not ask what it is."""
    job = Job()
    for _ in range(2000):
        job.call(0, "flock", 10, job.fd(), 2)
    trace = os.path.join(folder, "locks")
    job.save(trace)
    return [f"locks: {row['text']}" for row in ask(trace) if row["rule"] == "repeated-asks"]


def check_chosen(folder):
    """Where a rank is chosen the others are not there to be compared with."""
    job = Job(ranks=4, length=3_000_000)
    for rank in range(4):
        for i in range(100):
            job.pwrite(rank, 25_000, 10 ** 6, i * 10 ** 6)
    trace = os.path.join(folder, "chosen")
    job.save(trace)
    rows = ask(trace, "--ranks", "1")
    bound = [row["text"] for row in rows if row["rule"] == "storage-bound" and "2.50 s, 83.3 %" in row["text"]]
    return [f"chosen: {row['text']}" for row in rows if "imbalance" in row["rule"] or "rank" in row["rule"]] + (
        [] if len(bound) == 1 else [f"chosen: {[row['text'] for row in rows]}"])


def check_pipe(folder):
    """Who waits at a pipe does not wait for storage: nothing is bound by it, and no call on a file was slow."""
    job = Job()
    for _ in range(200):
        job.call(0, "read", 1, job.fd(), 20000, ret=20000)
    job.call(0, "read", 600_000, job.fd(job.files), 20000, ret=20000)
    trace = os.path.join(folder, "pipe")
    job.save(trace)
    return [f"pipe: {row['text']}" for row in ask(trace) if row["rule"] in ("storage-bound", "slow-call")]


def check_children(folder):
    """Of a rank that waits for a process it has started, that one tells what the time goes into; of one that computes itself it does not."""
    failures = []
    for waits, writes in ((True, 400_000), (True, 200_000), (False, 400_000)):
        job = Job(children=1)
        if waits:
            job.call(0, "waitpid", 900_000, -1)
        job.pwrite(1, writes, 20000, 0)
        trace = os.path.join(folder, f"children-{waits}-{writes}")
        job.save(trace)
        bound = [row["text"] for row in ask(trace) if row["rule"] == "storage-bound"]
        want = ["The ranks wait for other processes, which spend 400 ms in calls on files, 40.0 % of the time in which they do anything."]
        if bound != (want if waits and writes == 400_000 else []):
            failures.append(f"children, {waits}, {writes}: {bound}")
    return failures


def check_changed(folder):
    """Who reads a part of a file, changes it and puts it back reads nothing that the run has written before. Who reads it all once more does, of each of the files."""
    failures = []
    for again in (False, True):
        job = Job(files=3)
        for file in range(3):
            for i in range(4):
                job.pread(0, 1000, 10 ** 6, i * 10 ** 6, file)
                job.pwrite(0, 1000, 10 ** 6, i * 10 ** 6, file)
        for i in range(8 if again else 0):
            job.pread(0, 1000, 10 ** 6, i % 4 * 10 ** 6, i // 4)
        trace = os.path.join(folder, f"changed-{again}")
        job.save(trace)
        texts = [row["text"] for row in ask(trace) if row["rule"] == "read-after-write"]
        want = ["16.0 MB were read of 2 files that the run itself had written, most of the time of /data/0."] if again else []
        failures += [] if texts == want else [f"changed: {texts}"]
    return failures


def check_others(folder):
    """At stake is what all files of a kind took, and how many there are is said."""
    job = Job(files=3)
    for file in range(3):
        for _ in range(120):
            job.open(0, us=100 * (file + 1), file=file)
            job.close(0, us=100, file=file)
    trace = os.path.join(folder, "others")
    job.save(trace)
    rows = [row for row in ask(trace) if row["rule"] == "repeated-opens"]
    want = "/data/2 was opened 120 times by 1 rank, and so it is with 2 more files."
    return [] if len(rows) == 1 and rows[0]["text"] == want and abs(rows[0]["at_stake"] - 0.108) < 1e-4 else [f"others: {rows}"]


def check_little(folder):
    """Where less than a thousandth of the time is at stake nothing is said, but of what may make results wrong."""
    failures = []
    for seconds, want in ((9, ["small-reads", "uncommitted-writes"]), (11, ["uncommitted-writes"])):
        job = Job(2, length=seconds * 10 ** 6)
        for rank in range(2):
            job.pwrite(rank, 5, 20000, 0)
            for i in range(1000):
                job.pread(rank, 10, 500, i * 20000)
        trace = os.path.join(folder, f"little-{seconds}")
        job.save(trace)
        rules = sorted(row["rule"] for row in ask(trace) if row["rule"] in ("small-reads", "uncommitted-writes"))
        failures += [] if rules == want else [f"little: {seconds} s: {rules}"]
    return failures


def check_beside(folder):
    """What launches a job is no rank of it: ranks are compared with each other, and what is spent in MPI is a share of their time."""
    job = Job(2, children=1)
    job.worlds[2] = ("", 0)
    job.call(2, "waitpid", 990_000, 4000, ret=4000)
    for rank in range(2):
        job.starts[rank] = 300_000
        job.compute(rank, 300_000)
        job.ends[rank] = 850_000
        job.send(rank, 1 - rank, 290_000, 100_000)
    trace = os.path.join(folder, "beside")
    job.save(trace)
    rows = ask(trace)
    failures = [] if [row["rule"] for row in rows] == ["messages-bound"] else [f"beside: {rows}"]
    # two ranks from 0.3 to 0.85 s, and what goes before and comes after
    return failures + [f"beside: share of {row['wall']} s" for row in rows if abs(row["wall"] - 1.55) > 1e-4]


def check_worlds(folder):
    """Jobs that follow each other are each judged by themselves, and their ranks told apart."""
    job = Job(4)
    for rank in range(2):
        job.worlds[2 + rank] = ("later", rank)
        job.ends[rank] = 400_000
        job.starts[2 + rank] = 500_000
        job.compute(2 + rank, 500_000)
    job.ends[3] = 880_000
    job.pwrite(0, 150_000, 20000, 0)
    job.pwrite(1, 150_000, 20000, 20000)
    job.send(2, 3, 150_001, 20000)
    job.send(3, 2, 40_000, 20000)
    trace = os.path.join(folder, "worlds")
    job.save(trace)
    texts = sorted(row["text"] for row in ask(trace) if row["panel"] == "ranks" and "bound" not in row["rule"])
    want = ["Rank 1:0 spent 150 ms in MPI; the mean of 2 ranks is 95.0 ms.", "Rank 1:1 ended 120 ms before rank 1:0."]
    return [] if texts == want else [f"worlds: {texts}"]


def check_passed_on(folder):
    """What one job writes and the next one reads is shared by none."""
    job = Job(2)
    job.worlds[1] = ("later", 0)
    job.ends[0] = job.starts[1] = 500_000
    job.compute(1, 500_000)
    for at in range(100):
        job.pwrite(0, 1000, 1000, at * 1000)
        job.pread(1, 1000, 1000, at * 1000)
    trace = os.path.join(folder, "passed")
    job.save(trace)
    return [f"passed on: {row['text']}" for row in ask(trace) if row["rule"] == "unaligned-shared"]


def check_manual(rows):
    """The manual has each threshold as the program states it."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "doc", "man", "recorder-findings.1")
    with open(path, encoding="utf-8") as file:
        manual = file.read()
    return [f"the manual does not say when {row['rule']} is found" for row in rows
            if f".It Sy {row['rule']}\n{row['when'][0].upper()}{row['when'][1:]}.\n" not in manual]


def main():
    rows = ask("--rules")
    known = {row["rule"] for row in rows}
    failures = check_manual(rows)
    failures += [f"no test of {name}" for name in known - set(RULES)] + [f"no rule {name}" for name in set(RULES) - known]
    with tempfile.TemporaryDirectory() as folder:
        for name, make in RULES.items():
            failures += check(name, make, folder)
        failures += check_manners(folder)
        for special in (check_walk, check_pipe, check_locks, check_rewritten, check_chosen, check_stake, check_data_alone, check_children, check_changed, check_others, check_little, check_beside, check_worlds,
                        check_passed_on):
            failures += special(folder)
    print("\n".join(failures) or f"{len(RULES)} rules, each with a trace in which it finds something and one in which it does not")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
