# SPDX-License-Identifier: MIT
"""A program under trace whose files may not become larger than the definitions of its own trace are.

    limited.py TRACE     with RECORDER_ROTATE

The limit is such that a new segment cannot take its second chunk of definitions: the write would begin at the limit, and the
system would send SIGXFSZ. Says how many of these came.
"""
import glob
import os
import resource
import signal
import struct
import sys
import time

SIGNALS = []
HEADER = struct.Struct("<IBBHI84x")
DEFS, FILE_HEADER = 1, 32


def make_calls(count):
    """Old enough for the ring to be sealed, and the files to be changed."""
    for _ in range(count):
        time.sleep(0.06)
        os.pwrite(out, b"x", 0)


def boundaries(path):
    """Where in a file that holds only the definitions each chunk of them ends."""
    data = open(path, "rb").read()
    at, size, found = FILE_HEADER, FILE_HEADER, []
    while at + HEADER.size <= len(data):
        _, kind, _, _, body = HEADER.unpack_from(data, at)
        at += HEADER.size + body
        if kind == DEFS:
            size += HEADER.size + body
            found.append(size)
    return found


signal.signal(signal.SIGXFSZ, lambda number, frame: SIGNALS.append(number))
out = os.open("out", os.O_RDWR | os.O_CREAT, 0o600)
for i in range(200):
    # names that have nothing in common: definitions take little room otherwise
    os.close(os.open(f"{os.urandom(50).hex()}{i}", os.O_WRONLY | os.O_CREAT, 0o600))
make_calls(4)
for i in range(20):
    os.close(os.open(f"m{i}", os.O_WRONLY | os.O_CREAT, 0o600))
make_calls(4)
mine = [path for path in glob.glob(f"{sys.argv[1]}/*.{os.getpid()}*.rec") if "-s" not in path]
stream = max(mine, key=os.path.getmtime)  # others are of images before this one
ends = boundaries(stream)
local = os.path.getsize(stream[:-4] + ".lm")
limit = next(end for end in ends[:-1] if end > local + 4096)
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
make_calls(30)
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
make_calls(10)
print("signals", len(SIGNALS))
