#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a trace of which every answer is known: made_beside.py DIR. What the kernel does beside a thread, and sums. Times in milliseconds:

10 .. 20        openat; in it 10 .. 12 a read of 100 bytes of its own
30 .. 40        fsync; in it two requests to a disk, 30 .. 38 and 31 .. 45, of 4,096 bytes each; a page fault 32 .. 33
41 .. 42        write of 7 bytes, while the second request is going on
50              three calls of malloc that took 0.003 together, 300 bytes; a sum, which a place in the recorder told
60              two calls of write as a sum: the trace has calls of write as well
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "format"))
from write_trace import (FIRST_TICK, INT, PAIR, REAL, STRING, Function, Pair, Record, StreamWriter,  # noqa: E402
                         file_definition, function_definition, instant, local, module_definition, save_global,
                         thread_definition)

MS = 1000000
OPENAT = Function(1, "kernel", "openat", PAIR, "fd", ((STRING, "path", "path"), (INT, "flags", "open_flags")))
READ = Function(2, "kernel", "read", INT, "bytes", ((PAIR, "fd", "fd"), (INT, "count", "bytes")))
WRITE = Function(3, "kernel", "write", INT, "bytes", ((PAIR, "fd", "fd"), (INT, "count", "bytes")))
FSYNC = Function(4, "kernel", "fsync", INT, "errno", ((PAIR, "fd", "fd"),))
REQUEST = Function(5, "block", "block_write", INT, "bytes", ((PAIR, "file", "file"), (INT, "bytes", "bytes")))
FAULT = Function(6, "fault", "page_fault", INT, "none", ((INT, "address", "int"),))
SUM = ((PAIR, "file", "file"), (INT, "count", "int"), (INT, "time", "int"), (INT, "interval", "int"), (INT, "back", "int"),
       (INT, "bytes", "bytes"))
MALLOC = Function(7, "mem", "malloc", INT, "sum", SUM)
WRITES = Function(8, "kernel", "write", INT, "sum", SUM)
FUNCTIONS = [OPENAT, READ, WRITE, FSYNC, REQUEST, FAULT, MALLOC, WRITES]


def at(ms):
    return FIRST_TICK + int(ms * MS)


def records():
    file = Pair(3, 1)
    return [Record(READ, at(10), at(12), [file, 100], 100, level=1),
            Record(OPENAT, at(10), at(20), [b"/data/x", 0], file),
            Record(FAULT, at(32), at(33), [4096], level=1),
            Record(REQUEST, at(30), at(38), [file, 4096], 4096, level=1),
            Record(FSYNC, at(30), at(40), [file]),
            Record(WRITE, at(41), at(42), [file, 7], 7),
            Record(REQUEST, at(31), at(45), [file, 4096], 4096, level=1),
            Record(MALLOC, at(50), at(50), [Pair(0, 0), 3, 3000, 10 * MS, 10 * MS, 300], site=(1, 64))]


def main():
    where = sys.argv[1]
    os.makedirs(where)
    save_global(where, {"run.id": "beside", "format": "1.1", "created": REAL, "recorder.version": "0.1.0", "command": "app",
                        "ranks": 1})
    stream = StreamWriter(0x10, None, local(0, 1, 4242, host="node1", main=1, exe="/opt/app", argv=b"app"))
    stream.defs(*map(function_definition, FUNCTIONS), file_definition(1, b"/data/x"),
                module_definition(1, 0, 1 << 20, b"/opt/librecorder.so"),
                thread_definition(0, 4242, 1, FIRST_TICK, "main"), anchor=instant(FIRST_TICK))
    stream.data(0, records())
    stream.data(0, [Record(WRITES, at(60), at(60), [Pair(3, 1), 2, 5000, 10 * MS, 10 * MS, 14], site=(1, 64))])
    stream.finish()
    stream.save(where, "rank-0")


if __name__ == "__main__":
    main()
