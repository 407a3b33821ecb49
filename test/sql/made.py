#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a trace of which every answer is known: made.py DIR. Four ranks, times in milliseconds:

10+r .. 20      MPI_Barrier: rank 3 comes last
20 .. 21        MPI_Send of 80 bytes to the next rank, tag 5
21 .. 22+r      MPI_Recv from anybody: from the rank before
30 .. 40        MPI_File_write_at_all of 1,000 bytes each to /data/shared; in that of rank 0, pwrite of 4,000 bytes, 32 .. 38
50 .. 51        open of /data/own.R; 52 .. 53 open of /none, which fails: rank 0 three times, 1 ms each
100, 200, 300   + r, 1 ms long: pwrite of 1,000 bytes to /data/own.R, one behind the other
310 .. 311      ranks 0 and 1: pread of 10 bytes from /data/pair, at 5
"""
import os
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "format"))
from write_trace import (ARRAY, FIRST_TICK, INT, PAIR, REAL, STRING, Function, Pair, Record, StreamWriter,  # noqa: E402
                         definition, file_definition, function_definition, instant, local, save_global, string,
                         thread_definition)

RANKS, MS = 4, 1000000
OPEN_FILE = Function(1, "posix", "open", PAIR, "fd", ((STRING, "path", "path"), (INT, "flags", "open_flags")))
TRANSFER = ((PAIR, "fd", "fd"), (INT, "count", "bytes"), (INT, "offset", "offset"))
PWRITE = Function(2, "posix", "pwrite", INT, "bytes", TRANSFER)
PREAD = Function(3, "posix", "pread", INT, "bytes", TRANSFER)
BARRIER = Function(300, "mpi", "MPI_Barrier", INT, "mpi_error", ((INT, "comm", "comm"),))
SEND = Function(301, "mpi", "MPI_Send", INT, "mpi_error", (
    (INT, "count", "count"), (INT, "datatype", "datatype"), (INT, "dest", "rank"), (INT, "tag", "tag"), (INT, "comm", "comm")))
RECV = Function(302, "mpi", "MPI_Recv", INT, "mpi_error", (
    (INT, "count", "count"), (INT, "datatype", "datatype"), (INT, "source", "rank"), (INT, "tag", "tag"),
    (INT, "comm", "comm"), (ARRAY, "status", "mpi_status")), 1 << 5)
WRITE_AT_ALL = Function(303, "mpiio", "MPI_File_write_at_all", INT, "mpi_error", (
    (PAIR, "fh", "mpi_file"), (INT, "offset", "offset"), (INT, "count", "count"), (INT, "datatype", "datatype"),
    (ARRAY, "status", "mpi_status"), (INT, "position", "position")), 1 << 4)
FUNCTIONS = [OPEN_FILE, PWRITE, PREAD, BARRIER, SEND, RECV, WRITE_AT_ALL]
ANY_SOURCE, ANY_TAG, DOUBLE, WORLD = -1, -1, 3, 1


def comm_world(rank):
    payload = struct.pack("<IIQiiiI", WORLD, 0, 7, rank, RANKS, 0, 1) + string("MPI_COMM_WORLD")
    return definition(6, payload + struct.pack("<IiiiI", 1, 0, RANKS, 1, 0))


def records(rank):
    def at(ms):
        return FIRST_TICK + int(ms * MS)

    made = [Record(BARRIER, at(10 + rank), at(20), [WORLD], 0),
            Record(SEND, at(20), at(21), [10, DOUBLE, (rank + 1) % RANKS, 5, WORLD], 0),
            Record(RECV, at(21), at(22 + rank), [10, DOUBLE, ANY_SOURCE, ANY_TAG, WORLD, [(rank - 1) % RANKS, 5, 80, 0]], 0)]
    if rank == 0:
        made.append(Record(PWRITE, at(32), at(38), [Pair(5, 1), 4000, 0], 4000, level=1))
    offset = rank * 1000
    made.append(Record(WRITE_AT_ALL, at(30), at(40), [Pair(1, 1), offset, 125, DOUBLE, [0, 0, 1000, 0], offset], 0))
    made.append(Record(OPEN_FILE, at(50), at(51), [b"/data/own.%d" % rank, 0o101], Pair(6, 2)))
    for i in range(3 if rank == 0 else 1):
        made.append(Record(OPEN_FILE, at(52 + i), at(53 + i), [b"/none", 0], Pair(-1, 0), err=2))
    for i in range(3):
        begin = 100 * (i + 1) + rank
        made.append(Record(PWRITE, at(begin), at(begin + 1), [Pair(6, 2), 1000, i * 1000], 1000))
    if rank < 2:
        made.append(Record(PREAD, at(310), at(311), [Pair(7, 3), 10, 5], 10))
    return made


def write_rank(where, rank):
    stream = StreamWriter(0x10 + rank, None, local(rank, RANKS, 4242 + rank, host="node1", main=1, exe="/opt/app", argv=b"app"))
    paths = (b"/data/shared", b"/data/own.%d" % rank, b"/data/pair")
    stream.defs(*map(function_definition, FUNCTIONS),
                *(file_definition(number, path) for number, path in enumerate(paths, 1)), comm_world(rank),
                definition(7, struct.pack("<IIqq", DOUBLE, 0, 8, 8) + string("MPI_DOUBLE")),
                thread_definition(0, 5000 + rank, 1, FIRST_TICK, "main"), anchor=instant(FIRST_TICK))
    stream.data(0, records(rank))
    stream.finish()
    stream.save(where, f"rank-{rank}")


def main():
    where = sys.argv[1]
    os.makedirs(where)
    save_global(where, {"run.id": "made", "format": "1.0", "created": REAL, "recorder.version": "0.1.0", "command": "app",
                        "ranks": RANKS})
    for rank in range(RANKS):
        write_rank(where, rank)


if __name__ == "__main__":
    main()
