# SPDX-License-Identifier: MIT
"""What made each system call of a traced run: a recorded call, libc inside itself, the loader.

A call is explained by a record if it was made in the record's time, by its thread, and out of
the recorder's wrapper, as the stack shows. What no record explains gets its cause from the stack.
"""
import collections
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(TOP, "test"), os.path.join(TOP, "functions")]

import catalogue  # noqa: E402
import decode  # noqa: E402
from families import OF_FUNCTION, PASSING, family_of  # noqa: E402
from parts import NORETURN  # noqa: E402
from strace_log import borrowed, owner  # noqa: E402

# Their functions call others for each system call: they explain none by themselves.
ABOVE = frozenset(("mpi", "mpiio", "hdf5", "netcdf", "pnetcdf"))
INTERPRETER = "ld-linux.so"  # the kernel mapped it: without stacks the only such object
LOADER = re.compile(r"ld-linux.*\.so")
LIBC = re.compile(r"lib(c|m|pthread|dl|rt|resolv|util)[.-]")
RECORDER = re.compile(r"librecorder\.so")
# Wrappers in which the system call itself is made, for libc's function would not do
OF_WRAPPERS = frozenset("vfork _exit clone syscall _Fork".split())

RECORDED, INSIDE, NAMED, OURS, LOADED, UNEXPLAINED = range(6)


def names_of_wrappers():
    """{symbol: the name that it is recorded under}; None for what is left out on purpose"""
    folder = os.path.join(TOP, "functions")
    paths = [os.path.join(folder, file) for file in sorted(os.listdir(folder)) if file.endswith(".api")]
    names = dict.fromkeys(catalogue.read_untraced(paths))
    return names | {symbol: function.record_as or function.name
                    for function in catalogue.read_catalogue(paths) for symbol in function.symbols()}


class Records:
    """The records of a trace by thread, in the order of time."""

    def __init__(self, where):
        self.by_thread = collections.defaultdict(list)
        kept = []
        trace = decode.Trace(where, lambda *call: kept.append(call))
        if trace.problems or not trace.complete():
            raise SystemExit(f"coverage: {where} is not whole: {trace.problems}")
        for stream, thread, records in kept:
            tid = stream.defs["THREAD"][thread]["tid"]
            for record in records:
                if record.function.layer not in ABOVE:
                    self.by_thread[tid].append(Record(trace, stream, record))
        for records in self.by_thread.values():
            records.sort(key=lambda record: (record.begin, record.level))

    def __iter__(self):
        for records in self.by_thread.values():
            yield from records


class Record:
    def __init__(self, trace, stream, record):
        self.name, self.level = record.function.name, record.level
        self.begin = stream.time(record.tstart) + trace.zero
        self.end = stream.time(record.tend) + trace.zero
        self.noreturn = bool(record.flags & NORETURN)
        self.calls = 0      # of its family, made by it
        args = dict(zip((each.name for each in record.function.args), record.args))
        # mappings that strace shows no file of
        self.of_memory = self.name in ("munmap", "mremap") or self.name == "mmap" and args["fd"].value < 0


class Explained:
    """The calls of a log, each with how it is explained and by what."""

    def __init__(self, calls, where, work, wrappers):
        self.wrappers, self.records, self.work = wrappers, Records(where), work
        self.calls = [call for call in calls if family_of(call)]
        self.asked = collections.Counter(record.name for record in self.records)
        spans = borrowed(calls)
        by_owner = collections.defaultdict(list)
        ends = collections.defaultdict(list)
        for call in calls:
            if call.name == "exit_group" or call.name.startswith("execve") and call.result == "0":
                ends[owner(spans, call)].append(call.time)
        for call in self.calls:
            by_owner[owner(spans, call)].append(call)
        for tid, mine in by_owner.items():
            self.sweep(mine, self.records.by_thread.get(tid, ()), ends[tid])

    def sweep(self, calls, records, ends):
        """Gives each call of a thread the innermost record that it was made in."""
        for record in records:
            if record.noreturn:  # up to the end of its image
                record.end = min((time for time in ends if time >= record.begin), default=record.end)
        inside, at = [], 0
        for call in calls:
            while at < len(records) and records[at].begin <= call.time:
                inside.append(records[at])
                at += 1
            inside = [record for record in inside if record.end >= call.time]
            call.how, call.cause = self.explain(call, inside[-1] if inside else None)

    def explain(self, call, record):
        family = family_of(call)
        of_family = record and OF_FUNCTION.get(record.name) == family
        if call.name == "exit_group":  # strace shows no stack of it
            if record and record.noreturn:
                return self.recorded(record) if of_family else (INSIDE, record.name)
            return NAMED, "return from main"
        first, symbol = call.stack[0] if call.stack else (INTERPRETER, "")
        if LOADER.match(first):
            return LOADED, "the loader"
        if RECORDER.match(first):
            if of_family and (record.name in OF_WRAPPERS or record.noreturn):
                return self.recorded(record)
            return OURS, symbol
        outer = next((n for n, (name, _) in enumerate(call.stack) if not LIBC.match(name)), None)
        if record and (outer is None or RECORDER.match(call.stack[outer][0])):
            return self.recorded(record) if of_family else (INSIDE, record.name)
        if outer is not None and RECORDER.match(call.stack[outer][0]):
            wrapper = self.wrappers.get(call.stack[outer][1])
            return (UNEXPLAINED, f"{wrapper} is not recorded") if wrapper else (OURS, symbol)
        return self.unrecorded(call, outer)

    def recorded(self, record):
        record.calls += 1
        if record.calls == 1:
            return RECORDED, record.name
        if record.name in ("close_range", "closefrom"):
            return OURS, record.name  # the range has parts, before and behind the recorder's descriptor
        return INSIDE, record.name

    def unrecorded(self, call, outer):
        """No wrapper is below it: what did it, in libc or beside it."""
        if outer == 0:
            return NAMED, f"{plain(call.stack[0][0])} without libc"
        name = call.stack[outer - 1 if outer else -1][1]
        if not name and "TCGETS" in call.text:
            name = "isatty"
        if name in self.wrappers:
            recorded = self.wrappers[name]
            return (UNEXPLAINED, f"{recorded} called past the recorder") if recorded else (NAMED, name)
        asked = {"pread64": "aio_read", "pwrite64": "aio_write"}.get(call.name)
        if self.asked[asked]:  # libc's threads do it later
            self.asked[asked] -= 1
            return INSIDE, asked
        if self.is_data(call):
            return UNEXPLAINED, f"{name or call.name} is not recorded"
        return NAMED, name or "libc"

    def is_data(self, call):
        """Is it about a file of the program's own?"""
        if call.file.startswith("/"):
            return call.file.startswith(self.work + "/")
        return bool(call.file) and call.file not in PASSING

    def idle(self):
        """Records of functions that are a system call each, and made none."""
        return [record for record in self.records
                if record.name in OF_FUNCTION and not record.calls and not record.of_memory]


def plain(name):
    """The name of a library without its version"""
    return re.sub(r"(\.so)[-.\d]*$|-[\d.]+\.so$", r".so", name)
