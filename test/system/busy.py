# SPDX-License-Identifier: MIT
"""A process whose use is known: computes, writes, holds memory and threads, says what /proc has of it, and waits until it has been sampled.

    busy.py TRACE [TIMES]

TIMES: how often what is sampled has to have been written; new processes are looked for less often than samples are taken.
"""
import glob
import os
import sys
import threading
import time

SPAN_LIMIT = 600  # s: something is wrong


def used():
    with open("/proc/self/stat") as file:
        words = file.read().rsplit(")", 1)[1].split()
    return int(words[11]), int(words[12])


def written():
    with open("/proc/self/io") as file:
        return dict(line.split(": ") for line in file.read().splitlines())


def size():
    return sum(os.path.getsize(path) for path in glob.glob(os.path.join(sys.argv[1], "sampler.*.rec")))


def wait_for_samples():
    """The file grows by all samples so far, now and then: at the second time those after the call are in it."""
    before, end = size(), time.time() + SPAN_LIMIT
    for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 2):
        while size() == before:
            if time.time() > end:
                sys.exit("nobody samples")
            time.sleep(0.02)
        before = size()


over = threading.Event()
for _ in range(3):
    threading.Thread(target=over.wait).start()
memory = bytearray(b"x") * (64 << 20)
with open("written", "wb", buffering=0) as file:
    for _ in range(10):
        file.write(memory[:100000])
begin = time.process_time()
while time.process_time() - begin < 0.3:
    pass
first, io = used(), written()
wait_for_samples()
last = used()
with open("pids", "a") as file:
    file.write(f"{os.getpid()}\n")
print("pid", os.getpid())
print("used", first[0] + first[1], last[0] + last[1])
print("wchar", io["wchar"], "syscw", io["syscw"])
sys.stdout.flush()
over.set()
