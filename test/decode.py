#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The second reader of traces: written from doc/format.md alone, it shares nothing with libreader.

It reads everything, believes nothing and checks every statement that a trace makes about itself.
Where it and libreader differ, one of them or the page has a defect. Problems go to stderr, and
the exit status is 1 if there are any, 2 for wrong usage.
"""
import argparse
import collections
import errno
import hashlib
import json
import os
import re
import stat
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "format"))

from chunks import File, read_meta  # noqa: E402
from machines import make_machines  # noqa: E402
from nodes import Nodes  # noqa: E402
from packed import unpack  # noqa: E402
from parts import (  # noqa: E402
    LEFT, META, NORETURN, STREAM_NAME, Array, Damage, Pair, Refused, Text, text)
from segments import begin_late, by_process, in_order  # noqa: E402
from stream import Stream  # noqa: E402

# ---- the trace ---------------------------------------------------------------------------


class Trace:
    """A trace directory or a packed trace, read at once. `sink(stream, thread index, records)` gets
    the records."""

    def __init__(self, where, sink=None, live=True):
        self.where, self.sink, self.live = where, sink, live
        self.problems, self.notes = [], []  # damage; what this reader does not know
        self.meta, self.streams = {}, []
        if not os.path.isdir(where):
            self.unpacked = tempfile.TemporaryDirectory()
            unpack(where, self.unpacked.name, self.report)
            self.where = self.unpacked.name
        names, gm = self.listing()
        self.nodes = Nodes(self.where, names, self.report)
        if gm:
            self.read_global()
        elif not names and not self.nodes.files:
            raise Refused(f"{where}: not a trace")
        else:
            self.report("recorder.gm: not there")
        self.known = {}  # of each .rec by its bytes: the name of its stream, and its .lm
        for name, closed in sorted(by_process(names).items(), key=lambda group: (".lm" not in names[group[0]], group)):
            files = closed + [name]
            if not self.is_copy(name, *(b"".join(self.whole(one + ending, ending in names[one]) for one in files)
                                        for ending in (".lm", ".rec"))):
                self.read_stream(name, closed, names)
        for name in sorted(self.nodes.places):
            if not self.is_copy(name, *self.nodes.halves(name)):
                self.read_part(name)
        if not (self.meta or self.unbegun) and not any(
                stream.identity or stream.records or stream.meta for stream in self.streams):
            raise Refused(f"{where}: not a trace: nothing in it has the format")
        self.align()

    def report(self, what):
        self.problems.append(what)

    def whole(self, name, listed):
        try:
            with open(os.path.join(self.where, name) if listed else os.devnull, "rb") as file:
                return file.read()
        except OSError:
            return b""

    def is_copy(self, name, lm, rec):
        """Whether a stream with an identity was there already, under another name."""
        if len(rec) < 32 or not any(rec[16:24]):
            return False
        first, of_first = self.known.setdefault(hashlib.sha256(rec).digest(), (name, lm))
        if first == name or (lm and of_first and lm != of_first):
            return False
        self.report(f"{name}: a copy of stream {first}")
        return True

    def listing(self):
        """The streams of the directory, {name: endings}, and whether it has a recorder.gm."""
        names, gm = collections.defaultdict(set), False
        for entry in sorted(os.listdir(self.where)):
            base, dot, ending = entry.rpartition(".")
            ending = dot + ending
            if entry != "recorder.gm" and ending not in (".lm", ".rec"):
                continue
            if not stat.S_ISREG(os.lstat(os.path.join(self.where, entry)).st_mode):
                self.report(f"{entry}: not a regular file")
            elif entry == "recorder.gm":
                gm = True
            elif not base or base[0] == "." or len(base) > 200 or not set(base) <= STREAM_NAME:
                self.report(f"{entry}: not a name of a stream")
            else:
                names[base].add(ending)
        began = {base: endings for base, endings in names.items() if self.began(base, endings)}
        self.unbegun = len(names) - len(began)
        return began, gm

    def began(self, base, endings):
        """Not so if its process was killed while it made its first file."""
        sizes = [os.path.getsize(os.path.join(self.where, base + ending)) for ending in endings]
        return ".lm" not in endings or max(sizes) > 32

    def read_global(self):
        try:
            file = File(os.path.join(self.where, "recorder.gm"), b"G", self.report)
        except Damage as damage:
            self.report(str(damage))
            return
        for offset, header, body in file.chunks():
            if body is not None and header.type == META:
                read_meta(file, offset, header, body, self.meta)
        file.finish()

    def read_stream(self, name, closed, names):
        stream = Stream(self, name)
        self.streams.append(stream)
        self.read_half(name, ".lm", names, stream.read_local)
        if closed and "pid" not in stream.meta:
            stream.take_closed(os.path.join(self.where, name + ".rec"),
                               [os.path.join(self.where, one + ".lm") for one in reversed(closed)])
        stream.segments = len(closed) + 1
        stream.late = begin_late((closed + [name])[0], stream.number("segment", 0))
        stream.live.copy()
        for segment in closed:
            self.read_half(segment, ".lm", names, stream.read_closed)
        self.read_records(stream, [one for one in closed + [name] if ".rec" in names[one]])
        stream.live.read()
        stream.finish()

    def read_records(self, stream, names):
        newest, *closed = (os.path.join(self.where, name + ".rec") for name in [stream.name] + names)
        for path in in_order(closed, stream.identity) if len(closed) > 1 else closed:
            self.attempt(stream.read_stream, path, None, path != newest)

    def read_half(self, name, ending, names, read):
        if ending in names[name]:
            self.attempt(read, os.path.join(self.where, name + ending))
        elif ending == ".lm":
            self.report(f"{name}.lm: not there")

    def read_part(self, name):
        """A stream in the file of a node."""
        stream = Stream(self, name)
        stream.live_name = self.nodes.live_names[name]
        self.streams.append(stream)
        local, _ = self.nodes.halves(name)
        if local is None:
            self.report(f"{name}.lm: not there")
        else:
            self.attempt(stream.read_local, name + ".lm", local)
        stream.live.copy()
        _, records = self.nodes.halves(name, not stream.final)
        self.attempt(stream.read_stream, name + ".rec", records)
        stream.live.read()
        stream.finish()

    def attempt(self, read, path, *data):
        """Reads a file of a stream; one that is refused as a whole is a problem."""
        try:
            read(path, *data)
        except (Damage, Refused, OSError) as error:
            self.report(str(error))

    def align(self):
        """Numbers the worlds, finds time zero and each stream's distance from it."""
        for stream in self.streams:
            stream.finish_clock()
        self.machines = make_machines(self.streams)
        for stream in self.streams:
            stream.root = stream.machine.root()
        timed = [stream for stream in self.streams if stream.records]
        self.unverified = len({id(stream.root) for stream in timed}) > 1 or any(stream.unverified for stream in timed)
        zero = min((stream.machine.convert(stream.start()[0]) + stream.root.to_real
                    for stream in self.streams if any(stream.start())), default=0)
        worlds = {}
        for stream in self.streams:
            stream.offset = stream.root.to_real - zero
            begin = stream.machine.convert(stream.start()[0]) + stream.offset
            stream.begin = begin
            if stream.meta:
                name = stream.meta.get("world", b"")
                worlds[name] = min(worlds.get(name, begin), begin)
        order = sorted(worlds, key=lambda name: (not name, worlds[name], name))
        for stream in self.streams:
            stream.world = order.index(stream.meta.get("world", b"")) if stream.meta else 0
        self.zero = zero
        self.streams.sort(key=lambda s: (s.world, s.number("rank", -1), s.begin, s.name))
        for index, stream in enumerate(self.streams):
            stream.index = index

    def complete(self):
        """Every stream clean, nothing lost, nothing damaged, all ranks of each world and all streams told of there."""
        ranks = collections.defaultdict(set)
        for stream in self.streams:
            if stream.state != "clean" or stream.lost or stream.losses or stream.unreadable or stream.missing:
                return False
            if stream.number("main", 0):
                ranks[stream.world, stream.number("size", 0)].add(stream.number("rank", -1))
        told = self.meta.get("streams", 0) if self.meta else 0
        if self.problems or (isinstance(told, int) and told > sum(stream.segments for stream in self.streams)):
            return False
        return bool(self.meta) and all(size <= len(there) and set(range(size)) <= there
                                       for (_, size), there in ranks.items())

    def totals(self):
        streams = []
        for s in self.streams:
            streams.append({
                "name": s.name, "world": s.world, "rank": s.number("rank", -1),
                "main": bool(s.number("main", 0)), "pid": s.number("pid", 0), "state": s.state,
                "clean": s.state == "clean", "reason": s.word("end.reason"),
                "records": s.calls, "stored": s.records, "in_flight": len(s.in_flight()),
                "lost": s.lost, "unreadable": s.unreadable, "missing": s.missing,
                "duplicates": s.duplicates,
                "threads": {index: {"tid": s.defs["THREAD"].get(index, {}).get("tid", 0),
                                    "stored": thread.records, "lost": thread.lost}
                            for index, thread in sorted(s.threads.items())},
                "functions": names(s.functions),
            })
        total = {key: sum(stream[key] for stream in streams)
                 for key in ("records", "stored", "in_flight", "lost", "unreadable", "missing",
                             "duplicates")}
        functions = sum((s.functions for s in self.streams), collections.Counter())
        run = self.meta.get("run.id", b"")
        return {"run_id": text(run) if isinstance(run, bytes) else str(run),
                "complete": self.complete(),
                "running": any(s.state == "running" for s in self.streams),
                "unverified": self.unverified, **total, "functions": names(functions),
                "streams": streams, "problems": self.problems, "notes": self.notes}


def read_whole(where, sink=None):
    """A trace of which no record is lost or unreadable; the program ends where that is not so."""
    trace = Trace(where, sink)
    for problem in trace.problems + trace.notes:
        print(problem, file=sys.stderr)
    total = trace.totals()
    for key in ("lost", "missing", "unreadable", "in_flight"):
        if total[key]:
            sys.exit(f"{where}: {total[key]} records {key}")
    if trace.problems:
        sys.exit(f"{where} is damaged")
    return trace


def names(functions):
    return {f"{layer}.{name}": count for (layer, name), count in sorted(functions.items())}


# ---- text --------------------------------------------------------------------------------

ESCAPES = {34: '\\"', 92: "\\\\", 10: "\\n", 9: "\\t", 13: "\\r"}


def quote(data):
    return '"' + "".join(ESCAPES.get(c) or (chr(c) if 32 <= c < 127 else f"\\{c:03o}")
                         for c in data) + '"'


def plain(value):
    """A value by its class alone."""
    if isinstance(value, Text):
        cut = value.original - len(value.bytes)
        return quote(value.bytes) + (f"...{value.original}" if cut else "")
    if isinstance(value, Array):
        inside = ", ".join(map(str, value.elements))
        if value.original == len(value.elements):
            return f"[{inside}]"
        return f"[{inside}...{value.original} sum={value.sum}]"
    if isinstance(value, Pair):
        return f"{value.value}:{value.id}"
    if isinstance(value, float):
        return f"{value:.17g}"
    return str(value)


def seconds(ns):
    return f"{'-' if ns < 0 else ''}{abs(ns) // 10 ** 9}.{abs(ns) % 10 ** 9:09d}"


# Kinds whose PAIR names an OBJECT, with the values that have a name of their own.
HANDLES = {"hid": {-1: "H5I_INVALID_HID"}, "hspace": {-1: "H5I_INVALID_HID", 0: "H5S_ALL"},
           "hplist": {-1: "H5I_INVALID_HID", 0: "H5P_DEFAULT"}}
NUMBERED = {"ncid": {}, "varid": {-1: "NC_GLOBAL"}}
PLAIN = re.compile(r"[A-Za-z0-9_.:,+*/-]*")  # needs no quotes


class Printer:
    """Lines of records: rank tid tstart tend level layer function(args) = ret errno."""

    def __init__(self, trace, by_class, bare):
        self.trace, self.by_class, self.bare = trace, by_class, bare

    def value(self, stream, value, kind):
        if self.by_class or not isinstance(value, Pair):
            return plain(value)
        if kind in HANDLES:
            return self.handle(stream, value, kind)
        if kind in NUMBERED:
            return self.numbered(stream, value, kind)
        file = stream.defs["FILE"].get(value.id)
        if kind == "mapped":
            return quote(file["path"]) if file else "none" if value.value < 0 else "?"
        if file:
            return f"{value.value} {quote(file['path'])}"
        if kind == "fcntl_result":
            return str(value.value)
        return f"{value.value} ?" if value.value >= 0 else str(value.value)

    def words(self, stream, value, thing):
        """{kind="name", file="path"} of an object that lies in a file."""
        file = stream.defs["FILE"].get(thing["file"])
        path = quote(file["path"]) if file else "?"
        if not thing["name"] and file and value == 0:
            return f"{{file={path}}}"
        name = f"={quote(thing['name'])}" if thing["name"] else f"#{value}"
        return f"{{{text(thing['kind'])}{name}, file={path}}}"

    def handle(self, stream, value, kind):
        thing = stream.defs["OBJECT"].get(value.id)
        if value.id == 0:
            return "?" if value.value == -2 else HANDLES[kind].get(value.value, str(value.value))
        if not thing:
            return "?"
        if thing["file"]:
            return self.words(stream, value.value, thing)
        name = text(thing["name"])
        if not name:
            return f"{text(thing['kind'])}#{value.value}"
        return name if PLAIN.fullmatch(name) else quote(thing["name"])

    def numbered(self, stream, value, kind):
        thing = stream.defs["OBJECT"].get(value.id)
        number = NUMBERED[kind].get(value.value, str(value.value))
        if not thing:
            return number
        file = stream.defs["FILE"].get(thing["file"]) if kind != "varid" else None
        if file and thing["name"]:
            return f"{number} {self.words(stream, 0, thing)}"
        return f"{number} {quote(file['path'] if file else thing['name'])}"

    def outcome(self, stream, record, in_flight):
        if in_flight:
            return "? in_flight"
        if record.flags & LEFT:
            return "? left" + self.error(stream, record)
        if record.flags & NORETURN:
            return "?" + self.error(stream, record)
        return (self.value(stream, record.result, record.function.result.kind) +
                self.error(stream, record))

    def error(self, stream, record):
        if not record.err:
            return ""
        names = {} if self.by_class else stream.names_of("errnum", errno.errorcode)
        return f" {names.get(record.err, record.err)}"

    def line(self, stream, thread, record, in_flight=False):
        function = record.function
        args = ", ".join(f"{parameter.name}={self.value(stream, value, parameter.kind)}"
                         for parameter, value in zip(function.args, record.args))
        rank = str(stream.number("rank", -1))
        where = f"{stream.world}:{rank}" if stream.world else rank
        call = (f"{record.level} {function.layer} {function.name}({args}) = "
                f"{self.outcome(stream, record, in_flight)}")
        if record.repeat > 1 and not in_flight:
            call += f" repeat={record.repeat} busy={seconds(busy(stream, record))}"
        if self.bare:
            return f"{where} {call}"
        tid = stream.defs["THREAD"].get(thread, {}).get("tid", 0)
        tend = max(stream.latest, record.tstart) if in_flight else record.tend
        made_up = "~" if record.summed else ""
        return (f"{where} {tid} {made_up}{seconds(stream.time(record.tstart))} "
                f"{made_up}{seconds(stream.time(tend))} {call}")


def busy(stream, record):
    """ns in the calls that a record stands for."""
    return stream.time(record.tstart + record.busy) - stream.time(record.tstart)


def by_time(trace, kept):
    """Records, (stream, thread, record, in flight), in the order of time."""
    for stream in trace.streams:
        stream.latest = max((call.tstart for calls in stream.open.values() for call in calls), default=0)
    for stream, _, records in kept:
        stream.latest = max(stream.latest, max(record.tend for record in records))
    calls = [(s, t, r, False) for s, t, records in kept for r in records]
    calls += [(s, t, r, True) for s in trace.streams for t, r in s.in_flight()]
    calls.sort(key=lambda c: (c[0].time(c[2].tstart), c[0].world, c[0].number("rank", -1),
                              c[0].index, c[1], c[2].level, c[2].sequence))
    return calls


def as_object(stream, thread, record, in_flight):
    """A record for --records."""
    def value(v):
        if isinstance(v, Text):
            return {"text": text(v.bytes), "original": v.original}
        if isinstance(v, Array):
            return {"elements": v.elements, "original": v.original, "sum": v.sum}
        if isinstance(v, Pair):
            return {"value": v.value, "id": v.id}
        return v if isinstance(v, (int, float)) else {"state": v.word}

    function = record.function
    return {"stream": stream.name, "world": stream.world, "rank": stream.number("rank", -1),
            "thread": thread, "tid": stream.defs["THREAD"].get(thread, {}).get("tid", 0),
            "sequence": record.sequence, "tstart": stream.time(record.tstart),
            "tend": stream.time(record.tend), "mono": [stream.monotonic(record.tstart),
                                                       stream.monotonic(record.tend)],
            "level": record.level, "layer": function.layer, "function": function.name,
            "args": {p.name: value(v) for p, v in zip(function.args, record.args)},
            "result": value(record.result), "errno": record.err, "site": record.site,
            "flags": record.flags, "repeat": record.repeat, "stack": record.stack, "busy": busy(stream, record), "summed": record.summed,
            "phase": phase(stream, record, in_flight), "in_flight": in_flight}


def phase(stream, record, in_flight):
    """-1: called before main(), 1: after it."""
    after = record.tstart >= stream.number("main.end", 1 << 64)
    return after - (not in_flight and record.tend <= stream.number("main.begin", 0))


def print_records(trace, kept, options):
    printer = Printer(trace, options.plain, options.bare)
    for stream, thread, record, in_flight in by_time(trace, kept):
        if in_flight and not options.in_flight:
            continue
        if options.records:
            print(json.dumps(as_object(stream, thread, record, in_flight)))
        else:
            print(printer.line(stream, thread, record, in_flight))


def print_files(trace):
    """The files of each stream, with where they are mounted, as far as a stream of their machine tells."""
    for stream in trace.streams:
        for number, file in stream.defs["FILE"].items():
            tells = [s for s in [stream] + trace.streams if s.meta.get("mounts") and (
                s is stream or s.word("boot.id") and s.word("boot.id") == stream.word("boot.id"))]
            mounts = mount_table(tells[0].meta["mounts"]) if tells else {}
            line = {"stream": stream.name, "id": number, **file, "mounted": mounts.get(file["mount"], [])}
            print(json.dumps({key: value.hex() if isinstance(value, bytes) else value
                              for key, value in line.items()}))


def mount_table(text_):
    """{number: [directory, type, source]} of the text of /proc/self/mountinfo."""
    table = {}
    for line in text(text_).splitlines():
        before, dash, after = line.partition(" - ")
        words = [re.sub(r"\\([0-7]{3})", lambda m: chr(int(m[1], 8)), word)
                 for word in before.split(" ")[:5] + after.split(" ")[:2]]
        if dash and len(words) == 7:
            table.setdefault(int(words[0]), words[4:])
    return table


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("dir", help="trace directory")
    parser.add_argument("--text", action="store_true", help="one line a record, numbers raw")
    parser.add_argument("--plain", action="store_true", help="the same, every value by its class")
    parser.add_argument("--bare", action="store_true", help="leave out thread id and times")
    parser.add_argument("--records", action="store_true", help="one JSON object a record")
    parser.add_argument("--files", action="store_true", help="one JSON object a file")
    parser.add_argument("--json", action="store_true", help="totals (the default)")
    parser.add_argument("--in-flight", action="store_true", help="also calls in flight")
    parser.add_argument("--no-live", action="store_true", help="leave live files alone")
    options = parser.parse_args(words)
    sys.stdout.reconfigure(errors="surrogateescape")
    kept = []
    lines = options.text or options.plain or options.records

    try:
        trace = Trace(options.dir, (lambda *call: kept.append(call)) if lines else None,
                      not options.no_live)
    except (Refused, OSError) as error:
        print(f"decode.py: {error}", file=sys.stderr)
        return 1
    try:
        if lines:
            print_records(trace, kept, options)
        if options.files:
            print_files(trace)
        elif options.json or not lines:
            print(json.dumps(trace.totals(), indent=1))
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    for problem in trace.problems + trace.notes:
        print(f"decode.py: {problem}", file=sys.stderr)
    return 1 if trace.problems else 0


if __name__ == "__main__":
    sys.exit(main())
