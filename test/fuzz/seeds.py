#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the seeds of the fuzz targets: seeds.py DIR makes DIR/TARGET/NAME.

Sound traces of test/format, cut down to what teaches a fuzzer the framing, and the broken ones.
What a fuzzer found lies in test/data/fuzz, for good.
"""
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "format"))

import live_trace  # noqa: E402
from write_trace import file_header, meta  # noqa: E402

LIVE = "recorder-0-0123456789abcdef"     # as scratch.h has it
NAMES = ("trace/recorder.gm", "trace/a.lm", "trace/a.rec", "live/a.defs", "live/a.0.ring",
         "live/a.1.ring", "trace/b.lm", "trace/b.rec", "live/b.defs", "live/b.10.ring")
HEADER = 256    # bytes kept of the 4096 of a live file's header


def put(top, target, name, data):
    where = os.path.join(top, target)
    os.makedirs(where, exist_ok=True)
    with open(os.path.join(where, name), "wb") as file:
        file.write(data)


def packed(files):
    """`files`: contents by the names of NAMES."""
    data = b""
    for name, contents in files.items():
        if name.startswith("live/"):
            contents = contents[:HEADER] + contents[4096:]
        data += struct.pack("<II", NAMES.index(name), len(contents)) + contents
    return data


def sound():
    """The files of a sound trace of two ranks."""
    files = {"trace/recorder.gm": file_header(b"G", 0) + meta({"run.id": "s", "format": "1.0"})}
    for rank, name in enumerate("ab"):
        stream = live_trace.small(rank, 2)
        files[f"trace/{name}.lm"], files[f"trace/{name}.rec"] = stream.lm, stream.rec
    return files


def numbers(*values):
    """As columns.c takes them."""
    data = b""
    for value in values:
        data += bytes([value]) if value < 64 else (
            b"\xe0" + struct.pack("<H", value) if value < 1 << 16 else
            b"\xf8" + struct.pack("<Q", value))
    return data


def call(function, *args, gap=5, duration=3, flags=0):
    """A record for columns.c; a bytes argument is a string."""
    data = numbers(function, 0) + bytes([flags]) + numbers(gap, duration, 8, 0x4001, 0, 1, 0)
    data += b"\0"
    for arg in args:
        if isinstance(arg, bytes):
            data += numbers(2, len(arg)) + arg + b"\0"
        elif isinstance(arg, list):
            data += numbers(2) + bytes([len(arg), 0]) + numbers(*arg)
        else:
            data += numbers(arg)
    return data


def columns():
    calls = [call(1, 5, 4096, 4096 * i, gap=100) for i in range(20)]
    calls += [call(2, b"/tmp/a", 0, 420), call(2, b"/tmp/a", 0, 420), call(3, 7, 9)]
    calls += [call(4, [1, 2, 3], b"x" * 40, [], b""), call(5, 1, 2, 3, 4, 5, 6, duration=5000)]
    return {"small": numbers(1, 0, 0) + call(0),
            "units": numbers(7, 3, 100_000) + b"".join(calls),
            "plain": numbers(1, 0, 1 << 40) + b"".join(calls * 3)}


def main():
    top = sys.argv[1]
    files, live = sound(), live_trace.files(live=LIVE)
    put(top, "gm", "sound", files["trace/recorder.gm"])
    put(top, "lm", "sound", files["trace/a.lm"])
    put(top, "rec", "sound", files["trace/a.rec"])
    put(top, "rec", "definitions", live_trace.definitions())
    put(top, "rec", "kinds", live_trace.kinds())
    for target in ("dir", "repair"):
        put(top, target, "sound", packed(files))
        put(top, target, "live", packed(live))
    for name, data in columns().items():
        put(top, "columns", name, data)


if __name__ == "__main__":
    main()
