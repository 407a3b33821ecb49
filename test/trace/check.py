#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds a trace against what its program said on stdout; reads it with the second reader.

    check.py threads N TRACE OUTPUT      of test/trace/threads N
    check.py bracket TRACE OUTPUT [KIND [TOLERANCE]]   of test/trace/bracket; by which clock, ns
    check.py signals TRACE OUTPUT        of test/trace/signals
    check.py prefix TRACE TIMES          reads it that often while test/trace/threads runs
    check.py counts TRACE DIR            prints "function file count" for calls on files in DIR
"""
import collections
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import decode  # noqa: E402


def fail(what):
    sys.exit(f"check.py: {what}")


def read(where, sink=None):
    """The trace, which must be whole, of a program that has ended."""
    trace = decode.read_whole(where, sink)
    if not trace.totals()["complete"]:
        fail("the trace is not complete")
    return trace


def said(path):
    """The numbers of each line that the program printed."""
    with open(path, encoding="ascii") as file:
        return [[int(word) for word in line.split()] for line in file]


class Offsets:
    """Takes the offsets of pwrite() by thread: each must be the next one."""

    def __init__(self):
        self.next = collections.Counter()

    def __call__(self, stream, thread, records):
        at = self.next[thread]
        for record in records:
            if record.function.name != "pwrite":
                continue
            fd, count, offset = record.args
            good = (offset, count, record.level, record.result, record.err, record.repeat)
            if good != (at, 0, 0, 0, 0, 1) or fd.value < 0:
                fail(f"record {record.sequence} of thread {thread}: {record}, wanted offset {at}")
            at += 1
        self.next[thread] = at


def check_threads(count, where, output):
    offsets = Offsets()
    trace = read(where, offsets)
    stream, = trace.streams
    found = {stream.defs["THREAD"][thread]["tid"]: n for thread, n in offsets.next.items() if n}
    wanted = {tid: int(count) for _, tid in said(output)}
    if found != wanted:
        fail(f"threads made {found}, not {wanted}")
    if stream.functions["posix", "pwrite"] != len(wanted) * int(count):
        fail("other sum")


def check_prefix(where, times):
    """Offsets gives up when one is missing or twice; and no problem may be reported."""
    before = collections.Counter()
    for _ in range(int(times)):
        offsets = Offsets()
        trace = decode.Trace(where, offsets)
        total = trace.totals()
        if trace.problems or total["lost"] or total["missing"] or total["unreadable"]:
            fail(f"{trace.problems}, {total['lost']} lost, {total['missing']} missing")
        if any(offsets.next[thread] < n for thread, n in before.items()):
            fail(f"first {dict(before)}, then {dict(offsets.next)}")
        before = offsets.next
        print(sum(before.values()), "records, running" if total["running"] else "records, ended")
        if not total["running"]:
            break


def check_bracket(where, output, kind=None, tolerance="0"):
    calls = collections.defaultdict(list)

    def take(stream, thread, records):
        calls[stream, thread] += [r for r in records if r.function.name == "pwrite"]

    trace = read(where, take)
    if kind and any(stream.meta["clock.kind"] != kind.encode() for stream in trace.streams):
        fail(f"the clock is {trace.streams[0].meta['clock.kind']}")
    by_tid = {stream.defs["THREAD"][thread]["tid"]: [stream.monotonic(t) for record in records
                                                      for t in (record.tstart, record.tend)]
              for (stream, thread), records in calls.items()}
    brackets = collections.defaultdict(list)
    for tid, before, after in said(output):
        brackets[tid].append((before, after))
    slack = []
    for tid, pairs in brackets.items():
        times = by_tid.get(tid, [])
        if len(times) != 2 * len(pairs):
            fail(f"{len(times) // 2} calls of thread {tid}, not {len(pairs)}")
        for i, (before, after) in enumerate(pairs):
            slack.append(min(times[2 * i] - before, after - times[2 * i + 1]))
    if not slack or min(slack) < -int(tolerance):
        fail(f"{sum(s < 0 for s in slack)} of {len(slack)} calls lie outside of their bracket, "
             f"one by {-min(slack, default=0)} ns")


def check_signals(where, output):
    """Every write of main program and handler is there once, whichever thread index it has."""
    offsets = collections.defaultdict(list)

    def take(stream, _, records):
        for record in records:
            if record.function.name == "pwrite":
                path = decode.text(stream.defs["FILE"][record.args[0].id]["path"])
                offsets[os.path.basename(path)].append(record.args[2])

    read(where, take)
    (main, handled), = said(output)
    for name, count in (("main", main), ("handler", handled)):
        if sorted(offsets[name]) != list(range(count)):
            fail(f"{len(offsets[name])} writes to {name}, {count} were made")


def print_counts(where, below):
    counts = collections.Counter()

    def take(stream, _, records):
        for record in records:
            for value in record.args:
                file = isinstance(value, decode.Pair) and stream.defs["FILE"].get(value.id)
                if file and file["path"].startswith(os.fsencode(below) + b"/"):
                    counts[record.function.name, os.path.basename(file["path"]).decode()] += 1
                    break

    read(where, take)
    for (function, name), count in sorted(counts.items()):
        print(function, name, count)


def main():
    checks = {"threads": check_threads, "bracket": check_bracket, "signals": check_signals,
              "prefix": check_prefix, "counts": print_counts}
    if len(sys.argv) < 4 or sys.argv[1] not in checks:
        print(__doc__, file=sys.stderr)
        return 2
    checks[sys.argv[1]](*sys.argv[2:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
