# SPDX-License-Identifier: MIT
"""Traces of jobs that are made up, call by call, with times in microseconds: Job(ranks).save(DIR)."""
import os
import stat
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "format"))
from write_trace import (ARRAY, FIRST_TICK, INT, PAIR, REAL, STRING, TICKS_PER_US, Function, Pair, Record,
                         StreamWriter, definition, file_definition, function_definition, instant, local,
                         save_global, string, thread_definition)

FD, COUNT, OFFSET = (PAIR, "fd", "fd"), (INT, "count", "bytes"), (INT, "offset", "offset")
FILE, FH = (PAIR, "stream", "stream"), (PAIR, "fh", "mpi_file")
MESSAGE = ((INT, "count", "count"), (INT, "datatype", "datatype"), (INT, "dest", "rank"), (INT, "tag", "tag"), (INT, "comm", "comm"))
RECEIVE = MESSAGE[:2] + ((INT, "source", "rank"),) + MESSAGE[3:]
REQUEST = (INT, "request", "request")
ROOTED = (MESSAGE[0], MESSAGE[1], (INT, "root", "rank"), MESSAGE[4])
TRANSFER = (FH, OFFSET, (INT, "count", "count"), (INT, "datatype", "datatype"), (ARRAY, "status", "mpi_status"))
STATUS_IS_OUTPUT = 1 << 4
CHAR, WORLD = 3, 1


def functions():
    rows = [("posix", "open", PAIR, "fd", ((STRING, "path", "path"), (INT, "flags", "open_flags"))),
            ("posix", "close", INT, "error", (FD,)),
            ("posix", "read", INT, "bytes", (FD, COUNT)),
            ("posix", "write", INT, "bytes", (FD, COUNT)),
            ("posix", "pread", INT, "bytes", (FD, COUNT, OFFSET)),
            ("posix", "pwrite", INT, "bytes", (FD, COUNT, OFFSET)),
            ("posix", "lseek", INT, "offset", (FD, OFFSET, (INT, "whence", "whence"))),
            ("posix", "fsync", INT, "error", (FD,)),
            ("posix", "fstat", INT, "error", (FD,)),
            ("posix", "stat", INT, "error", ((STRING, "path", "path"),)),
            ("posix", "flock", INT, "error", (FD, (INT, "operation", "int"))),
            ("posix", "waitpid", INT, "pid", ((INT, "pid", "pid"),)),
            ("posix", "nftw", INT, "error", ((STRING, "path", "path"),)),
            ("stdio", "fwrite", INT, "count", ((INT, "size", "bytes"), (INT, "count", "count"), FILE)),
            ("mpi", "MPI_Send", INT, "mpi_error", MESSAGE),
            ("mpi", "MPI_Recv", INT, "mpi_error", RECEIVE + ((ARRAY, "status", "mpi_status"),), 1 << 5),
            ("mpi", "MPI_Isend", INT, "mpi_error", MESSAGE + (REQUEST,), 1 << 5),
            ("mpi", "MPI_Irecv", INT, "mpi_error", RECEIVE + (REQUEST,), 1 << 5),
            ("mpi", "MPI_Probe", INT, "mpi_error", RECEIVE[2:] + ((ARRAY, "status", "mpi_status"),), 1 << 3),
            ("mpi", "MPI_Waitall", INT, "mpi_error",
             ((INT, "count", "count"), (ARRAY, "array_of_requests", "requests"), (ARRAY, "array_of_statuses", "mpi_status")), 1 << 2),
            ("mpi", "MPI_Bcast", INT, "mpi_error", ROOTED),
            ("mpi", "MPI_Reduce", INT, "mpi_error", ROOTED),
            ("mpi", "MPI_Test", INT, "mpi_error", ((INT, "request", "request"), (INT, "flag", "flag"))),
            ("mpi", "MPI_Request_get_status", INT, "mpi_error", ((INT, "request", "request"), (INT, "flag", "flag"))),
            ("mpi", "MPI_Barrier", INT, "mpi_error", ((INT, "comm", "comm"),)),
            ("mpi", "MPI_Allreduce", INT, "mpi_error", ((INT, "count", "count"), (INT, "datatype", "datatype"), (INT, "comm", "comm"))),
            ("mpiio", "MPI_File_sync", INT, "mpi_error", (FH,)),
            ("mpiio", "MPI_File_read_at", INT, "mpi_error", TRANSFER, STATUS_IS_OUTPUT),
            ("mpiio", "MPI_File_write_at", INT, "mpi_error", TRANSFER, STATUS_IS_OUTPUT),
            ("mpiio", "MPI_File_write_at_all", INT, "mpi_error", TRANSFER, STATUS_IS_OUTPUT),
            ("hdf5", "H5Dwrite", INT, "herr", ()),
            ("user", "step", INT, "none", ()),
            ("user", "epoch", INT, "none", ((INT, "epoch", "int"),)),
            ("user", "batch", INT, "none", ((INT, "step", "int"),)),
            ("user", "batch.fetch", INT, "none", ((INT, "step", "int"),))]
    return {row[1]: Function(number, *row) for number, row in enumerate(rows, 1)}


FUNCTIONS = functions()


class Job:
    """Calls of a rank follow each other; `compute` lets time pass between them. Files are numbers, /data/0, /data/1 ..., and behind them a pipe. Behind the ranks come processes that
    rank 0 has started."""

    folder = b"/data"

    def __init__(self, ranks=1, length=1_000_000, files=1, children=0):
        self.ranks, self.length, self.files = ranks, length, files
        self.processes = ranks + children
        self.records = [[] for _ in range(self.processes)]
        self.now = [0] * self.processes
        self.starts = [0] * self.processes
        self.ends = [length] * self.processes
        self.clocks = {}  # of ranks on machines of their own: how far they may be off that of rank 0, in ns
        self.losses = {}
        self.settings = {}  # more metadata of each rank
        self.worlds = {}  # of processes in another world: its name, "" for that of no job, and the rank there
        self.chunk = 20000  # records of each

    def compute(self, rank, us):
        self.now[rank] += us

    def call(self, rank, name, us, *args, ret=0, err=0, below=()):
        """`below`: (name, us, args, ret) of calls inside."""
        begin = self.now[rank]
        at = begin
        for inner, inner_us, inner_args, inner_ret in below:
            self.add(rank, inner, at, at + inner_us, inner_args, inner_ret, 0, 1)
            at += inner_us
        self.add(rank, name, begin, begin + us, args, ret, err, 0)
        self.now[rank] = begin + us

    def add(self, rank, name, begin, end, args, ret, err, level):
        ticks = FIRST_TICK + 1000
        self.records[rank].append(Record(FUNCTIONS[name], ticks + int(begin * TICKS_PER_US), ticks + int(end * TICKS_PER_US),
                                         list(args), ret, err=err, level=level))

    # ---- what programs do ----

    def fd(self, file=0):
        return Pair(5 + file, file + 1)

    def pread(self, rank, us, count, offset, file=0):
        self.call(rank, "pread", us, self.fd(file), count, offset, ret=count)

    def pwrite(self, rank, us, count, offset, file=0):
        self.call(rank, "pwrite", us, self.fd(file), count, offset, ret=count)

    def open(self, rank, us=10, flags=2, file=0):
        self.call(rank, "open", us, self.folder + b"/%d" % file, flags, ret=self.fd(file))

    def close(self, rank, us=10, file=0):
        self.call(rank, "close", us, self.fd(file))

    def sync(self, rank, us=10, file=0):
        self.call(rank, "fsync", us, self.fd(file))

    def transfer(self, rank, name, us, count, offset, below=()):
        self.call(rank, name, us, Pair(1, 1), offset, count, CHAR, [0, 0, count, 0], below=below)

    def send(self, rank, dest, us, count, tag=0):
        self.call(rank, "MPI_Send", us, count, CHAR, dest, tag, WORLD)

    def receive(self, rank, source, us, count, tag=0, found=None):
        """`found`: source and tag, if these are open."""
        self.call(rank, "MPI_Recv", us, count, CHAR, source, tag, WORLD, self.status(source, tag, found, count))

    def status(self, source, tag, found, count=1):
        return [*(found or (source, tag)), count, 0]

    # ---- files ----

    def definitions(self, rank):
        world = struct.pack("<IIQiiiI", WORLD, 0, 7, rank, self.ranks, 0, 1) + string("MPI_COMM_WORLD")
        world += struct.pack("<IiiiI", 1, 0, self.ranks, 1, 0)
        return [function_definition(function) for function in FUNCTIONS.values()] + [
            file_definition(number + 1, self.folder + b"/%d" % number) for number in range(self.files)] + [
            file_definition(self.files + 1, b"pipe", mode=stat.S_IFIFO),
            definition(6, world), definition(7, struct.pack("<IIqq", CHAR, 0, 1, 1) + string("MPI_CHAR")),
            thread_definition(0, 5000 + rank, 1, FIRST_TICK, "main")]

    def save(self, where):
        os.makedirs(where)
        save_global(where, {"run.id": "sample", "format": "1.0", "created": REAL, "recorder.version": "0.1.0", "ranks": self.ranks})
        for rank in range(self.processes):
            self.now[rank] = max(self.now[rank], self.ends[rank] - 1)
            self.call(rank, "fstat", 1, self.fd())  # the last sign of life
            begin = FIRST_TICK + int(self.starts[rank] * TICKS_PER_US)
            anchor = dict(zip(("anchor.0.ticks", "anchor.0.mono", "anchor.0.real"), instant(begin)))
            if rank in self.clocks:
                anchor |= {"boot.id": f"machine-{rank}", "clock.reference": "machine-0", "clock.point.0.mono": 10 ** 9,
                           "clock.point.0.offset": 0, "clock.point.0.error": self.clocks[rank], "clock.point.1.mono": 10 ** 15,
                           "clock.point.1.offset": 0, "clock.point.1.error": self.clocks[rank]}
            number, size = rank if rank < self.ranks else 0, sum(one not in self.worlds for one in range(self.ranks))
            if rank in self.worlds:
                name, number = self.worlds[rank]
                anchor |= {"world": name} | ({} if name else {"rank.source": "none"})
                size = [world for world, _ in self.worlds.values()].count(name) if name else -1
            elif rank >= self.ranks:
                anchor |= {"main": 0, "parent.stream": 0x10}
            stream = StreamWriter(0x10 + rank, None, local(number, size, 4000 + rank, **{**anchor, **self.settings}))
            stream.defs(*self.definitions(rank), anchor=instant(begin))
            for first in range(0, len(self.records[rank]), self.chunk):
                stream.data(0, self.records[rank][first:first + self.chunk])
            if rank in self.losses:
                stream.lose(self.losses[rank], "no memory")
            last = FIRST_TICK + int(self.length * TICKS_PER_US)
            stream.finish(**dict(zip(("anchor.1.ticks", "anchor.1.mono", "anchor.1.real"), instant(last))))
            stream.save(where, f"rank-{rank}")
