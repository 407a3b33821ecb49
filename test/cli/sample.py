#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a trace with all that outputs find hard: sample.py DIR.

Two ranks on two hosts share a pid; calls nest, overlap (left by longjmp, made by a signal handler) and do not
end; names are not UTF-8, numbers beyond 2^53, values cut, absent and unreadable; one record stands for three calls; two
records are lost.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "format"))
from write_trace import (BAD, DOUBLE, FIRST_TICK, INT, NULL, OPEN, PAIR, REAL, STRING, ARRAY, Cut,
                         Function, Pair, Record, StreamWriter, definition, file_definition,
                         function_definition, instant, local, raw, save_global, string,
                         thread_definition)
import struct

OPEN_FILE = Function(1, "posix", "open", PAIR, "fd", (
    (STRING, "path", "path"), (INT, "flags", "open_flags"), (INT, "mode", "mode")))
PWRITE = Function(2, "posix", "pwrite", INT, "bytes", (
    (PAIR, "fd", "fd"), (INT, "count", "bytes"), (INT, "offset", "offset")))
RECV = Function(300, "mpi", "MPI_Recv", INT, "mpi_error", (
    (INT, "count", "count"), (INT, "datatype", "datatype"), (INT, "source", "rank"),
    (INT, "tag", "tag"), (INT, "comm", "comm"), (ARRAY, "status", "mpi_status")), 1 << 5)
WRITE_ALL = Function(301, "mpiio", "MPI_File_write_all", INT, "mpi_error", (
    (PAIR, "fh", "mpi_file"), (INT, "count", "count")))
READV = Function(8, "posix", "readv", INT, "bytes", ((PAIR, "fd", "fd"), (ARRAY, "lengths", "counts")))
MARK = Function(7, "user", "mark", DOUBLE, "double", (
    (DOUBLE, "value", "double"), (INT, "level", "int"), (INT, "mask", "hex")))
EXIT = Function(9, "posix", "exit", INT, "none", ((INT, "status", "status"),))
ALL = [OPEN_FILE, PWRITE, RECV, WRITE_ALL, READV, MARK, EXIT]

LEFT, NORETURN, SIGNAL = 1, 2, 4
US = 2500  # ticks in a microsecond


def comm_world(size, rank):
    payload = struct.pack("<IIQiiiI", 1, 0, 7, rank, size, 0, 1) + string("MPI_COMM_WORLD")
    payload += struct.pack("<IiiiI", 1, 0, size, 1, 0)
    return definition(6, payload)


def name_definition(number, kind, text):
    return definition(5, struct.pack("<I", number) + string(kind) + string(text))


def definitions(rank, begin):
    return list(map(function_definition, ALL)) + [
        file_definition(1, b"/data/out.0"), file_definition(2, b"/data/caf\xe9 \"q\"\n"),
        comm_world(2, rank), definition(7, struct.pack("<IIqq", 3, 0, 8, 8) + string("MPI_DOUBLE")),
        thread_definition(0, 5000, 1, begin, "main"), thread_definition(1, 5001, 2, begin, "main")]


def first_rank(begin):
    """Nested calls, values of every kind, a signal handler's call, one left, one in flight."""
    t = begin
    def at(us):
        return t + int(us * US)
    main = [
        Record(OPEN_FILE, at(1), at(3.5), [b"/data/out.0", 0o101, 0o644], Pair(5, 1)),
        Record(OPEN_FILE, at(4), at(5), [b"/data/caf\xe9 \"q\"\n", 0], Pair(6, 2)),
        Record(OPEN_FILE, at(5), at(6), [b"/none", 0], Pair(-1, 0), err=2),
        Record(OPEN_FILE, at(6), at(7), [NULL, 0], Pair(-1, 0), err=14),
        Record(OPEN_FILE, at(7), at(8), [BAD, 0], Pair(-1, 0), err=14),
        Record(OPEN_FILE, at(8), at(9), [Cut(b"x" * 100, 9000, 0), 0], Pair(-1, 0), err=36),
        Record(PWRITE, at(11), at(12), [Pair(5, 1), 8, 0], 8, level=1),
        Record(PWRITE, at(12), at(14), [Pair(5, 1), 8, 8], 8, level=1),
        Record(WRITE_ALL, at(10), at(15), [Pair(1, 1), 16], 0),
        Record(PWRITE, at(16), at(19), [Pair(5, 1), 8, 16], 8, repeat=3),
        Record(PWRITE, at(20), at(21), [Pair(5, 1), 1 << 60, -(1 << 62)], 1 << 60),
        Record(PWRITE, at(22), at(23), [Pair(7, 99), 8, 0], -1, err=9),
        Record(READV, at(24), at(25), [Pair(6, 2), [4, 8, 1 << 55]], 12),
        Record(READV, at(25), at(26), [Pair(6, 2), Cut([1, 2], 100, 5050)], 3),
        Record(MARK, at(27), at(28), [float("nan"), 3, 255], float("-inf")),
        Record(MARK, at(28), at(29), [0.25, -1, -1], 1e300),
        # overlaps the next one without nesting
        Record(RECV, at(30), at(40), [1, 3, 1, 7, 1, NULL], 0, flags=LEFT),
        Record(RECV, at(35), at(45), [1, 3, -2, -1, 1, [1, 7, 8, 0]], 0),
        Record(RECV, at(46), at(47), [1, 3, 0, 7, 1, NULL], 0),
        Record(EXIT, at(50), at(50), [3], flags=NORETURN),
    ]
    handler = [Record(PWRITE, at(13), at(14.5), [Pair(2, 0), 1, 0], 1, flags=SIGNAL)]
    return main, handler


def write_first(where):
    begin = FIRST_TICK + 1000 * US
    stream = StreamWriter(0x10, None, local(0, 2, 4242, host="node1", main=1, exe="/opt/app",
                                            argv=b"app\0-n\0two words",
                                            **{"live.dir": "/dev/shm/recorder-0-0123456789abcdef"}))
    stream.defs(*definitions(0, begin), anchor=instant(FIRST_TICK))
    main, handler = first_rank(begin)
    stream.data(0, main, lost=2, flags=6 << 8)  # too_deep
    stream.data(1, handler)
    stream.finish()
    stream.save(where, "rank-0")


def write_second(where):
    """Died in MPI_Recv; its OPEN chunk says so."""
    begin = FIRST_TICK + 1200 * US
    stream = StreamWriter(0x11, None, local(1, 2, 4242, host="node2", exe="/opt/app", argv=b"app"))
    stream.defs(*definitions(1, begin), anchor=instant(FIRST_TICK))
    stream.data(0, [Record(PWRITE, begin + US * i, begin + US * i + 2000, [Pair(5, 1), 8, 8 * i], 8)
                    for i in range(5)])
    flight = raw(Record(RECV, begin + 20 * US, 0, [1, 3, 0, 7, 1, NULL]), 0)
    stream.add(OPEN, flight, count=1, thread=0, times=(0, begin + 20 * US, begin + 90 * US))
    stream.finish(**{"end.reason": "repaired"})
    stream.save(where, "rank-1")


def main():
    where = sys.argv[1]
    os.makedirs(where)
    save_global(where, {"run.id": "sample", "format": "1.0", "created": REAL,
                        "recorder.version": "0.1.0", "command": "app", "ranks": 2})
    write_first(where)
    write_second(where)


if __name__ == "__main__":
    main()
