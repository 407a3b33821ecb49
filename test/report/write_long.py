#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a trace of many ranks: write_long.py DIR RANKS RECORDS FILES [SLOW], with so many records and files for each rank, of five layers, from the begin to
the end of ten seconds whatever their number. Rank SLOW is on a file for most of another ten."""
import os
import random
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "format"))
from write_trace import (FIRST_TICK, INT, PAIR, REAL, TICKS_PER_US, Function, Pair, Record, StreamWriter, definition, file_definition,  # noqa: E402
                         function_definition, instant, local, save_global, string, thread_definition)

TRANSFER = ((PAIR, "fd", "fd"), (INT, "count", "bytes"), (INT, "offset", "offset"))
FUNCTIONS = [Function(1, "posix", "pread", INT, "bytes", TRANSFER), Function(2, "posix", "pwrite", INT, "bytes", TRANSFER),
             Function(3, "stdio", "fflush", INT, "int", ()), Function(4, "mpi", "MPI_Barrier", INT, "mpi_error", ((INT, "comm", "comm"),)),
             Function(5, "mpiio", "MPI_File_sync", INT, "mpi_error", ()), Function(6, "hdf5", "H5Fflush", INT, "int", ())]
TICKS = 10_000_000 * TICKS_PER_US


def record(dice, begin, end, files):
    function = dice.choice(FUNCTIONS)
    if len(function.args) != 3:
        return Record(function, begin, end, [1][:len(function.args)], 0)
    size = dice.randrange(1, 1 << 22)
    return Record(function, begin, end, [Pair(5, dice.randrange(files) + 1), size, dice.randrange(1 << 40)], size)


def write_rank(where, rank, ranks, count, files, slow):
    dice = random.Random(rank)
    stream = StreamWriter(0x1000 + rank, None, local(rank, ranks, 100 + rank, host=f"node{rank // 32}", exe="/opt/app", argv=b"app"))
    stream.defs(*map(function_definition, FUNCTIONS), *(file_definition(i + 1, b"/scratch/some/folder/part.%d.%d" % (rank, i)) for i in range(files)),
                definition(6, struct.pack("<IIQiiiI", 1, 0, 7, rank, ranks, 0, 1) + string("MPI_COMM_WORLD") + struct.pack("<IiiiI", 1, 0, ranks, 1, 0)),
                thread_definition(0, 100 + rank, 1, FIRST_TICK, "main"), anchor=instant(FIRST_TICK))
    step = TICKS // count
    stream.data(0, [record(dice, FIRST_TICK + i * step + dice.randrange(step // 4), FIRST_TICK + (i + 1) * step - dice.randrange(step // 4), files) for i in range(count)])
    if rank == slow:
        end = FIRST_TICK + TICKS
        stream.data(0, [Record(FUNCTIONS[1], end + TICKS // 10, end + TICKS, [Pair(5, 1), 4096, 0], 4096)])
    stream.finish()
    stream.save(where, f"rank-{rank}")


def main():
    where, ranks, count, files, slow = sys.argv[1], *map(int, (sys.argv[2:] + [-1])[:4])
    os.makedirs(where)
    save_global(where, {"run.id": "sample", "format": "1.0", "created": REAL, "recorder.version": "0.1.0", "command": "app", "ranks": ranks})
    for rank in range(ranks):
        write_rank(where, rank, ranks, count, files, slow)


main()
