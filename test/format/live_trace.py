# SPDX-License-Identifier: MIT
"""Traces of processes that were killed: what lies in their live files (doc/format.md, 9), and
streams with definitions of every type."""
import os
import re
import struct

from write_signatures import ADD, ASIDE, CONSTANT, EQUAL, RELATIVE
from write_trace import (
    FIRST_TICK, FUNCTIONS, MONO, OPEN, OPEN_FILE, PWRITE, REAL, WAITALL, Cut, Function, Pair, Record, StreamWriter,
    definition, file_definition, file_header, function_definition, instant, local, meta,
    module_definition, padded, raw, string, thread_definition)

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = os.path.join(HERE, "..", "..", "lib", "format", "kinds.h")
IDENTITY = 0xABCD
AREA = 4096             # bytes of the definitions arena
OPEN_SIZE, DATA_SIZE = 512, 2048


def comm_definition(number, parent, kind, local_ranks=((0, 2, 1),), remote=(), name="world"):
    payload = struct.pack("<IIQiiiI", number, parent, 77, 0, 2, 0, kind) + string(name)
    for ranks in (local_ranks, remote):
        payload += struct.pack("<I", len(ranks))
        payload += b"".join(struct.pack("<iii", *group) for group in ranks)
    return definition(6, payload)


def all_definitions():
    """One or more of each type."""
    return [
        *map(function_definition, FUNCTIONS), file_definition(1, b"/tmp/a"),
        file_definition(2, b"/etc/\xff"), thread_definition(0, 100, 1, FIRST_TICK, "main"),
        module_definition(1, 0x400000, 0x500000, "/bin/sample"),
        definition(5, struct.pack("<I", 3) + string("datatype") + string("MPI_INT")),
        comm_definition(1, 0, 1), comm_definition(2, 1, 4, name="half"),
        comm_definition(3, 2, 12, remote=((4, 2, 2),), name="inter"),
        definition(7, struct.pack("<IIqq", 3, 0, 4, 4) + string("MPI_INT")),
        definition(8, struct.pack("<I", 9) + string("text")),
        definition(9, struct.pack("<IHHI", 3, 1, 0, 0) + struct.pack("<IIQ", 1, 0, 0x40)),
        definition(10, struct.pack("<IIII", 4, 1, 1, 2) + string("/tmp/a")),
        definition(11, struct.pack("<II", 1, 1) + string("dataset") + string("/x")),
        definition(12, struct.pack("<IIIiq", 1, 1, 1, 4, 64)),
        definition(13, struct.pack("<IIQ", 0xFFFFFFFF, 1, FIRST_TICK)),
    ]


def calls(count, first=0):
    now = FIRST_TICK + 100_000 + first * 1000
    made = [Record(PWRITE, now + 1000 * i, now + 1000 * i + 500, [Pair(5, 1), 8, 8 * i], 8,
                   site=(1, 64)) for i in range(count)]
    if count > 2:
        made[1] = Record(OPEN_FILE, now + 1000, now + 1400, [b"/tmp/a", 2], Pair(5, 1))
        made[2] = Record(WAITALL, now + 2000, now + 2400, [1, [7], [1]], 0)
    return made


def enough_to_pack(first):
    """Records whose idle times and durations are packed, and one that is carried, with a string."""
    now = FIRST_TICK + 100_000 + first * 1000
    made = [Record(PWRITE, now + 100 * i, now + 100 * i + 40 + i % 5, [Pair(5, 1), 8, 8 * i], 8,
                   site=(1, 64)) for i in range(132)]
    return made + [Record(OPEN_FILE, now - 900, made[-1].tend + 50, [b"/tmp/9", 2], Pair(5, 1))]


def in_a_loop(first):
    """A call with another one inside, and one behind it, twenty times: numbers grow, fall, and are those of pairs."""
    made, now = [], FIRST_TICK + 100_000 + first * 1000
    for i in range(20):
        now += 100 + i
        inner = Record(PWRITE, now + 10, now + 40, [Pair(5 + i, 1), 8, 4096 * i], 8 - i, site=(1, 64), level=1)
        outer = Record(OPEN_FILE, now, now + 50, [b"/tmp/a", 2], Pair(5, 1 + i))
        made += [inner, outer, Record(PWRITE, now + 60, now + 300, [Pair(5, 1), 8, -i], 8, site=(1, 96))]
    return made


def each_operation(_, field):
    """Signatures that use all of them, and are few."""
    return {2: ASIDE, 3: RELATIVE, 6: EQUAL, 7: ADD}.get(field, CONSTANT)


def small(rank=0, size=1, segments=False):
    """A stream that has everything in few records: all encodings, times in units, carried
    records, a loss, a repeated record. `segments`: in three of them."""
    stream = StreamWriter(IDENTITY + rank, None, local(rank, size, 100 + rank))
    stream.defs(*all_definitions()[:7], thread_definition(4, 104, 0, FIRST_TICK, "helper"),
                anchor=instant(FIRST_TICK + 2500))
    began = calls(1)[0].tstart
    stream.data(0, calls(5), unit=7, phase=3)
    more = calls(3, 10)
    more.append(Record(WAITALL, began, more[-1].tend + 50, [0, [], []], level=1))
    if segments:
        stream.turn()
    stream.data(0, more, unit=7, phase=3, lost=2)
    stream.data(0, enough_to_pack(20), encoding=2, unit=7, phase=3,
                coding={"own": 2, "choose": each_operation})
    stream.data(0, in_a_loop(200), encoding=4, unit=7, phase=3, coding={"period": 3})
    if segments:
        stream.turn()
    stream.lose(5, "no_ring", thread=8)
    repeated = calls(4, 40)
    repeated[3].repeat = 9
    stream.data(4, repeated, encoding=0)
    stream.add(OPEN, raw(Record(PWRITE, FIRST_TICK + 900_000, 0, [Pair(5, 1), 8, 0]), 0), count=1,
               thread=4)
    stream.finish()
    return stream


def kinds():
    """A .rec with a call for each kind of lib/format/kinds.h, of the class that the kind has, with
    small, large and negative values."""
    classes = {"INT": 1, "PAIR": 2, "DOUBLE": 3, "STRING": 4, "ARRAY": 5}
    with open(KINDS, encoding="utf-8") as file:
        known = [(name, classes[word]) for name, word in
                 re.findall(r"KIND\((\w+), (\w+),", file.read()) if word in classes]
    samples = {1: (0, 1, 2, 0o1102, -1, -100, 1 << 40),
               2: (Pair(-1, 0), Pair(5, 1), Pair(3, 2), Pair(0, 99), Pair(-100, 3)),
               3: (0.0, -1.5, float("nan"), 1e300),
               4: (b"/tmp/a", b"a\0\xff\n", Cut(b"x", 9, 0), "NULL", "BAD"),
               5: ([], [1, -1, 5], Cut([7], 3, 21), "NULL", "BAD")}
    stream = StreamWriter(IDENTITY, None, {})
    stream.defs(*all_definitions())
    functions = [Function(1000 + i, "test", f"f_{name}", class_ if class_ < 4 else 1,
                          name if class_ < 4 else "none", ((class_, "value", name),))
                 for i, (name, class_) in enumerate(known)]
    stream.defs(*map(function_definition, functions))
    now, made = FIRST_TICK, []
    for function in functions:
        class_ = function.args[0][0]
        for value in samples[class_]:
            now += 10
            made.append(Record(function, now, now + 5, [value], value if class_ < 4 else 0,
                               err=2 if value == samples[class_][0] else 0))
    stream.data(0, made)
    return stream.rec


def definitions():
    """A .rec with all definitions, stored, deflated and relative to each other."""
    stream = StreamWriter(IDENTITY, None, {})
    stream.defs(*all_definitions())
    stream.defs(*all_definitions()[:3], encoding=1)
    stream.defs(*all_definitions()[5:7], *all_definitions()[5:7], encoding=2)
    stream.data(0, calls(4))
    stream.end()
    return stream.rec


def arena(entries, identity=IDENTITY, flushed=0, size=AREA, lost=0, directory="trace", name="a"):
    """STREAM.defs; the entries begin at `flushed`."""
    area = bytearray(size)
    head = flushed
    for entry in entries:
        entry = entry[:6] + b"\1\0" + entry[8:]     # complete
        at = head % size
        if at + len(entry) > size:
            area[at:] = padded(struct.pack("<IHH", size - at - 8, 0, 1) + bytes(size - at - 8))
            head += size - at
        area[head % size:head % size + len(entry)] = entry
        head += len(entry)
    page = struct.pack("<8sQIIQQQQqqQQQII", b"RecDefs1", identity, 100, size, 1, head, flushed,
                       FIRST_TICK, MONO, REAL, lost, 0, 0, 2, 0) + string("none-of-ours")
    page = page.ljust(256, b"\0") + string(directory)
    page = page.ljust(3328, b"\0") + string(name)
    return page.ljust(4096, b"\0") + bytes(area)


def ring(records, thread=0, first=0, open_calls=(), identity=IDENTITY, lost=0, run=(0, 0, 0, 0), in_place=None,
         **fields):
    """STREAM.N.ring. `run`: where its last record stands if that is a run, tend and busy of an even and of an odd repeat.
    `in_place`: a call in flight behind its records."""
    data = b"".join(raw(record, first + i) for i, record in enumerate(records))
    stack = b"".join(raw(record, 0) for record in open_calls)
    values = {"thread": thread, "tid": 100 + thread, "open_offset": 4096, "open_size": OPEN_SIZE,
              "data_offset": 4096 + OPEN_SIZE, "data_size": DATA_SIZE, "t_base": FIRST_TICK,
              "first": first, "lost": lost, "published": 7 << 32 | len(data),
              "open_top": len(stack), **fields}
    page = struct.pack("<8sQIIIIIIQQQQQ", b"RecRing1", identity, *values.values())
    mark = values["published"] + 1 if in_place else 0
    page += struct.pack("<IIQQQQIIQ", 0, 0, *run, 0, 0, mark)
    data += raw(in_place, first + len(records)) if in_place else b""
    return (page.ljust(4096, b"\0") + stack.ljust(OPEN_SIZE, b"\0") + data.ljust(DATA_SIZE, b"\0"))


def local_meta(rank=0, size=1, live="live", **more):
    pid = more.pop("pid", 100)
    return file_header(b"L", IDENTITY) + meta(local(rank, size, pid, **{"live.dir": live, **more}))


def files(live="live"):
    """The files of a process killed with records in two rings and a call in flight."""
    stream = StreamWriter(IDENTITY, None, {})
    stream.defs(*all_definitions()[:6], anchor=instant(FIRST_TICK + 2500))
    stream.data(0, calls(4))
    later = calls(5, 10)
    later[-1].repeat = 3
    waiting = Record(WAITALL, FIRST_TICK + 300_000, 0, [0, [], []])
    return {
        "trace/recorder.gm": file_header(b"G", 0) + meta({"run.id": "killed", "format": "1.0"}),
        "trace/a.lm": local_meta(live=live),
        "trace/a.rec": stream.rec,
        "live/a.defs": arena(all_definitions()[6:], lost=3),
        "live/a.0.ring": ring(later, first=4, open_calls=[waiting], t_base=calls(4)[-1].tend,
                              run=(0, 0, later[-1].tend + 900, 700)),
        "live/a.1.ring": ring(calls(3, 30), thread=2, lost=1),
    }


def write(top, changed=None):
    """Writes them below `top`, some with other contents (None: not at all); gives the trace."""
    all_files = files(live=os.path.join(top, "live"))
    for name, change in (changed or {}).items():
        all_files[name] = change(all_files[name]) if callable(change) else change
    for folder in ("trace", "live"):
        os.makedirs(os.path.join(top, folder), exist_ok=True)
    for name, data in all_files.items():
        if data is not None:
            with open(os.path.join(top, name), "wb") as file:
                file.write(data)
    return os.path.join(top, "trace")
