# SPDX-License-Identifier: MIT
"""A training run without a framework: two forked workers read and unpack files, the trainer waits for their batches, computes on what it says is a GPU, and saves its model after each epoch.

    train.py FOLDER [SCALE]

What the GPU would do is said to FAKE_GPU, which the test's own libnvidia-ml.so.1 reads (test/system/fake_nvml.c).
"""
import multiprocessing
import os
import sys
import time
import zlib

from recorder.regions import region

FOLDER = sys.argv[1]
SCALE = float(sys.argv[2]) if len(sys.argv) > 2 else 1
FILES, WORKERS, EPOCHS, STEPS = 12, 2, 2, 10
SIZE = int(SCALE * (6 << 20))


def gpu(percent, memory):
    if os.environ.get("FAKE_GPU"):
        with open(os.environ["FAKE_GPU"] + ".new", "w") as file:
            file.write(f"{percent} {percent // 3} {memory}")
        os.rename(os.environ["FAKE_GPU"] + ".new", os.environ["FAKE_GPU"])


def compute(seconds):
    end = time.monotonic() + seconds * SCALE
    while time.monotonic() < end:
        sum(range(1000))


def make_files():
    block = os.urandom(SIZE // 2) + bytes(SIZE - SIZE // 2)
    for number in range(FILES):
        with open(os.path.join(FOLDER, f"part{number}.z"), "wb") as file:
            file.write(block)
            os.fsync(file.fileno())


def read(number):
    descriptor = os.open(os.path.join(FOLDER, f"part{number % FILES}.z"), os.O_RDONLY)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    data = bytearray()
    while len(data) < SIZE:
        data += os.read(descriptor, 1 << 20)
    os.close(descriptor)
    return data


def load(numbers, batches):
    for number in iter(numbers.get, None):
        data = read(number)
        batches.put(zlib.crc32(zlib.compress(data, 6)))


def save(epoch):
    with region("checkpoint"):
        gpu(0, 9 << 30)
        with open(os.path.join(FOLDER, f"model{epoch}"), "wb") as file:
            for _ in range(24):
                file.write(os.urandom(int(SCALE * (2 << 20))))
            os.fsync(file.fileno())


def train(epoch, numbers, batches):
    with region("epoch", epoch=epoch):
        for number in range(STEPS):
            numbers.put(epoch * STEPS + number)
        for step in range(STEPS):
            with region("step", step=step):
                with region("load"):
                    gpu(3, 9 << 30)
                    batches.get()
                with region("train"):
                    gpu(90 + step % 5, 11 << 30)
                    compute(0.12)
        save(epoch)


def main():
    with region("prepare"):
        make_files()
    numbers, batches = multiprocessing.SimpleQueue(), multiprocessing.SimpleQueue()
    workers = [multiprocessing.Process(target=load, args=(numbers, batches)) for _ in range(WORKERS)]
    for worker in workers:
        worker.start()
    for epoch in range(EPOCHS):
        train(epoch, numbers, batches)
    for worker in workers:
        numbers.put(None)
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    main()
