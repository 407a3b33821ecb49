# SPDX-License-Identifier: MIT
"""What ranks of a launcher share: CPU of one that works alone, of the busiest of four, of each converter and analysis."""
import os
import shutil
import statistics

from rows import missing, row
from running import OVERSUBSCRIBED

RANKS = 4
CALLS = 500000  # reads of each rank, and as many writes
TURNS = 3
PATIENCE = 300  # seconds: a database of four million rows
PROGRAM = """import os, sys
descriptor = os.open("data." + os.environ["OMPI_COMM_WORLD_RANK"], os.O_RDWR | os.O_CREAT)
block = bytes(64)
for i in range(int(sys.argv[1])):
    os.pwrite(descriptor, block[:1 + i % 60], i * 7919 % 1000003)
    os.pread(descriptor, 32, i * 5 % 999983)
"""
# name, words; OUT becomes where it writes to
COMMANDS = (
    ("recorder2text", "recorder2text -q --force -o OUT"),
    ("recorder2csv", "recorder2csv -q --force -o OUT"),
    ("recorder2csv --drishti", "recorder2csv -q --force --drishti -o OUT"),
    ("recorder2parquet", "recorder2parquet -q --force -o OUT"),
    ("recorder2sqlite", "recorder2sqlite -q --force -o OUT"),
    ("recorder2collapsed", "recorder2collapsed -q -j 1 --force -o OUT"),
    ("recorder2pfw", "recorder2pfw -q -j 1 --force -o OUT"),
    ("recorder2pfw --format chrome", "recorder2pfw -q -j 1 --force --format chrome -o OUT"),
    ("recorder filter", "recorder filter -q -j 1 --force --layers posix -o OUT"),
    ("recorder summary", "recorder summary -q -j 1"),
    ("recorder findings", "recorder findings -q -j 1"),
    ("recorder stacks", "recorder stacks -q"),
    ("recorder check", "recorder check -q"),
    ("recorder report", "recorder report -q -j 1 --force -o OUT"),
)


def remove(path):
    """A file or a folder, and those that are called by it."""
    folder, name = os.path.split(path)
    for entry in os.listdir(folder):
        if entry.startswith(name):
            made = os.path.join(folder, entry)
            if os.path.isdir(made):
                shutil.rmtree(made)
            else:
                os.unlink(made)


def of_ranks(bench, count, words):
    """CPU seconds of each of so many ranks."""
    path = os.path.join(bench.files, "shared")
    words = [path if word == "OUT" else word for word in words.split()]
    cpu = bench.cpu_of_ranks(count, [bench.program("tools/" + words[0]), *words[1:], bench.trace("shared")])
    remove(path)
    return cpu


def measure(bench):
    if not shutil.which("mpirun"):
        yield missing("shared", "what ranks share", "no MPI")
        return
    bench.patience = PATIENCE
    bench.traced("shared", ["mpirun", "-np", str(RANKS), "python3", "-c", PROGRAM, str(CALLS)], **OVERSUBSCRIBED)
    for name, words in COMMANDS:
        if not os.path.exists(bench.program("tools/" + words.split()[0])):
            yield missing(name, name, "not built")
            continue
        alone, busiest = zip(*((of_ranks(bench, 1, words)[0], max(of_ranks(bench, RANKS, words)))
                               for _ in range(TURNS)))
        yield row(f"{name} alone", f"{name}: CPU of one rank alone", statistics.median(alone), "s", steady=False)
        yield row(f"{name} busiest", f"    of the busiest of {RANKS}", statistics.median(busiest), "s", steady=False)
        yield row(f"{name} share", "    to that of one alone", statistics.median(busiest) / statistics.median(alone), "x", 0.4)
