# SPDX-License-Identifier: MIT
"""Looks at clocks of traces.

    stamps.py contained BOUND COUNT <TEXT   so many calls of a library have their system call within them, give or take so many seconds
    stamps.py write DIR KIND                a trace of a process that recorded itself and of one that was recorded from outside, with readings of all clocks
"""
import decimal
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "format"), os.path.dirname(HERE)]

import write_trace as w  # noqa: E402

LINE = re.compile(r"\S+ (\d+) (\S+) (\S+) \d+ (posix|kernel) pwrite(?:64)?\(.*offset=(\d+)\) = 8")
SECOND = 10 ** 9


def check_contained(bound, count):
    calls = {"posix": {}, "kernel": {}}
    for line in sys.stdin:
        found = LINE.match(line)
        if found:
            tid, begin, end, layer, offset = found.groups()
            calls[layer][tid, offset] = decimal.Decimal(begin), decimal.Decimal(end)
    assert len(calls["posix"]) == len(calls["kernel"]) == count, {layer: len(of) for layer, of in calls.items()}
    worst = -min(min(begin - calls["posix"][key][0], calls["posix"][key][1] - end)
                 for key, (begin, end) in calls["kernel"].items())
    print(f"# system calls stand out of their calls by {worst * SECOND:.0f} ns at most, and may by {bound * SECOND:.0f}")
    assert worst <= bound


def readings(kind, ticks, mono, real):
    """Of ten seconds, one each: keys of the metadata."""
    entries = {}
    for second in range(11):
        now = [mono + second * SECOND, mono + second * SECOND, real + second * SECOND, ticks + second * 2_500_000_000, 80]
        if kind == "forward" and second > 4:
            now[2] += 3600 * SECOND
        if kind == "backward" and second > 4:
            now[2] -= 90 * SECOND
        if kind == "drift":         # 20 ppm fast for the first half, as much slow for the second one
            now[0] += min(second, 10 - second) * 20_000
            now[1], now[2] = now[0], now[0] + real - mono
        if kind == "asleep" and second > 4:
            now[1] += 7 * SECOND
            now[2] += 7 * SECOND
        if kind == "false":
            now[3] += 10 ** 12
        entries[f"clock.reading.{second}"] = " ".join(map(str, now)) + (" x" if kind == "damaged" else "")
    return {} if kind == "none" else entries


def save(where, name, identity, meta, anchors, call):
    """A stream with one call."""
    stream = w.StreamWriter(identity, None, meta)
    stream.defs(*map(w.function_definition, w.FUNCTIONS), w.file_definition(1, b"/tmp/a"),
                w.thread_definition(0, meta["pid"], 1, anchors[0][0]), anchor=anchors[0])
    stream.data(0, [w.Record(w.PWRITE, call, call, [w.Pair(5, 1), 4096, 0], 4096)], anchor=anchors[1])
    stream.finish()
    stream.save(where, name)


def write(where, kind):
    os.makedirs(where)
    w.save_global(where, {"run.id": "sample", "format": "1.0", "created": w.REAL})
    ticks, mono, real = w.instant(w.FIRST_TICK)
    save(where, "rank-0", 1, w.local(0, 1, 100), [w.instant(ticks), w.instant(ticks + 25 * SECOND)], ticks + 25 * SECOND // 2)
    meta = {"source": "system", "main": 0, "clock.kind": "monotonic", "anchor.0.ticks": mono, **readings(kind, ticks, mono, real)}
    save(where, "system.sample.101", 2, w.local(-1, 1, 101, **meta),
         [(mono, mono, real), (mono + 10 * SECOND, mono + 10 * SECOND, real + 10 * SECOND)], mono + 5 * SECOND)


if sys.argv[1] == "contained":
    check_contained(decimal.Decimal(sys.argv[2]), int(sys.argv[3]))
else:
    write(sys.argv[2], sys.argv[3])
