#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each rule of recorder findings finds what it is for, and is silent where its threshold is just not reached."""
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from job import Job, Pair  # noqa: E402

TOOLS = os.environ.get("TEST_TOOLS") or os.path.join(os.environ.get("TOP_BUILDDIR", "."), "tools")
RECORDER = os.path.join(TOOLS, "recorder")
RULES = {}


def rule(name):
    """A function that makes a job in which the rule finds something, or nearly."""
    def register(make):
        RULES[name] = make
        return make
    return register


def transfers(small, count=1000, call="pread"):
    job = Job()
    for i in range(count):
        size = 500 if i < small else 20000
        getattr(job, call)(0, 10, size, i * 20000)
    return job


@rule("small-reads")
def small_reads(found):
    return transfers(500 if found else 499)


@rule("small-writes")
def small_writes(found):
    return transfers(500 if found else 499, call="pwrite")


def scattered(found, call):
    job = Job()
    for i in range(1000):
        at = (i * i * 7919) % 100003 if i < (520 if found else 400) else 200000 + i
        getattr(job, call)(0, 10, 16384, at * 16384)
    return job


@rule("random-reads")
def random_reads(found):
    return scattered(found, "pread")


@rule("random-writes")
def random_writes(found):
    return scattered(found, "pwrite")


@rule("unaligned-shared")
def unaligned_shared(found):
    job = Job(2)
    for rank in range(2 if found else 1):
        for i in range(100):
            job.pwrite(rank, 10, 100000, rank * 10 ** 9 + i * 100000 + 1)
    return job


@rule("read-after-write")
def read_after_write(found):
    job = Job()
    for i in range(4):
        job.pwrite(0, 1000, 10 ** 6, i * 10 ** 6)
    for i in range(2 if found else 1):
        job.pread(0, 1000, 10 ** 6, i * 10 ** 6)
    return job


@rule("stdio-bulk")
def stdio_bulk(found):
    job = Job()
    for _ in range(100 if found else 99):
        job.call(0, "fwrite", 10, 1, 10 ** 6, Pair(5, 1), ret=10 ** 6)
    return job


@rule("one-rank-io")
def one_rank_io(found):
    job = Job(4)
    for i in range(18):
        job.pwrite(0, 1000, 10 ** 6, i * 10 ** 6)
    for i in range(2 if found else 3):
        job.pwrite(1, 1000, 10 ** 6, i * 10 ** 6 + 10 ** 9)
    return job


@rule("file-per-process")
def file_per_process(found):
    job = Job(16, files=64)
    for file in range(64 if found else 63):
        job.open(file % 16, 1000, file=file)
        job.pwrite(file % 16, 1000, 4096, 0, file)
    return job


@rule("independent-io")
def independent_io(found):
    job = Job(2)
    for rank in range(2):
        for i in range(50):
            job.transfer(rank, "MPI_File_write_at", 100, 1000, i * 1000)
        for i in range(5 if found else 6):
            job.transfer(rank, "MPI_File_write_at_all", 100, 1000, i * 1000)
    return job


@rule("amplified-reads")
def amplified_reads(found):
    job = Job()
    asked = 500000 if found else 500001
    job.transfer(0, "MPI_File_read_at", 10_000, asked, 0, below=[("pread", 5000, (job.fd(), 10 ** 6, 0), 10 ** 6)])
    return job


@rule("amplified-writes")
def amplified_writes(found):
    job = Job()
    given = 500000 if found else 500001
    job.transfer(0, "MPI_File_write_at", 10_000, given, 0, below=[("pwrite", 5000, (job.fd(), 10 ** 6, 0), 10 ** 6)])
    return job


@rule("metadata-time")
def metadata_time(found):
    job = Job()
    for _ in range(999 if found else 998):  # and one at the end
        job.call(0, "stat", 60, b"/data/0")
    return job


@rule("repeated-opens")
def repeated_opens(found):
    job = Job()
    for _ in range(100 if found else 99):
        job.call(0, "open", 10, b"/data/0", 0, ret=job.fd())
        job.call(0, "close", 10, job.fd())
    return job


@rule("repeated-asks")
def repeated_asks(found):
    job = Job()
    for _ in range(999 if found else 998):
        job.call(0, "stat", 10, b"/data/0")
    return job


@rule("seeks")
def seeks(found):
    job = Job()
    for i in range(2000 if found else 2001):
        if i % 2 or i == 2000:
            job.call(0, "lseek", 1, job.fd(), i, 0, ret=i) if i < 2000 else None
        job.call(0, "read", 10, job.fd(), 20000, ret=20000)
    return job


@rule("syncs")
def syncs(found):
    job = Job()
    for i in range(1000):
        job.pwrite(0, 10, 20000, i * 20000)
        if i % 10 == 0 and (found or i):
            job.call(0, "fsync", 600, job.fd())
    return job


@rule("failing-calls")
def failing(found):
    job = Job()
    for _ in range(1000 if found else 999):
        job.call(0, "open", 1, b"/none", 0, ret=Pair(-1, 0), err=2)
    return job


@rule("slow-call")
def slow_call(found):
    job = Job(length=5_000_000)
    for i in range(100):
        job.pwrite(0, 100, 20000, i * 20000)
    job.pwrite(0, 101_000 if found else 99_000, 20000, 2000000)
    return job


@rule("library-bound")
def library_bound(found):
    job = Job()
    job.call(0, "H5Dwrite", 400_010 if found else 399_000, below=[("pwrite", 100_000, (job.fd(), 20000, 0), 20000)])
    return job


@rule("storage-bound")
def storage_bound(found):
    job = Job()
    job.pwrite(0, 300_000 if found else 299_000, 20000, 0)
    return job


@rule("messages-bound")
def messages_bound(found):
    job = Job(2)
    for rank in range(2):
        job.send(rank, 1 - rank, 502_000 if found else 499_000, 10 ** 6)
    return job


@rule("storage-imbalance")
def storage_imbalance(found):
    job = Job(2)
    job.pwrite(0, 150_001, 20000, 0)
    job.pwrite(1, 49_990 if found else 60_000, 20000, 20000)
    return job


@rule("messages-imbalance")
def messages_imbalance(found):
    job = Job(2)
    job.send(0, 1, 150_001, 20000)
    job.send(1, 0, 49_990 if found else 60_000, 20000)
    return job


@rule("late-start")
def late_start(found):
    job = Job(2)
    job.starts[1] = 110_000 if found else 90_000
    job.compute(1, 110_000)
    return job


@rule("early-end")
def early_end(found):
    job = Job(2)
    job.ends[1] = 890_000 if found else 910_000
    return job


@rule("small-messages")
def small_messages(found):
    job = Job(2)
    for i in range(10000):
        job.send(0, 1, 1, 100 if i < (9000 if found else 8999) else 5000)
    return job


@rule("polling")
def polling(found):
    job = Job()
    for _ in range(100_000 if found else 99_999):
        job.call(0, "MPI_Test", 0.6, 7, 0)
    return job


@rule("barriers")
def barriers(found):
    job = Job(2)
    for rank in range(2):
        job.call(rank, "MPI_Barrier", 50_100 if found else 49_900, 1)
    return job


@rule("collectives")
def collectives(found):
    job = Job(2)
    for rank in range(2):
        job.call(rank, "MPI_Allreduce", 300_100 if found else 299_000, 1, 3, 1)
    return job


@rule("one-pair")
def one_pair(found):
    job = Job(8)
    job.send(0, 1, 10_000, 5 * 10 ** 6 if found else 4_900_000)
    for rank in range(2, 7):
        job.send(rank, rank + 1, 1000, 10 ** 6)
    return job


@rule("late-sender")
def late_sender(found):
    job = Job(2)
    job.receive(0, 1, 110_000, 100)
    job.compute(1, 101_000 if found else 99_000)
    job.send(1, 0, 1000, 100)
    return job


@rule("late-receiver")
def late_receiver(found):
    job = Job(2)
    job.send(0, 1, 110_000, 100)
    job.compute(1, 101_000 if found else 99_000)
    job.receive(1, 0, 1000, 100)
    return job


@rule("straggler")
def straggler(found):
    job = Job(4)
    for meeting in range(4):  # all wait for rank 1, or for each in turn
        last = 1 if found else meeting
        late = 17_500
        for rank in range(4):
            job.now[rank] = meeting * 100_000
            job.compute(rank, late if rank == last else 0)
            job.call(rank, "MPI_Barrier", 1000 if rank == last else late + 1000, 1)
    return job


@rule("unoverlapped-checkpoint")
def unoverlapped_checkpoint(found):
    job = Job()
    for i in range(3 if found else 2):
        job.compute(0, 200_000)
        job.pwrite(0, 30_000, 5 * 10 ** 6, i * 5 * 10 ** 6)
    return job


@rule("waits-for-data")
def waits_for_data(found):
    job = Job()
    for step in range(3):
        job.call(0, "batch.fetch", 1000 if found else 990, step)
        job.call(0, "batch", 9000, step)
    return job


@rule("long-steps")
def long_steps(found):
    job = Job()
    for step in range(10):
        job.call(0, "batch", 3000 * (10 if step == 5 else 1) + (30_000 if found and step == 5 else 0), step)
        job.compute(0, 1000)
    return job


@rule("racing-writes")
def racing_writes(found):
    job = Job(2)
    job.pwrite(0, 100, 1000, 0)
    job.compute(1, 50)
    job.pwrite(1, 100, 1000, 999 if found else 1000)
    return job


@rule("uncommitted-writes")
def uncommitted_writes(found):
    job = Job(2)
    job.pwrite(0, 100, 1000, 0)
    if not found:
        job.sync(0)
    job.compute(1, 200)
    job.pread(1, 100, 1000, 0)
    return job


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
