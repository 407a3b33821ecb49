# SPDX-License-Identifier: MIT
"""For each rule of recorder findings a job that is made up, in which it finds something, and one where its threshold is just not reached."""
from job import Job, Pair

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
    for _ in range(50_000):
        job.call(0, "MPI_Test", 0.6, 7, 0)
    for _ in range(50_000 if found else 49_999):
        job.call(0, "MPI_Request_get_status", 0.6, 7, 0)
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
