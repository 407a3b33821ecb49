#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes traces from doc/format.md alone, for tests of readers.

    write_trace.py good DIR      a trace that has everything the page knows; prints what is in it

As a module: TraceWriter and StreamWriter put any trace together, chunk by chunk, also
false ones; good() is the sample that broken.py spoils. It shares no code with the decoder.
"""
import collections
import json
import os
import random
import stat
import struct
import sys
import zlib

from write_looped import looped, nested
from write_records import (  # noqa: F401 - some for those who write traces with this
    ARRAY, BAD, DOUBLE, INT, MASK, NULL, PAIR, STRING, Cut, Function, Pair, Record, bits, column,
    columns, padded, raw, string, svarint, uvarint, whole, word)
from write_signatures import signatures

DEFS, DATA, LOST, END, META, OPEN = 1, 2, 3, 4, 5, 6
FINAL, REPEATS = 1, 2
LEFT, NORETURN = 1, 2
LEVEL = 1  # as the recorder compresses: what it makes is taken apart when a trace is packed


# ---- files and chunks ------------------------------------------------------------------


def file_header(kind, identity, major=1, minor=0):
    head = b"\x93Record" + kind + struct.pack("<HHIQI", major, minor, 0, identity, 0)
    return head + struct.pack("<I", zlib.crc32(head))


def chunk(type_, body, count=0, encoding=0, flags=0, plain=None, thread=0, sequence=0,
          times=(0, 0, 0), anchor=(0, 0, 0), carried=0, lost=0):
    """A chunk with true checksums, whatever else it says."""
    head = struct.pack("<IBBHIIIIQQQQQqqIII", 0x4B484352, type_, encoding, flags, len(body),
                       len(body) if plain is None else plain, thread, count, sequence, *times,
                       *anchor, carried, lost, zlib.crc32(body))
    return head + struct.pack("<I", zlib.crc32(head)) + body


def definition(type_, payload, complete=0):
    return padded(struct.pack("<IHH", len(payload), type_, complete) + payload)


def relative_payload(payload, before):
    """What differs from the payload of the entry before of the same type."""
    parts, at = [], 0
    while at < len(payload):
        equal = at
        while equal < min(len(payload), len(before)) and payload[equal] == before[equal]:
            equal += 1
        other = equal
        while other < len(payload) and payload[other:other + 1] != before[other:other + 1]:
            other += 1
        parts.append(uvarint(equal - at))
        if other > equal + 4:
            parts += [uvarint(0), uvarint(other - equal), payload[equal:other]]
        elif other > equal:
            old = before[equal:other].ljust(other - equal, b"\0")
            parts += [uvarint(other - equal),
                      bytes((a - b) & 255 for a, b in zip(payload[equal:other], old))]
        at = other
    return b"".join(parts)


def relative(entries):
    """The plain body of a DEFS chunk of encoding 2."""
    parts, last = [uvarint(sum(map(len, entries)))], {}
    for entry in entries:
        size, type_, _ = struct.unpack_from("<IHH", entry)
        payload = entry[8:8 + size]
        parts += [uvarint(type_), uvarint(size), relative_payload(payload, last.get(type_, b""))]
        if type_ < 32:
            last[type_] = payload
    return b"".join(parts)


def function_definition(function):
    payload = struct.pack("<HBB", function.id, len(function.args), function.result)
    payload += string(function.layer) + string(function.name) + string(function.kind)
    for class_, name, kind in function.args:
        payload += bytes([class_]) + string(name) + string(kind)
    if function.outputs is not None:
        payload += struct.pack("<Q", function.outputs)
    return definition(1, payload)


def file_definition(number, path, older=False, mode=stat.S_IFREG):
    more = b"" if older else struct.pack("<II", 4096, 29) + string(b"raw")
    return definition(2, struct.pack("<IIQQQQ", number, mode, 64, 1000 + number, 0, 0xEF53) +
                      string(path) + more)


def thread_definition(index, tid, flags=0, start=0, name=""):
    return definition(3, struct.pack("<IIIIQ", index, tid, flags, 0, start) + string(name))


def module_definition(number, first, after, path):
    return definition(4, struct.pack("<IIQQQ", number, 0, first, after, 0) + string(path) +
                      string(b"\x00\x01\x02\xff"))


def stack_definition(number, frames, flags=0):
    """Frames are (module, flags, offset), innermost first."""
    return definition(9, struct.pack("<IHHI", number, len(frames), flags, 0) +
                      b"".join(struct.pack("<IIQ", *frame) for frame in frames))


def meta(entries, **more):
    body = b""
    for key, value in entries.items():
        type_ = 4 if isinstance(value, (str, bytes)) else 3 if isinstance(value, float) else (
            2 if value < 0 else 1)
        body += bytes([type_, 0]) + string(key)
        if type_ == 4:
            value = value.encode() if isinstance(value, str) else value
            body += struct.pack("<I", len(value)) + value
        else:
            body += struct.pack("<" + " Qqd"[type_], value)
    return chunk(META, body, count=len(entries), **more)


class StreamWriter:
    """One stream: `rec` and `lm` are the bytes of its files, `closed` those of segments before them,
    `expected` the records they hold."""

    def __init__(self, identity, clock, local):
        self.identity, self.clock = identity, clock
        self.rec, self.lm = file_header(b"S", identity), file_header(b"L", identity)
        self.lm += meta(local)
        self.index, self.expected = [], []
        self.next, self.base = {}, {}
        self.records = self.lost = 0
        self.closed = []        # (rec, lm)
        self.definitions = []   # arguments of add()
        self.turned = 0         # of `expected` are in closed ones
        self.closed_lost = 0

    def add(self, type_, body, **more):
        offset = len(self.rec)
        self.rec += chunk(type_, body, **more)
        times = more.get("times", (0, 0, 0))
        self.index.append((offset, times[1], times[2], more.get("count", 0),
                           more.get("thread", 0), type_))
        return offset

    def defs(self, *entries, encoding=0, **more):
        body = relative(entries) if encoding == 2 else b"".join(entries)
        more = {"count": len(entries), "encoding": encoding, "plain": len(body), **more}
        self.definitions.append((zlib.compress(body, LEVEL) if encoding else body, more))
        return self.add(DEFS, self.definitions[-1][0], **more)

    def data(self, thread, records, encoding=1, unit=1, phase=0, spoil=None, coding=None, **more):
        """A DATA chunk that goes on where the thread's chunk before it ended. `spoil` may change
        the parts of its body, and `more` what its header says. `coding`: of encodings 2 to 5."""
        sequence, base = self.next.get(thread, 0), self.base.get(thread, records[0].tstart)
        sequence += more.pop("skip", 0)
        if encoding == 0:
            unit, phase = 1, 0
            parts = {i: raw(record, sequence + i) for i, record in enumerate(records)}
            carried = sum(record.tstart < base for record in records)
        elif encoding == 2:
            parts, carried = signatures(records, base, unit, phase, **coding or {})
        elif encoding == 3:
            first = min(record.tstart for record in records)
            parts, carried = signatures(records, base, unit, phase,
                                        **{"marks": [first] if first >= base else [], **(coding or {})})
        elif encoding == 4:
            parts, carried = looped(records, base, unit, phase, **coding or {})
        elif encoding == 5:
            parts, carried = nested(records, base, unit, phase, **coding)
        else:
            parts, carried = columns(records, base, unit, phase)
        if spoil:
            spoil(parts)
        after = parts.pop("bits", b"")      # of encodings 2 and 3
        plain = b"".join(parts.values())
        body = more.pop("body", zlib.compress(plain, LEVEL) + after if encoding else plain)

        def decoded(ticks):
            return (ticks - phase) // unit * unit + phase

        times = (decoded(base), decoded(min(r.tstart for r in records)), decoded(records[-1].tend))
        repeats = REPEATS if any(record.repeat > 1 for record in records) else 0
        flags = more.pop("flags", 0) | more.pop("repeats", repeats)
        header = {"plain": len(plain), "flags": flags, "encoding": encoding, "thread": thread,
                  "times": times, "count": len(records), "sequence": sequence, "carried": carried,
                  **more}
        offset = self.add(DATA, body, **header)
        self.next[thread], self.base[thread] = sequence + len(records), records[-1].tend
        self.records += len(records)
        self.lost += more.get("lost", 0)
        for i, record in enumerate(records):
            site = record.site if encoding else (0, record.site[1])
            self.expected.append((thread, sequence + i, record, decoded(record.tstart),
                                  decoded(record.tend), site))
        return offset

    def lose(self, count, reason, thread=0):
        self.lost += count
        return self.add(LOST, struct.pack("<Q", count) + string(reason), count=1, thread=thread)

    def end(self, spoil=None):
        entries = list(self.index)
        parts = {"head": struct.pack("<QQII", self.records, self.lost, len(entries), 0),
                 "entries": b"".join(struct.pack("<QQQIIB7x", *entry) for entry in entries),
                 "tail": struct.pack("<Q", len(self.rec)) + b"RECINDEX"}
        if spoil:
            spoil(parts)
        body = b"".join(parts.values())
        return self.add(END, body, count=len(entries))

    def finish(self, spoil=None, **more):
        """The END chunk and the final metadata."""
        self.end(spoil)
        self.lm_end(**more)

    def counts(self):
        calls = collections.Counter()
        for _, _, record, _, _, _ in self.expected[self.turned:]:
            calls[record.function.id] += record.repeat
        said = " ".join(f"{number}={calls[number]}" for number in sorted(calls))
        return {"records": self.records, "lost": self.lost, "calls": said}

    def lm_end(self, **more):
        """The final metadata alone: nothing could be added to the .rec."""
        self.lm += meta({"end.reason": "exit", "end.status": 0, **self.counts(), **more}, flags=FINAL)

    def turn(self):
        """Closes the segment and goes on in the next one."""
        number = len(self.closed) + 1
        self.end()
        head = file_header(b"L", self.identity + (number << 32))
        self.closed.append((self.rec, head + self.lm[len(head):] +
                            meta({"segment": number, "segment.of": self.identity}) +
                            meta({"end.reason": "rotated", **self.counts()}, flags=FINAL)))
        self.lm += meta({"segment": number + 1})
        self.rec, self.index = self.rec[:len(head)], []
        for body, more in self.definitions:
            self.add(DEFS, body, **more)
        self.closed_lost += self.lost
        self.records, self.lost, self.turned = 0, 0, len(self.expected)

    def save(self, where, name):
        files = {f"{name}-s{number}": files for number, files in enumerate(self.closed, 1)}
        for segment, (rec, lm) in {**files, name: (self.rec, self.lm)}.items():
            for ending, data in (("lm", lm), ("rec", rec)):
                with open(os.path.join(where, f"{segment}.{ending}"), "wb") as file:
                    file.write(data)


def save_global(where, entries):
    with open(os.path.join(where, "recorder.gm"), "wb") as file:
        file.write(file_header(b"G", 0) + meta(entries))


# ---- a trace that has everything ---------------------------------------------------------

OPEN_FILE = Function(1, "posix", "open", PAIR, "fd", (
    (STRING, "path", "path"), (INT, "flags", "open_flags"), (INT, "mode", "mode")))
PWRITE = Function(2, "posix", "pwrite", INT, "bytes", (
    (PAIR, "fd", "fd"), (INT, "count", "bytes"), (INT, "offset", "offset")))
WAITALL = Function(300, "mpi", "MPI_Waitall", INT, "mpi_error", (
    (INT, "count", "count"), (ARRAY, "requests", "requests"), (ARRAY, "statuses", "mpi_status")), 4)
MARK = Function(7, "user", "mark", DOUBLE, "double", ((DOUBLE, "value", "double"),), 1)
EXIT = Function(9, "posix", "exit", INT, "none", ((INT, "status", "status"),))
FUNCTIONS = [OPEN_FILE, PWRITE, WAITALL, MARK, EXIT]

FIRST_TICK, TICKS_PER_US = 5_000_000_000, 2500
MONO, REAL = 77_000_000_000, 1_700_000_000_000_000_000


def instant(ticks):
    """An anchor at `ticks`, at least FIRST_TICK and a whole microsecond from it."""
    ns = (ticks - FIRST_TICK) * 1000 // TICKS_PER_US
    return ticks, MONO + ns, REAL + ns


MOUNTS = (b"21 29 0:20 / /proc rw,nosuid - proc proc rw\n"
          b"29 1 8:1 / /tmp\\040x rw,relatime shared:1 master:2 - ext4 /dev/sda1 rw,errors=continue\n")


def local(rank, size, pid, **more):
    entries = {"stream.name": f"rank-{rank}", "run.id": "sample", "pid": pid, "ppid": 1,
               "pid.start": 1, "image": 0, "parent.stream": 0, "host": "sample",
               "boot.id": "none-of-ours", "exe": "/bin/sample", "argv": b"sample\0-v", "rank": rank, "size": size,
               "rank.source": "MPI", "world": "job", "main": 1, "clock.kind": "tsc",
               "clock.granule": 1, "nobody.knows": -1.5}
    for name, value in zip(("ticks", "mono", "real"), instant(FIRST_TICK)):
        entries[f"anchor.0.{name}"] = value
    if rank == 0:
        entries |= {"mounts": MOUNTS, "main.begin": FIRST_TICK + 1_005_000, "main.end": FIRST_TICK + 1_030_000}
    return {**entries, **more}


def any_record(dice, now, thread):
    """A random call that begins at `now`."""
    end = now + dice.choice((0, 1, 20, 400, 5000))
    more = {"site": (1, dice.choice((0x10, 0x20, 0x4000))), "stack": dice.choice((0, 0, 3)),
            "repeat": dice.choice((1, 1, 1, 70000)), "level": dice.choice((0, 1, 130)),
            "flags": dice.choice((0, 0, 0, LEFT))}
    kind = dice.randrange(4)
    if kind == 0:
        path = dice.choice((b"/tmp/a", b"/tmp/a", b"", b"\xff\"\n\\", NULL, BAD,
                            Cut(b"x" * 4096, 9000, 0), b"part.%04d" % dice.randrange(40)))
        args = [path, dice.choice((0, 0o101)), 0o644][:dice.choice((2, 3))]
        failed = dice.random() < .3
        return Record(OPEN_FILE, now, end, args, Pair(-1, 0) if failed else Pair(5, 1),
                      err=2 if failed else 0, **more)
    if kind == 1:
        offset = dice.choice((0, -1, 1 << 62, 16))
        return Record(PWRITE, now, end, [Pair(5, 1), 8, offset], 8, **more)
    if kind == 2:
        first = dice.randrange(-9, 1 << 40)
        requests = dice.choice(([dice.randrange(-9, 1 << 40) for _ in range(dice.randrange(5))],
                                [first, first + 1, first + 5]))
        statuses = dice.choice((NULL, BAD, Cut([1, 2], 100, -5), [1, 2, 3, 4],
                                Cut([first, first + 1], 100, 100 * first - 5)))
        return Record(WAITALL, now, end, [len(requests), requests, statuses], 0, **more)
    value = dice.choice((0.0, -1.5, 1e300, float("inf")))
    return Record(MARK, now, end, [value], -value, **more)


def some_records(dice, now, count, thread):
    """Calls one after the other; returns them and the time after them."""
    records = []
    for _ in range(count):
        records.append(any_record(dice, now, thread))
        now = records[-1].tend + dice.randrange(3000)
    return records, now


def similar_records(dice, now, count):
    """Writes one behind the other, as a program's loop makes them."""
    records = []
    for i in range(count):
        now += dice.randrange(40, 150)
        end = now + dice.choice((90, 100, 110, 600, 1 << 35 if i == 50 else 120))
        records.append(Record(PWRITE, now, end, [Pair(5, 1), 4096, 4096 * i], 4096, site=(1, 0x10)))
        now = end
    return records, now


def nested_records(now, count):
    """Calls with calls inside, in 10 ticks and each like that before: what is made up of their sums
    is what they are. Returns when something begins in their midst, they, and the time after them."""
    records, now, began = [], now // 10 * 10 + 120, 0
    for i in range(count):
        for _ in range(2):
            now += 1050
            records.append(Record(PWRITE, now - 1000, now, [Pair(5, 1), 8, 16], 8, level=2))
        now += 50
        records.append(Record(OPEN_FILE, now - 2150, now, [b"/tmp/a", 0], Pair(5, 1), level=1))
        records.append(Record(MARK, now + 20, now + 300, [1.5], 0.0, level=1))
        now += 420
        began = now - 120 if i == count // 2 else began
    return began, records, now - 120


def enclosing(records, tstart, level=0):
    """A call that began at tstart and encloses the given ones, as the last of them."""
    return records + [Record(WAITALL, tstart, records[-1].tend + 50, [0, [], NULL], level=level)]


def good_stream(identity, rank, size, dice, turns=False):
    """Two threads, all encodings, carried records, a loss, an open call; `turns`: in several segments."""
    def may_turn():
        if turns and dice.random() < .4:
            stream.turn()

    stream = StreamWriter(identity, None, local(rank, size, 100 + rank))
    now = FIRST_TICK + 1_000_000 * (rank + 1)
    stream.defs(*map(function_definition, FUNCTIONS), file_definition(1, b"/tmp/a"),
                file_definition(2, b"/tmp/b", older=True), module_definition(1, 0x400000, 0x500000, "/bin/sample"), definition(200, b"later"),
                stack_definition(3, [(1, 0, 0x10), (1, 1, 0x20), (0, 0, 0x7000)], 1),
                thread_definition(0, 100 + rank, 1, now, "main"), anchor=instant(FIRST_TICK + 2500))
    began, later = now, now + 500
    records, now = some_records(dice, now, 50, 0)
    stream.data(0, records, unit=7, phase=3)
    records, now = some_records(dice, now, 30, 0)
    may_turn()
    stream.data(0, enclosing(records, began), unit=7, phase=3, lost=2)
    may_turn()
    later_began = now + 100
    records, now = some_records(dice, later_began, 50, 0)
    stream.data(0, records, encoding=2, unit=7, phase=3, coding={"own": rank + 2})
    records, now = similar_records(dice, now, dice.choice((150, 300)))
    stream.data(0, enclosing(records, later_began), encoding=2, unit=dice.choice((1, 10)))
    may_turn()
    began_before = later_began
    later_began, records, now = nested_records(now, 20)
    stream.data(0, enclosing(records, began_before), encoding=3, unit=10,
                coding={"marks": [later_began], "choose": lambda *_: 0})
    records, now = some_records(dice, now + 60, 4, 0)
    stream.data(0, enclosing(records, later_began), unit=7, phase=3)
    stream.defs(thread_definition(4, 900 + rank, 0, later, "helper"), encoding=1)
    stream.defs(*(file_definition(10 + i, b"/tmp/part.%d" % i) for i in range(5)),
                definition(200, b"later"), definition(200, b"later"),
                thread_definition(4, 900 + rank, 0, later, "helped"), encoding=2)
    records, later = some_records(dice, later, 40, 4)
    stream.data(4, records, encoding=0)
    may_turn()
    stream.add(77, b"of a later version")
    stream.lose(5, "no_ring", thread=8)
    records, now = some_records(dice, now + 100, 30, 0)
    stream.data(0, records, encoding=0)
    may_turn()
    began = later
    records, later = some_records(dice, later, 3, 4)
    stream.data(4, enclosing(records, began - 30), encoding=0, flags=FINAL)
    stream.data(0, [Record(EXIT, now, now, [0], flags=2)], unit=1,
                anchor=instant(FIRST_TICK + 2500 * 100_000))
    stream.add(OPEN, raw(Record(WAITALL, now, 0, [1, [3], NULL]), 0) +
               raw(Record(PWRITE, now, 0, [Pair(5, 1), 8, 0], level=1), 0), count=2, thread=4)
    stream.finish()
    return stream


def good(where, seed=1):
    """Writes the sample, two ranks; returns the streams by name. A third of the seeds make segments."""
    dice = random.Random(seed)
    os.makedirs(where, exist_ok=True)
    save_global(where, {"run.id": "sample", "format": "1.0", "created": REAL, "ranks": 2})
    streams = {}
    for rank in range(2):
        streams[f"rank-{rank}"] = good_stream(0x1234 + rank, rank, 2, dice, seed % 3 == 2)
        streams[f"rank-{rank}"].save(where, f"rank-{rank}")
    return streams


def points(dice, count):
    """Points of a machine's clock that drifts, some of them false."""
    entries, now, offset = {}, MONO - 10 ** 8, dice.choice((0, -1, 5 * 10 ** 9, -(10 ** 18)))
    for number in range(count):
        step = dice.choice((0, 1, 10 ** 3, 10 ** 6, 10 ** 8, 5 * 10 ** 9))
        now += step
        offset += dice.choice((0, step // 20000, -step // 20000, -2 * step))
        entries |= {f"clock.point.{number}.mono": now, f"clock.point.{number}.offset": offset,
                    f"clock.point.{number}.error": dice.choice((0, 800, (1 << 64) - 1))}
    return entries


def readings(dice, count):
    """Instants on all clocks of a machine: true ones, slewed ones, false ones, and what is none."""
    entries = {}
    for number in range(count):
        ticks, mono, real = instant(FIRST_TICK + dice.randrange(-10 ** 7, 2500 * 200_000))
        bound = dice.choice((0, 90, 300, 10 ** 6, 10 ** 6 + 1))
        mono += dice.choice((0, 0, 120, -140, 900, 40_000, 10 ** 9))
        boot = mono + dice.choice((0, 0, 50_000))
        value = f"{mono} {boot} {real + dice.choice((0, 0, 10 ** 12, -10 ** 12))} {ticks} {bound}"
        if dice.randrange(8) == 0:
            value = dice.choice(("", value + " 1", value + " ", "-" + value, value.replace(" ", "  "), "9" * 30 + value, "x"))
        entries[f"clock.reading.{number * 3}"] = value
    return entries


def machines(where, seed):
    """A rank on each of some machines, whose clocks lead to another's, in a circle, or nowhere."""
    dice, count = random.Random(seed), 24
    save_global(where, {"run.id": "sample", "format": "1.0", "created": REAL})
    for rank in range(count):
        reference = dice.choice((0, max(0, rank - 1), dice.randrange(count), "unknown"))
        if seed == 0:
            reference = max(0, rank - 1)
        more = points(dice, dice.choice((0, 1, 2, 2, 5))) if seed else points(dice, 2)
        if seed and dice.randrange(3):
            more |= readings(dice, dice.choice((1, 3, 12)))
        stream = StreamWriter(77 + rank, None, local(
            rank, count, 100 + rank, **{"boot.id": f"boot-{rank // 2 if seed % 2 else rank}",
                                        "clock.reference": f"boot-{reference}"}, **more))
        now = FIRST_TICK + 1_000_000 * (rank + 1)
        stream.defs(*map(function_definition, FUNCTIONS), file_definition(1, b"/tmp/a"),
                    thread_definition(0, 100 + rank, 1, now), anchor=instant(FIRST_TICK + 2500))
        stream.data(0, some_records(dice, now, 20, 0)[0], anchor=instant(FIRST_TICK + 2500 * 100_000))
        stream.finish()
        stream.save(where, f"rank-{rank}")


def plain_value(value):
    """A value as decode.py --records shows it."""
    if value in (NULL, BAD):
        return {"state": "NULL" if value == NULL else "unreadable"}
    if isinstance(value, Pair):
        return {"value": value.value, "id": value.id}
    if isinstance(value, (int, float)):
        return value
    stored, original, total = whole(value)
    if isinstance(stored, bytes):
        return {"text": stored.decode("utf-8", "surrogateescape"), "original": original}
    return {"elements": stored, "original": original, "sum": total}


def shown_args(record):
    """Its arguments as decode.py --records shows them: outputs of a call left or failed may be unset."""
    unreturned = record.err or record.flags & (LEFT | NORETURN)
    failed = record.function.kind == "mpi_error" and record.result
    for i, (parameter, value) in enumerate(zip(record.function.args, record.args)):
        output = ((record.function.outputs or 0) >> i & 1 and
                  (unreturned or failed and parameter[0] != INT))
        zero = value == NULL or isinstance(value, (int, float)) and not word(parameter[0], value)
        yield parameter[1], {"state": "unset"} if output and zero else plain_value(value)


def objects(name, stream):
    """The records of a stream as decode.py --records shows them."""
    def ns(ticks):
        return (ticks - FIRST_TICK) * 1000 // TICKS_PER_US

    for thread, sequence, record, tstart, tend, site in stream.expected:
        function = record.function
        yield {"stream": name, "thread": thread, "sequence": sequence, "tstart": ns(tstart),
               "tend": ns(tend), "level": record.level, "layer": function.layer,
               "function": function.name,
               "args": dict(shown_args(record)),
               "result": plain_value(record.result), "errno": record.err, "site": list(site),
               "flags": record.flags, "repeat": record.repeat, "stack": record.stack, "busy": ns(tend) - ns(tstart)}


def main():
    if len(sys.argv) != 3 or sys.argv[1] != "good":
        print(__doc__, file=sys.stderr)
        return 2
    for name, stream in good(sys.argv[2]).items():
        for record in objects(name, stream):
            print(json.dumps(record))
    return 0


if __name__ == "__main__":
    sys.exit(main())
