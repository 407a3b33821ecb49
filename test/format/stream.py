# SPDX-License-Identifier: MIT
"""A stream: what one process image recorded (doc/format.md, 4 and 6 to 8)."""
import collections
import re

import relative
from chunks import File, header_at, read_meta
from data import LAST_ENCODING, data_records
from live_files import LiveFiles
from machines import rising
from parts import (DATA, DEFINITIONS, DEFS, END, FINAL, LOOPS, LOST, META, NAMES, OPEN, REPEATS, U64, Buffer, Damage, Refused,
                   inflate, limited, text, used_up)
from records import outermost_first, raw_records, unset_outputs, without_busy



class Thread:
    """What is known of a thread while its chunks are read."""

    def __init__(self):
        self.next = 0       # sequence number that follows the last record
        self.begun = False  # a chunk or ring of it was seen
        self.tend = None    # of the last record, ticks
        self.unit = 1       # to which it is rounded
        self.tstart = 0     # largest so far, ticks
        self.last = None    # level and tstart of the last record; tend if it is a run, else 0
        self.excused = 0    # lost, as LOST chunks say, since the last chunk
        self.damaged = []   # (sequence, count) of damaged chunks
        self.records = 0
        self.lost = 0
        self.final = False


class Stream:
    """One process image: STREAM.lm and STREAM.rec, and what it closed before; its live files."""

    def __init__(self, trace, name):
        self.trace, self.name, self.report = trace, name, trace.report
        self.live_name = name
        self.live = LiveFiles(self)
        self.identity = None
        self.meta, self.final = {}, False
        self.whole = False  # there is an .lm, and nothing of it is damaged
        self.ended = None   # records before the END of the newest .rec
        self.segments = 1   # pairs of files
        self.closed = []    # metadata of segments that were closed
        self.late = False   # what was recorded first is not here
        self.defs = {kind: {} for kind in NAMES.values()}
        self.threads = collections.defaultdict(Thread)
        self.functions = collections.Counter()
        self.anchors = set()
        self.losses = collections.Counter()
        self.records = self.calls = self.lost = 0
        self.before = 0, 0  # records and losses before the file that is read
        self.unreadable = self.missing = self.duplicates = 0
        self.open = {}      # calls in flight by thread index
        self.world = 0
        self.state = "died"
        self.said = set()

    def say_once(self, what):
        if what not in self.said:
            self.said.add(what)
            self.trace.notes.append(f"{self.name}: {what}")

    def number(self, key, default=None):
        value = self.meta.get(key)
        return value if isinstance(value, int) else default

    def word(self, key):
        value = self.meta.get(key, b"")
        return text(value) if isinstance(value, bytes) else str(value)

    def names_of(self, kind, usual):
        """Names by value: the usual ones, but for those that differ on the stream's machine."""
        own = dict(word.split("=", 1) for word in self.word("symbols." + kind).split())
        names = {value: name for value, name in usual.items() if name not in own}
        return names | {int(value): name for name, value in own.items()}

    # metadata, section 8

    def read_local(self, path, data=None):
        file = File(path, b"L", self.report, data)
        for offset, header, body in file.chunks():
            if body is None or header.type != META:
                continue
            self.final |= read_meta(file, offset, header, body, self.meta)
        self.whole = file.whole
        self.identity = self.number("segment.of", file.identity)
        self.note_process()
        file.finish(self.state == "running")

    def note_process(self):
        """What metadata say of clock and life."""
        for i in (0, 1):
            anchor = [self.number(f"anchor.{i}.{clock}") for clock in ("ticks", "mono", "real")]
            if None not in anchor:
                self.add_anchor(*anchor)
        if not self.final and self.process_runs():
            self.state = "running"

    def take_closed(self, newest, closed):
        """Who the process is, from the LMs of closed segments, the last one first, where that of the newest does not tell.
        `newest`: path of its .rec."""
        if not self.identity:
            self.identity = readable(newest, b"S")[0]
        for path in closed:
            identity, begin = readable(path, b"L")
            if "pid" not in self.meta and identity and (not self.identity or self.identity == identity):
                self.identity = identity
                self.meta = begin | self.meta
        self.note_process()

    def read_closed(self, path):
        """Of the LM of a segment only what is counted in it is its own."""
        file = File(path, b"L", self.report)
        meta, final = {}, False
        for offset, header, body in file.chunks():
            if body is not None and header.type == META:
                final |= read_meta(file, offset, header, body, meta)
        file.finish()
        number = meta.get("segment", 0)
        if final and self.identity not in (None, meta.get("segment.of", file.identity)):
            file.problem(16, f"stream identity of {meta.get('segment.of', file.identity):#x}, in the newest .lm {self.identity:#x}")
        elif final and number in [one.get("segment", 0) for one in self.closed + [self.meta] * self.final]:
            file.problem(0, f"segment {number} was counted already")
        elif final:
            self.closed.append(meta)

    def counted(self, key):
        """What the LMs of all segments count together."""
        return sum(meta.get(key, 0) for meta in self.closed + [self.meta])

    def add_anchor(self, ticks, mono, real):
        if ticks:
            self.anchors.add((ticks, mono, real))

    # chunks

    def read_stream(self, path, data=None, closed=False):
        file = File(path, b"S", self.report, data)
        if self.identity is None:
            self.identity = file.identity
        elif file.identity not in (None, self.identity):
            file.problem(16, f"stream identity {file.identity:#x}, in its .lm {self.identity:#x}")
            if closed:
                return  # ids in it stand for other things
        self.before = self.records, self.lost
        self.ended = None
        for offset, header, body in file.chunks():
            try:
                self.read_chunk(file, offset, header, body)
            except Damage as damage:
                file.problem(offset, damage)
                if header.type == DATA:
                    self.threads[header.thread].damaged.append((header.sequence, header.count))
        file.finish(self.state == "running")

    def read_chunk(self, file, offset, header, body):
        if body is None:
            if header.type == DATA:
                self.threads[header.thread].damaged.append((header.sequence, header.count))
            return
        if header.type != DATA or header.encoding == 0:
            deflated = header.type == DEFS and header.encoding
            if header.plain_size != header.body_size and not deflated:
                raise Damage(f"plain size {header.plain_size} of {header.body_size} bytes")
        self.add_anchor(header.ticks, header.mono, header.real)
        if header.type == DEFS:
            self.read_defs(header, body)
        elif header.type == DATA:
            self.read_data(file, offset, header, body)
        elif header.type == LOST:
            self.read_lost(header, body)
        elif header.type == END:
            self.read_end(file, offset, header, body)
            self.ended = self.records
        elif header.type == OPEN:
            self.read_open(header, body)
        elif header.type != META:
            self.say_once(f"chunks of type {header.type} are not known")

    def read_defs(self, header, body):
        if header.encoding > 2:
            self.say_once(f"DEFS chunks of encoding {header.encoding} are not known")
            return
        plain = inflate(body, header.plain_size) if header.encoding else body
        b = Buffer(relative.entries(plain) if header.encoding == 2 else plain)
        count = 0
        while b.left():
            size, type_, _ = b.unpack("IHH")
            payload = b.take(size)
            b.take(-size % 8)
            self.define(type_, payload)
            count += 1
        if count != header.count:
            raise Damage(f"{count} definitions instead of {header.count}")

    def define(self, type_, payload):
        if type_ == 0:
            return
        if type_ not in DEFINITIONS:
            self.say_once(f"definitions of type {type_} are not known")
            return
        key, value = DEFINITIONS[type_](Buffer(payload))
        table = self.defs[NAMES[type_]]
        if type_ == 1 and key in table and shape(table[key]) != shape(value):
            raise Damage(f"function {value.name} is defined again with other classes")
        table[key] = value

    def read_lost(self, header, body):
        b = Buffer(body)
        for _ in range(header.count):
            lost = b.one("Q")
            self.losses[text(b.str())] += lost
            self.lost += lost
            self.threads[header.thread].excused += lost
        used_up(b, None)

    def read_end(self, file, offset, header, body):
        b = Buffer(body)
        records, lost, entries, _ = b.unpack("QQII")
        for _ in range(limited(b, entries, 40)):
            where, t_min, t_max, count, thread, type_ = b.unpack("QQQIIB7x")
            other = header_at(file.data, where)
            if not other or (other.t_min, other.t_max, other.count, other.thread, other.type) != (
                    t_min, t_max, count, thread, type_):
                raise Damage(f"index entry for offset {where} is not true")
        place, magic = b.unpack("Q8s")
        used_up(b, None)
        if place not in (0, offset) or magic != b"RECINDEX" or entries != header.count:
            raise Damage("end of the index is not true")
        # Other threads may have written what END does not count yet.
        torn = any(thread.damaged for thread in self.threads.values())
        here, told = self.records - self.before[0], self.lost - self.before[1]
        if not torn and not self.unreadable and not self.missing and (
                records > here or records < here and len(self.threads) == 1):
            raise Damage(f"END counts {records} records, {here} are there")
        if lost < told:
            raise Damage(f"END counts {lost} lost records, {told} are told")

    def read_open(self, header, body):
        calls = outermost_first(raw_records(body, self.defs["FUNCTION"], 0))
        self.open[header.thread] = calls
        if len(calls) != header.count:
            raise Damage(f"{len(calls)} open calls instead of {header.count}")

    # records

    def begin_thread(self, thread, sequence):
        """The numbers of a thread begin with 0, or where a segment ended that is not here."""
        if not thread.begun and self.late:
            thread.next = sequence
        thread.begun = True

    def read_data(self, file, offset, header, body):
        thread = self.threads[header.thread]
        after = header.sequence + header.count
        if after > U64:
            raise Damage(f"sequence numbers from {header.sequence} go around 2^64")
        self.begin_thread(thread, header.sequence)
        if after <= thread.next:
            self.duplicates += header.count
            return
        if header.encoding > LAST_ENCODING:
            self.say_once(f"DATA chunks of encoding {header.encoding} are not known")
            thread.damaged.append((header.sequence, header.count))
            return
        records, step = data_records(header, body, self.defs["FUNCTION"])
        again = max(thread.next - header.sequence, 0)
        jump = max(header.sequence - thread.next, 0)
        if again:
            file.problem(offset, f"{again} records of thread {header.thread} stand here again")
            self.duplicates += again
        if jump:
            self.read_jump(file, offset, header, thread, jump)
        self.check_data(file, offset, header, thread, records, step, jump == again == 0)
        self.lost += header.lost
        thread.lost += header.lost
        thread.excused = 0
        thread.final = bool(header.flags & FINAL)
        self.keep(header.thread, records[again:])

    def read_jump(self, file, offset, header, thread, jump):
        damaged = sum(n for first, n in thread.damaged if first >= thread.next)
        self.unreadable += damaged
        missing = jump - damaged - header.lost - thread.excused
        if missing > 0:
            self.missing += missing
            file.problem(offset, f"{missing} records of thread {header.thread} are missing")
        thread.damaged = []

    def check_data(self, file, offset, header, thread, records, step, contiguous):
        """What the header says must be what the records say."""
        def wrong(what, said, true):
            file.problem(offset, f"{what} is {said}, the records say {true}")

        unit, phase = step
        repeats = any(record.repeat > 1 for record in records)
        if repeats and not header.flags & REPEATS:
            file.problem(offset, "a record stands for several calls, the header says none does")
        carried = sum(1 for record in records if record.tstart < header.t_base)
        if carried != header.carried:
            wrong("carried", header.carried, carried)
        for what, said, true in (
                ("t_min", header.t_min, min((r.tstart for r in records), default=header.t_min)),
                ("t_max", header.t_max, max((r.tend for r in records), default=header.t_max))):
            earlier = header.encoding in LOOPS and what == "t_min" and said < true
            if said != true and not earlier:
                wrong(what, said, true)
        if contiguous and thread.tend is not None:
            first, last = [(end - phase) // unit * unit + phase
                           for end in (thread.tend, thread.tend + thread.unit - 1)]
            if not first <= header.t_base <= last:
                wrong("t_base", header.t_base, f"{first} to {last}")
        last = header.t_base
        for record in records:
            if record.tend < last or record.tstart > record.tend:
                file.problem(offset, f"record {record.sequence} of thread {header.thread} is out "
                             "of order")
                break
            if not record.repeat:
                file.problem(offset, f"record {record.sequence} stands for no call")
            last = record.tend
        if thread.tstart > header.t_base + max(unit, thread.unit):
            wrong("t_base", header.t_base, f"a call before it that starts at {thread.tstart}")
        thread.unit = unit

    def keep(self, index, records):
        """Takes the next records of a thread."""
        thread = self.threads[index]
        if not records:
            return
        thread.records += len(records)
        thread.next = records[-1].sequence + 1
        thread.tend = records[-1].tend
        thread.last = records[-1].level, records[-1].tstart, records[-1].tend * (records[-1].repeat > 1)
        thread.tstart = max(thread.tstart, max(record.tstart for record in records))
        self.records += len(records)
        for record in records:
            self.calls += record.repeat
            self.functions[record.function.layer, record.function.name] += record.repeat
        if self.trace.sink:
            self.trace.sink(self, index, [without_busy(record) for record in records])

    def in_flight(self):
        """Open calls, (thread index, record), but for those whose record is there already."""
        return [(index, without_busy(unset_outputs(call)))
                for index, calls in sorted(self.open.items()) for call in calls
                if call.function.layer != "?" and not has_ended(call, self.threads[index].last)]

    # clocks, section 8

    def finish_clock(self):
        self.line = sorted(self.anchors)
        self.exact = self.word("clock.kind") == "monotonic"
        self.hz = self.number("clock.hz")
        self.refined = None
        self.unverified = len(self.line) < 2 and not self.exact and not self.hz
        self.slewed = any(abs(self.along(self.line[0], anchor[0]) - anchor[1]) > 1000
                          for anchor in self.line[1:-1])

    def refine_clock(self, readings):
        """`readings`: (mono, boot, real, ticks, bound) of the machine, in order."""
        if self.exact or self.unverified or not self.line or not readings:
            return
        slept = max(0, readings[-1][1] - readings[-1][0] - readings[0][1] + readings[0][0])
        believed, off = [], False
        for mono, _, real, ticks, bound in readings:
            error = abs(self.monotonic(ticks) - mono)
            nearest = min(abs(anchor[1] - mono) for anchor in self.line)
            if ticks and error <= 1000 + bound + nearest // 1000 + slept:
                believed.append((ticks, mono, real))
                off = off or error > 100 + (bound + 1) // 2
        if off:
            self.refined = rising(sorted(self.line + believed, key=lambda anchor: anchor[:2]))

    def along(self, anchor, ticks):
        """CLOCK_MONOTONIC at `ticks`: from an anchor at the rate of the whole stream."""
        first, last = self.line[0], self.line[-1]
        num, den = last[1] - first[1], last[0] - first[0]
        if den == 0:
            num, den = (10 ** 9, self.hz) if self.hz else (1, 1)
        return anchor[1] + (ticks - anchor[0]) * num // den

    def monotonic(self, ticks):
        if self.exact or not self.line:
            return ticks
        line = self.refined or self.line
        if not self.slewed and not self.refined or ticks <= line[0][0]:
            return self.along(line[0], ticks)
        if ticks >= line[-1][0]:
            return self.along(line[-1], ticks)
        after = next(i for i, anchor in enumerate(line) if anchor[0] > ticks)
        a, b = line[after - 1], line[after]
        return a[1] + (ticks - a[0]) * (b[1] - a[1]) // (b[0] - a[0])

    def start(self):
        """anchor.0: the earliest, as (mono, real)."""
        own = [self.number(f"anchor.0.{clock}") for clock in ("ticks", "mono", "real")]
        if None not in own:
            return own[1], own[2]
        return self.line[0][1:] if self.line else (0, 0)

    def time(self, ticks):
        """ns since the trace's start."""
        return self.machine.convert(self.monotonic(ticks)) + self.offset

    # how it ended

    def process_runs(self):
        boot, pid = self.word("boot.id"), self.number("pid")
        if not pid or boot != boot_id():
            return False
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            return False
        return fields[0] not in (b"Z", b"X") and int(fields[19]) == self.number("pid.start")

    def finish(self):
        counted = self.counted("records")
        if self.state != "running":
            damaged = sum(n for thread in self.threads.values()
                          for first, n in thread.damaged if first >= thread.next)
            self.unreadable += damaged - self.lost_in_torn_chunks(damaged, counted)
        if self.final and counted <= self.records or self.has_said_its_end():
            self.state = "clean"
        if self.final and counted > self.records + self.unreadable + self.missing:
            self.report(f"{self.name}: {self.records} records of {counted} are there")
        if self.final or self.closed:
            self.lost = max(self.lost, self.counted("lost"))
        if self.final:
            self.check_calls()

    def has_said_its_end(self):
        """Whether all that is there is counted in the END of its .rec, though its .lm could not be told."""
        return (not self.final and self.state == "died" and self.ended == self.records and not any(self.open.values())
                and "pid" in self.meta and "end.reason" not in self.meta and self.whole)

    def lost_in_torn_chunks(self, damaged, counted):
        """How many of the damaged records the .lm counts as lost and no chunk does: those which it
        does not count as stored."""
        if not self.final:
            return 0
        stored = max(counted - self.records - self.unreadable, 0)
        return max(min(damaged - stored, self.counted("lost") - self.lost), 0)

    def check_calls(self):
        """calls against the records: what came after the count was written is more."""
        if self.unreadable or self.missing:
            return
        more = self.records > self.counted("records")
        said = collections.Counter()
        all_files = self.closed + [self.meta]
        if self.closed and not all(meta.get("calls") for meta in all_files):
            return  # whose process was killed has none
        for meta in all_files:
            for key, value in self.calls_said(meta):
                said[key] += value
        for key, value in said.items():
            true = self.functions[key]
            if true < value or (true > value and not more):
                self.report(f"{self.name}.lm: calls of {key} are {value}, the records say {true}")

    def calls_said(self, meta):
        """((layer, name), calls) of calls.LAYER.FUNCTION as in 1.0, and of the list by ids."""
        for key, value in meta.items():
            words = key.split(".", 2)
            if words[0] == "calls" and len(words) == 3:
                yield (words[1], words[2]), value
        for pair in meta.get("calls", b"").split():
            if not re.fullmatch(rb"[0-9]+=[0-9]+", pair):
                break
            number, value = map(int, pair.split(b"="))
            function = self.defs["FUNCTION"].get(number)
            yield (function.layer, function.name) if function else ("unknown", str(number)), value


def readable(path, kind):
    """The identity of the stream that a file is of, and of metadata those of the process: what is not of the segment alone. Whatever
    is wrong with it is told when it is read as what it is."""
    meta, end = {}, {}
    try:
        file = File(path, kind, lambda problem: None)
    except (Damage, Refused, OSError):
        return None, meta
    if kind == b"S":
        return file.identity, meta
    for offset, header, body in file.chunks():
        if body is not None and header.type == META:
            read_meta(file, offset, header, body, end if header.flags & FINAL else meta)
    identity = (meta | end).get("segment.of")
    return identity if isinstance(identity, int) else None, {key: value for key, value in meta.items() if key not in end and key not in ("segment", "segment.of")}


def has_ended(call, last):
    """Whether a call of the open-call stack is in the last record of its thread, or is it."""
    if not last or call.level != last[0]:
        return False
    return call.tstart == last[1] or call.tstart < last[2]


def shape(function):
    return [function.result.class_] + [parameter.class_ for parameter in function.args]


def boot_id():
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return "?"
