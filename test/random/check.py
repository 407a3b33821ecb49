#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds a trace of test/random/random against the journals that the program kept: check.py TRACE JOURNALS

Each thread's records must be its calls, in order: function, all arguments, result, errno, and for each descriptor device,
inode and a name of its file. Where calls moved bytes is derived from the trace alone, and must be where they did.
"""
import collections
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

import decode  # noqa: E402
from journal import File, Journals  # noqa: E402
from offsets import Call, Follower, Pair, Process, Streams  # noqa: E402

FORKS = {"fork": lambda call: call.result, "posix_spawn": lambda call: call.arguments["pid"]}


class Different(Exception):
    """The trace does not say what was done."""


class Taken:
    """A record with what its stream knows about it."""

    def __init__(self, stream, thread, record):
        self.stream, self.thread, self.record = stream, thread, record

    def pair(self, value):
        return Pair(value.value, self.stream.defs["FILE"].get(value.id))

    def value(self, value):
        if isinstance(value, decode.Pair):
            return self.pair(value)
        if isinstance(value, decode.Text):
            return value.bytes
        if isinstance(value, decode.Array):
            return list(value.elements)
        return value

    def call(self, process):
        record = self.record
        names = [parameter.name for parameter in record.function.args]
        arguments = dict(zip(names, map(self.value, record.args)))
        return Call(record.function.name, self.value(record.result), record.err, arguments, process,
                    self.stream.monotonic(record.tstart), self.stream.monotonic(record.tend))


class Check:
    def __init__(self, where, journals):
        self.journals = Journals(journals)
        self.taken = collections.defaultdict(list)  # by (pid, image, tid)
        self.trace = decode.Trace(where, self.take)
        total = self.trace.totals()
        if self.trace.problems or not total["complete"]:
            raise Different(f"the trace is not complete: {self.trace.problems}, {total}")

    def take(self, stream, thread, records):
        self.taken[stream, thread] += [Taken(stream, thread, record) for record in records]

    def by_thread(self):
        found = {}
        for (stream, thread), records in self.taken.items():
            tid = stream.defs["THREAD"][thread]["tid"]
            records.sort(key=lambda taken: (taken.record.tstart, taken.record.level))
            found[stream.number("pid"), stream.number("image"), tid] = records
        return found

    # ---- record by record ----

    def same_file(self, want, got, what):
        if want.fd != got.fd:
            raise Different(f"{what}: descriptor {got.fd}, not {want.fd}")
        if want.identity is None:
            if got.file is not None:
                raise Different(f"{what}: file {got.file}, there is none")
            return
        if got.file is None:
            raise Different(f"{what}: unknown, not {want.identity}")
        found = got.file["device"], got.file["inode"]
        if found != want.identity:
            raise Different(f"{what}: {found} {got.file['path']}, not {want.identity}")
        names = self.journals.names[want.identity]
        path = got.file["path"].removesuffix(b" (deleted)")
        if names and path not in {form for name in names for form in (bare(name), straight(name))}:
            raise Different(f"{what}: called {path}, not {names}")

    def same_value(self, want, got, what):
        if isinstance(want, File) and isinstance(got, Pair):
            self.same_file(want, got, what)
        elif isinstance(want, int) and isinstance(got, Pair):
            self.same_file(File(want, None), got, what)
        elif isinstance(want, bytes) and isinstance(got, bytes):
            if want.rstrip(b"\0") != got.rstrip(b"\0"):
                raise Different(f"{what}: {got}, not {want}")
        elif want != got:
            raise Different(f"{what}: {got}, not {want}")

    def same(self, line, taken):
        call, record = taken.call(None), taken.record
        if call.name != line.function:
            raise Different(f"{call.name} instead")
        if record.level or record.repeat != 1:
            raise Different(f"level {record.level}, repeat {record.repeat}")
        if record.function.result.kind == "errnum":
            line = line._replace(err=line.result)
        if call.err != line.err:
            raise Different(f"errno {call.err}")
        if line.result is not None:
            self.same_value(line.result, call.result, "result")
        for name, got in call.arguments.items():
            kind = next(p.kind for p in record.function.args if p.name == name)
            if name in line.arguments:
                self.same_value(line.arguments[name], got, name)
            elif kind != "pointer":
                raise Different(f"{name}={got} is not in the journal")

    def check_threads(self):
        threads = self.by_thread()
        wanted = {key: lines for key, lines in self.journals.threads.items() if lines}
        if set(threads) != set(wanted):
            raise Different(f"threads {sorted(set(threads) ^ set(wanted))} (pid, image, tid) are in one alone")
        for key, lines in wanted.items():
            records = threads[key]
            for number, line in enumerate(lines):
                try:
                    if number == len(records):
                        raise Different("is missing")
                    self.same(line, records[number])
                except Different as different:
                    near = [t.record for t in records[max(number - 1, 0):number + 2]]
                    raise Different(f"thread {key}, call {number}, {line.text}: {different}\n"
                                    f"in the trace around it: {near}") from None
            if len(records) > len(lines):
                raise Different(f"thread {key}: {records[len(lines)].record} was not made")
        return threads

    # ---- offsets ----

    def events(self, threads):
        """Everything in the order of time: what a call gives up at its start, what it does and gets at its end."""
        for key, records in threads.items():
            for line, taken in zip(self.journals.threads[key], records):
                call = taken.call(key[:2])
                yield call.start, 0, call, line
                yield call.end, 1, call, line

    def check_offsets(self, threads):
        follower = Follower()
        streams = Streams(follower)
        processes, forks, told = {}, {}, 0
        roots = {(s.number("pid"), s.number("image")): s for s in self.trace.streams}
        for time, phase, call, line in sorted(self.events(threads), key=lambda event: event[:2]):
            if call.process not in processes:
                processes[call.process] = self.inherited(call.process, processes, forks, roots)
            process = processes[call.process]
            process.began = True
            if phase == 0:
                if call.name in ("fork", "posix_spawn"):
                    child = forks[FORKS[call.name](call)] = process.copy(call.name == "posix_spawn")
                    process.forking.append(child)
                elif call.name == "execve":
                    forks[call.process] = process.copy(True)
                follower.before(process, call)
                continue
            if call.name in FORKS:
                process.forking.remove(forks[FORKS[call.name](call)])
            found = {} if call.err else follower.offsets(process, call)
            at = streams.follow(call)
            if at is not None:
                found["stream"] = at
            follower.after(process, call)
            for argument, (offset, _, certain) in line.offsets.items():
                got = found.get(argument)
                told += got is not None
                unknown = got is None and (argument == "stream" or not certain)
                if got != offset and not unknown:
                    raise Different(f"{call.process}: {line.text}: from the trace follows {argument} at {got}")
        return told

    def inherited(self, key, processes, forks, roots):
        pid, image = key
        if image and (pid, image - 1) in forks:
            return forks[pid, image - 1]
        if not image and pid in forks:
            return forks[pid]
        return Process(roots[key].meta["cwd"])


def straight(name):
    """As the recorder makes a path by its text, where it can; no folder of the tree is a link."""
    return os.path.normpath(name) if name[:1] == b"/" else name


def bare(name):
    """As the recorder names what has no path."""
    name = name.removesuffix(b" (deleted)")
    return name if name[:1] == b"/" or b":[" not in name or not name[name.index(b":[") + 2:-1].isdigit() else name[:name.index(b":[")]


def check(trace, journals):
    """Numbers of what was compared: calls, offsets, offsets that the trace tells."""
    c = Check(trace, journals)
    threads = c.check_threads()
    told = c.check_offsets(threads)
    lines = [line for lines in c.journals.threads.values() for line in lines]
    return len(lines), sum(len(line.offsets) for line in lines), told


def check_counts(trace, journals):
    """Where records stand for several calls: how many of each function each thread has made."""
    c = Check(trace, journals)
    found = {}
    for key, records in c.by_thread().items():
        found[key] = collections.Counter()
        for taken in records:
            found[key][taken.record.function.name] += taken.record.repeat
    wanted = {key: collections.Counter(line.function for line in lines)
              for key, lines in c.journals.threads.items() if lines}
    if found != wanted:
        raise Different(f"with runs: {found} calls, not {wanted}")


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        print("{} calls, {} offsets, {} of them told".format(*check(*sys.argv[1:])))
    except Different as different:
        print(different)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
