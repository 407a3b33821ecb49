#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes broken traces, each with the complaint that a reader owes.

    broken.py DIR            DIR/NAME/ and DIR/NAME.json for each case
    broken.py --list         names and what is broken

NAME.json: `refused` (not a trace at all), `damaged` (else it is sound, though perhaps strange),
`stored` (records that a reader still gives), `file` and `offset` that a complaint names (offset
null: none in particular).
"""
import json
import os
import struct
import sys
import zlib

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from write_trace import (  # noqa: E402
    DATA, DEFS, FIRST_TICK, FUNCTIONS, MARK, META, OPEN_FILE, PWRITE, REAL, WAITALL, Pair, Record,
    StreamWriter, chunk, column, definition, file_definition, file_header, function_definition,
    instant, local, save_global, string, svarint, thread_definition, uvarint)

CASES = {}
MAIN = "rank-0.rec"


def case(text, stored=35, file=MAIN, at=None, damaged=True, refused=False):
    """Registers a case: fn(trace) builds it; `at` names an offset of the trace, or is one."""
    def register(fn):
        name = fn.__name__.replace("_", "-")
        CASES[name] = (text, fn, {"damaged": damaged, "refused": refused, "stored": stored,
                                  "file": file}, at)
        return fn
    return register


def writes(count, now, **more):
    """`count` calls of pwrite, 1000 ticks each."""
    return [Record(PWRITE, now + 1000 * i, now + 1000 * i + 500, [Pair(5, 1), 8, 8 * i], 8,
                   site=(1, 64), **more) for i in range(count)]


class Trace:
    """A sound trace of 35 records in the chunks A, B, C (thread 0, columns, 10 each) and E
    (thread 1, raw, 5) of rank-0, into which a case puts something between B and C."""

    def __init__(self, where):
        self.where, self.at = where, {}
        self.stream = StreamWriter(0xABCD, None, local(0, 1, 100))
        self.now = FIRST_TICK + 100_000

    def path(self, name=MAIN):
        return os.path.join(self.where, name)

    def mark(self, name):
        self.at[name] = len(self.stream.rec)

    def ten(self, name, thread=0, count=10, **more):
        """The next chunk of thread 0."""
        self.mark(name)
        self.stream.data(thread, writes(count, self.now), **more)
        self.now += 100_000

    def begin(self):
        self.mark("defs")
        self.stream.defs(*map(function_definition, FUNCTIONS), file_definition(1, b"/tmp/a"),
                         thread_definition(0, 100, 1, self.now), anchor=instant(FIRST_TICK + 2500))
        self.ten("A")
        self.ten("B")
        self.mark("x")

    def end(self, **more):
        self.ten("C")
        self.ten("E", thread=1, count=5, encoding=0)
        self.mark("end")
        self.at["lm"] = len(self.stream.lm)
        self.stream.finish(**more)
        self.at["size"] = len(self.stream.rec)

    def save(self):
        save_global(self.where, {"run.id": "broken", "format": "1.0", "created": REAL})
        self.stream.save(self.where, "rank-0")

    def whole(self):
        self.begin()
        self.end()
        self.save()

    def edit(self, change, name=MAIN):
        """change(bytearray) works on a file; what it returns, if anything, replaces it."""
        with open(self.path(name), "rb") as file:
            data = bytearray(file.read())
        data = data if (changed := change(data)) is None else changed
        with open(self.path(name), "wb") as file:
            file.write(data)

    def flip(self, offset, name=MAIN):
        def change(data):
            data[offset] ^= 0x40
        self.whole()
        self.edit(change, name)

    def cut(self, size, name=MAIN):
        self.whole()
        self.edit(lambda data: data[:size], name)

    def insert(self, where, what):
        self.whole()
        self.edit(lambda data: data[:self.at[where]] + what(data) + data[self.at[where]:])

    def between(self, make):
        """make() adds a chunk between B and C."""
        self.begin()
        make()
        self.now += 200_000
        self.end()
        self.save()

    def columns(self, spoil=None, records=None, **more):
        """A chunk of ten records with false columns between B and C; its END agrees with it."""
        def make():
            calls = records(self.now) if records else writes(10, self.now)
            self.stream.data(0, calls, spoil=spoil, **more)
        self.between(make)

    def raws(self, spoil, records=None, **more):
        self.columns(spoil, records, encoding=0, **more)


def part(name, data):
    """A spoil function that replaces one part of the columns."""
    def spoil(parts):
        assert name in parts
        parts[name] = data
    return spoil


def bytes_column(*values):
    return column([bytes(values)])


# ---- files of the directory --------------------------------------------------------------


@case("nothing wrong", damaged=False, file=None)
def sound(t):
    t.whole()


@case("an empty directory", 0, None, refused=True)
def empty(t):
    pass


@case("a directory with files, none of a trace", 0, None, refused=True)
def other_files(t):
    with open(t.path("notes.txt"), "w", encoding="ascii") as file:
        file.write("RCHK\n")


@case("a text file with the name of a stream, nothing else", 0, None, refused=True)
def text_as_stream(t):
    with open(t.path(), "w", encoding="ascii") as file:
        file.write("This is not a trace.\n" * 10)


@case("no recorder.gm", file="recorder.gm")
def gm_missing(t):
    t.whole()
    os.unlink(t.path("recorder.gm"))


@case("recorder.gm has no byte", file="recorder.gm")
def gm_empty(t):
    t.cut(0, "recorder.gm")


@case("a flipped bit in the header of recorder.gm", file="recorder.gm", at=0)
def gm_header_flipped(t):
    t.flip(9, "recorder.gm")


@case("a flipped bit in the chunk of recorder.gm", file="recorder.gm", at=32)
def gm_chunk_flipped(t):
    t.flip(140, "recorder.gm")


@case("recorder.gm of major version 2", 0, "recorder.gm", refused=True)
def gm_major(t):
    t.whole()
    t.edit(lambda data: file_header(b"G", 0, 2) + data[32:], "recorder.gm")


@case("no .lm", file="rank-0.lm")
def lm_missing(t):
    t.whole()
    os.unlink(t.path("rank-0.lm"))


@case("the .lm has no byte", file="rank-0.lm")
def lm_empty(t):
    t.cut(0, "rank-0.lm")


@case("the .lm ends in the middle of its first chunk", file="rank-0.lm", at=32)
def lm_truncated(t):
    t.cut(300, "rank-0.lm")


@case("a flipped bit in the final chunk of the .lm", file="rank-0.lm", at="lm")
def lm_flipped(t):
    t.whole()
    t.edit(lambda data: data[:t.at["lm"] + 120] + b"\xff" + data[t.at["lm"] + 121:], "rank-0.lm")


@case("a value of an unknown type in the .lm", file="rank-0.lm")
def lm_value_type(t):
    t.whole()
    t.edit(lambda data: data + chunk(META, bytes([9, 0]) + string("x"), count=1), "rank-0.lm")


@case("the .lm counts more records than there are", file="rank-0")
def lm_records(t):
    t.begin()
    t.stream.records += 7
    t.end()
    t.save()


@case("the .lm counts other calls than there are", file="rank-0")
def lm_calls(t):
    t.begin()
    t.end(**{"calls.posix.pwrite": 34})
    t.save()


@case("no .rec, though records are counted", 0, "rank-0")
def rec_missing(t):
    t.whole()
    os.unlink(t.path())


@case("the .rec has no byte", 0)
def rec_empty(t):
    t.cut(0)


@case("the .rec ends in its file header", 0)
def rec_header_short(t):
    t.cut(20)


@case("a flipped bit in the magic of the .rec", at=0)
def rec_magic(t):
    t.flip(2)


@case("a flipped bit in the identity of the .rec", at=0)
def rec_header_crc(t):
    t.flip(17)


@case("the .rec is of major version 2", 0)
def rec_major(t):
    t.whole()
    t.edit(lambda data: file_header(b"S", 0xABCD, 2) + data[32:])


@case("the .rec is of minor version 9, with chunks and definitions of its own", damaged=False)
def rec_minor(t):
    t.between(lambda: (t.stream.add(99, b"?" * 40, count=3),
                       t.stream.defs(definition(999, b"x"), function_definition(MARK) + bytes(0))))
    t.edit(lambda data: file_header(b"S", 0xABCD, 1, 9) + data[32:])


@case("the .rec has the header of an .lm", 0)
def rec_kind(t):
    t.whole()
    t.edit(lambda data: file_header(b"L", 0xABCD) + data[32:])


@case("the .rec has another identity than the .lm")
def rec_identity(t):
    t.whole()
    t.edit(lambda data: file_header(b"S", 0xBBBB) + data[32:])


@case("a symbolic link in place of the .rec", 0)
def rec_symlink(t):
    t.whole()
    os.rename(t.path(), t.path("elsewhere"))
    os.symlink("elsewhere", t.path())


@case("a FIFO in place of the .rec", 0)
def rec_fifo(t):
    t.whole()
    os.unlink(t.path())
    os.mkfifo(t.path())


@case("a directory beside the streams", file="rank-1.rec")
def rec_directory(t):
    t.whole()
    os.mkdir(t.path("rank-1.rec"))


@case("a stream with a blank in its name", file="rank 1.rec")
def stream_name(t):
    t.whole()
    with open(t.path("rank 1.rec"), "wb") as file:
        file.write(t.stream.rec)


# ---- framing ---------------------------------------------------------------------------------


@case("a flipped bit in the magic of a chunk", 25, at="B")
def chunk_magic(t):
    t.whole()
    t.edit(lambda d: d[:t.at["B"]] + b"X" + d[t.at["B"] + 1:])


@case("a flipped bit in the header of a chunk", 25, at="B")
def chunk_header(t):
    t.whole()
    t.edit(lambda d: d[:t.at["B"] + 9] + b"\xff" + d[t.at["B"] + 10:])


@case("a flipped bit in the body of a chunk", 25, at="B")
def chunk_body(t):
    t.whole()
    t.edit(lambda d: d[:t.at["B"] + 100] + b"\xff" + d[t.at["B"] + 101:])


@case("the .rec ends in the header of a chunk", 20, at="C")
def truncated_header(t):
    t.whole()
    t.edit(lambda d: d[:t.at["C"] + 50])


@case("the .rec ends in the body of a chunk", 20, at="C")
def truncated_body(t):
    t.whole()
    t.edit(lambda d: d[:t.at["C"] + 110])


@case("the .rec ends between two chunks", 20, file="rank-0")
def truncated_between(t):
    t.whole()
    t.edit(lambda d: d[:t.at["C"]])


@case("bytes of something else between two chunks", at="x")
def garbage_between(t):
    t.insert("x", lambda data: b"RCHK garbage" * 20)


@case("bytes of something else at the end", at="size")
def garbage_at_end(t):
    t.insert("size", lambda data: bytes(1000))


@case("a chunk cut short, then written again whole", at="B")
def torn_body(t):
    t.insert("B", lambda data: data[t.at["B"]:t.at["B"] + 130])


@case("a chunk cut short in its header, then written again whole", at="B")
def torn_header(t):
    t.insert("B", lambda data: data[t.at["B"]:t.at["B"] + 40])


@case("a chunk cut short whose whole form is shorter than what its header promised", at="end")
def torn_last(t):
    t.whole()
    long = chunk(DATA, bytes(5000), count=1, thread=0, sequence=10)[:200]
    t.edit(lambda d: d[:t.at["end"]] + long + d[t.at["end"]:])


@case("the same chunk twice", damaged=False, file=None)
def twice(t):
    t.begin()
    t.stream.rec += t.stream.rec[t.at["B"]:t.at["x"]]
    t.end()
    t.save()


@case("a chunk that repeats half of the one before it", 40, at="x")
def overlap(t):
    t.between(lambda: t.stream.data(0, writes(10, t.now), skip=-5))


@case("records are missing between two chunks", at="x")
def jump(t):
    t.begin()
    t.stream.next[0] += 12
    t.end()
    t.save()


@case("a chunk lost as its header says", 30, damaged=False, file=None)
def jump_told(t):
    t.begin()
    t.stream.next[0] += 12
    t.ten("C", lost=12)
    t.stream.finish()
    t.save()


def limit(**header):
    """A chunk whose header is whole and asks too much."""
    return lambda t: t.insert("x", lambda data: chunk(DATA, b"body", **{"count": 1, **header}))


@case("a chunk of 17 Mi records", at="x")
def limit_count(t):
    limit(count=17 << 20)(t)


@case("a chunk that is 1 GiB when inflated", at="x")
def limit_plain(t):
    limit(plain=1 << 30, encoding=1)(t)


@case("a chunk with 70,000 carried records", at="x")
def limit_carried(t):
    limit(carried=70_000)(t)


@case("a chunk of 65 MiB", at="x")
def limit_body(t):
    def huge(_):
        head = chunk(DATA, b"", count=1)[:8] + struct.pack("<I", 65 << 20)
        head += chunk(DATA, b"", count=1)[12:92]
        return head + struct.pack("<I", zlib.crc32(head)) + b"body"
    t.insert("x", huge)


# ---- bodies ----------------------------------------------------------------------------------


@case("a body that inflates to more than it says", at="x")
def inflate_more(t):
    t.columns(plain=20)


@case("a body that inflates to less than it says", at="x")
def inflate_less(t):
    t.columns(plain=9000)


@case("a small body that inflates to 200 MB", at="x")
def inflate_bomb(t):
    t.columns(body=zlib.compress(bytes(200_000_000)), plain=60)


@case("bytes after the zlib stream", at="x")
def inflate_after(t):
    t.columns(body=zlib.compress(bytes(70)) + b"more", plain=70)


@case("a body that is no zlib stream", at="x")
def inflate_none(t):
    t.columns(body=b"this is no zlib stream", plain=70)


@case("an empty body for ten records", at="x")
def body_empty(t):
    t.columns(body=b"", plain=0)


@case("one record less than the header counts", at="x")
def count_more(t):
    t.columns(count=11)


@case("one record more than the header counts", at="x")
def count_less(t):
    t.columns(count=9)


@case("an encoding that is not known: 10 records are unreadable", damaged=False, file=None)
def encoding_unknown(t):
    t.columns(encoding=9)


@case("a function without a definition", at="x")
def function_undefined(t):
    t.columns(part("functions", uvarint(1) + uvarint(4711)))


@case("a list of 2^40 functions", at="x")
def functions_many(t):
    t.columns(part("functions", uvarint(1 << 40)))


@case("a function twice in the list", at="x")
def functions_twice(t):
    t.columns(part("functions", uvarint(2) + uvarint(PWRITE.id) * 2))


@case("two million records of nothing but zeros", at="x")
def zeros_bomb(t):
    names = [(PWRITE.name, name) for name in ("present", "result", "fd", "count", "offset")]

    def spoil(parts):
        for name in ("function", "level", "gap", "duration", "site", "flags", "err", "repeat",
                     "stack"):
            parts[name] = uvarint(2_000_000 << 1 | 1)
        for name in names:
            parts[name] = uvarint((2_000_000 if name[1] in ("present", "result") else 0) << 1 | 1)
    t.columns(spoil, count=2_000_000)


@case("a record of 40 KB", at="x")
def record_large(t):
    opens(t, uvarint(40_003) + uvarint(0) + b"/" * 40_000)


@case("a repeated record in a chunk whose header says there is none", 45, at="x")
def repeats_untold(t):
    t.columns(part("repeat", column([uvarint(1)] * 10)))


@case("an index beyond the list of functions", at="x")
def function_index(t):
    t.columns(part("function", bytes_column(*[0] * 9, 1)))


@case("an index beyond the list of call sites", at="x")
def site_index(t):
    t.columns(part("site", bytes_column(*[0] * 9, 5)))


@case("a unit of 0", at="x")
def unit_zero(t):
    t.columns(part("unit", uvarint(0)))


@case("a phase that is not below the unit", at="x")
def phase(t):
    t.columns(part("phase", uvarint(1)))


@case("a varint of eleven bytes", at="x")
def varint_long(t):
    t.columns(part("sites", uvarint(1) + uvarint(1) + b"\x80" * 10 + b"\x01"))


@case("a varint of more than 64 bits", at="x")
def varint_wide(t):
    t.columns(part("sites", uvarint(1) + uvarint(1) + b"\xff" * 9 + b"\x7f"))


@case("a column of 2^60 zeros", at="x")
def zeros_many(t):
    t.columns(part("level", uvarint((1 << 61) | 1)))


@case("a column of nine zeros for ten records", at="x")
def zeros_few(t):
    t.columns(part("level", uvarint(9 << 1 | 1)))


@case("a column with bytes left over", at="x")
def column_long(t):
    t.columns(part("level", bytes_column(1, *[0] * 10)))


@case("a column that ends in a varint", at="x")
def column_torn(t):
    t.columns(part("level", bytes_column(*[0] * 9, 0x80)))


@case("a column longer than the body", at="x")
def column_beyond(t):
    t.columns(part("flags", uvarint(5000 << 1)))


@case("a flags column of nine bytes", at="x")
def flags_few(t):
    t.columns(part("flags", bytes_column(*[1] * 9)))


@case("a level of 70,000", at="x")
def level_wide(t):
    t.columns(part("level", column([uvarint(70_000)] * 10)))


@case("a repeat count of 2^32", at="x")
def repeat_wide(t):
    t.columns(part("repeat", column([uvarint((1 << 32) - 1)] * 10)))


@case("an errno of 2^40", at="x")
def err_wide(t):
    t.columns(part("err", column([svarint(1 << 40)] * 10)))


@case("200 arguments of a function that has three", at="x")
def argument_count(t):
    t.columns(part(("pwrite", "present"), column([uvarint(200)] * 10)))


@case("bytes after the last column", at="x")
def body_left(t):
    t.columns(part(("pwrite", "offset"), column([svarint(8)] * 10) + b"\0"))


@case("the body ends before its last column", at="x")
def body_short(t):
    t.columns(part(("pwrite", "offset"), b""))


@case("a call that began before the counter", at="x")
def time_before(t):
    t.columns(part("duration", column([uvarint(1 << 60)] * 10)))


@case("a call that ends after 2^64 ticks", at="x")
def time_after(t):
    t.columns(part("gap", column([uvarint((1 << 64) - 1)] * 10)))


@case("a carried record that is not carried", at="x")
def carried_false(t):
    t.columns(part("carried", uvarint(3) + uvarint(7)), carried=1)


def four_opens(now):
    return [Record(OPEN_FILE, now + i, now + i, [b"/tmp/a", 0], Pair(5, 1)) for i in range(4)]


def four_waits(now):
    return [Record(WAITALL, now + i, now + i, [1, [7], [1]], 0) for i in range(4)]


def opens(t, path):
    """A chunk of one open() whose column of paths is `path`."""
    t.columns(part(("open", "path"), column([path])), lambda now: four_opens(now)[:1])


@case("'the same string' as the first of its column", at="x")
def string_same(t):
    opens(t, uvarint(2))


@case("a string longer than its column", at="x")
def string_long(t):
    opens(t, uvarint(1000) + uvarint(0) + b"abc")


@case("a string of 2^63 bytes", at="x")
def string_huge(t):
    opens(t, uvarint((1 << 63) + 3) + uvarint(0) + b"abc")


def waits(t, requests):
    t.columns(part(("MPI_Waitall", "requests"), column([requests])),
              lambda now: four_waits(now)[:1])


@case("an array of 2^40 elements", at="x")
def array_huge(t):
    waits(t, uvarint((1 << 40) + 2) + uvarint(0) + b"\x02")


@case("an array that ends early", at="x")
def array_short(t):
    waits(t, uvarint(5) + uvarint(0) + b"\x02")


# ---- raw bodies ---------------------------------------------------------------------------------


def patched(at, form, value):
    """A spoil function that writes into the fourth raw record."""
    def spoil(parts):
        data = bytearray(parts[3])
        struct.pack_into("<" + form, data, at, value)
        parts[3] = bytes(data)
    return spoil


@case("a raw record of size 0", at="x")
def raw_size_zero(t):
    t.raws(patched(0, "I", 0))


@case("a raw record smaller than its header", at="x")
def raw_size_small(t):
    t.raws(patched(0, "I", 56))


@case("a raw record that ends beyond the body", at="x")
def raw_size_beyond(t):
    t.raws(patched(0, "I", 8192))


@case("a raw record of odd size", at="x")
def raw_size_odd(t):
    t.raws(patched(0, "I", 91))


@case("a raw record with more arguments than it has room for", at="x")
def raw_args_room(t):
    t.raws(patched(12, "B", 60))


@case("a raw record with more arguments than its function", at="x")
def raw_args_many(t):
    t.raws(patched(4, "H", MARK.id))


@case("raw records out of sequence", at="x")
def raw_sequence(t):
    t.raws(patched(8, "I", 99))


@case("a raw record that ends before it begins", 45, at="x")
def raw_time_back(t):
    t.raws(patched(16, "Q", FIRST_TICK * 2))


@case("a raw record that stands for no call", 45, at="x")
def raw_repeat(t):
    t.raws(patched(52, "I", 0))


def raw_path(t, form, value, at):
    """A raw open() whose path is spoilt."""
    t.raws(patched(at, form, value), four_opens)


@case("a string outside of its record", at="x")
def raw_block_outside(t):
    raw_path(t, "Q", 4096, 64)


@case("a string inside of the record's header", at="x")
def raw_block_header(t):
    raw_path(t, "Q", 16, 64)


@case("a string at an odd offset", at="x")
def raw_block_odd(t):
    raw_path(t, "Q", 81, 64)


@case("a string offset near 2^64", at="x")
def raw_block_wraps(t):
    raw_path(t, "Q", (1 << 64) - 8, 64)


@case("a string longer than its record", at="x")
def raw_string_long(t):
    raw_path(t, "Q", 5000 << 32 | 5000, 80)


@case("a string with more bytes stored than it had", at="x")
def raw_string_cut(t):
    raw_path(t, "I", 2, 84)


@case("an array longer than its record", at="x")
def raw_array_long(t):
    t.raws(patched(88, "Q", 0x40000000 << 32 | 0x40000000), four_waits)


# ---- what headers claim --------------------------------------------------------------------------


def claim(t, **more):
    """A whole chunk of ten whose header says something false."""
    base = t.stream.base[0] if 0 in t.stream.base else 0
    times = [base, t.now, t.now + 9500]
    for i, name in enumerate(("t_base", "t_min", "t_max")):
        times[i] += more.pop(name, 0)
    t.stream.data(0, writes(10, t.now), encoding=0, times=tuple(times), **more)


def claims(**more):
    def build(t):
        t.between(lambda: claim(t, **more))
    return build


@case("t_base is not the end of the record before", 45, at="x")
def claim_base(t):
    claims(t_base=-3)(t)


@case("t_min is not the earliest tstart", 45, at="x")
def claim_min(t):
    claims(t_min=1)(t)


@case("t_max is not the latest tend", 45, at="x")
def claim_max(t):
    claims(t_max=-1)(t)


@case("the header counts carried records where there are none", 45, at="x")
def claim_carried(t):
    claims(carried=2)(t)


# ---- definitions, losses, ends --------------------------------------------------------------


def defs(*entries, **more):
    return lambda t: t.between(lambda: t.stream.defs(*entries, **more))


@case("a definition that ends beyond its chunk", at="x")
def defs_size(t):
    defs(struct.pack("<IHH", 5000, 1, 0) + b"abcdefgh")(t)


@case("a string that ends beyond its definition", at="x")
def defs_string(t):
    defs(definition(8, struct.pack("<IH", 1, 5000) + b"abc"))(t)


@case("a definition shorter than its fields", at="x")
def defs_short(t):
    defs(definition(3, b"abc"))(t)


@case("a function of 65 arguments", at="x")
def defs_arguments(t):
    payload = struct.pack("<HBB", 77, 65, 1) + string("posix") + string("many") + string("none")
    defs(definition(1, payload + (b"\x01" + string("a") + string("int")) * 65))(t)


@case("a function whose result is a string", at="x")
def defs_result(t):
    payload = struct.pack("<HBB", 77, 0, 4) + string("posix") + string("f") + string("string")
    defs(definition(1, payload))(t)


@case("a function defined again with other classes", at="x")
def defs_classes(t):
    payload = struct.pack("<HBB", PWRITE.id, 1, 1)
    payload += string("posix") + string("pwrite") + string("bytes")
    defs(definition(1, payload + b"\x03" + string("fd") + string("fd")))(t)


@case("a communicator of 2^31 ranges", at="x")
def defs_comm(t):
    payload = struct.pack("<IIQiiiI", 1, 0, 5, 0, 4, 0, 1) + string("world")
    defs(definition(6, payload + struct.pack("<I", 1 << 31)))(t)


@case("a stack of 60,000 frames in 30 bytes", at="x")
def defs_stack(t):
    defs(definition(9, struct.pack("<IHHI", 1, 60_000, 0, 0) + bytes(18)))(t)


@case("definitions that do not inflate", at="x")
def defs_inflate(t):
    t.between(lambda: t.stream.add(DEFS, b"no zlib stream", count=1, encoding=1, plain=64))


@case("one definition less than the header counts", at="x")
def defs_count(t):
    entry = definition(8, struct.pack("<I", 1) + string("x"))
    t.between(lambda: t.stream.add(DEFS, entry, count=2))


@case("a LOST chunk that ends early", at="x")
def lost_short(t):
    t.between(lambda: t.stream.add(3, struct.pack("<QH", 5, 50) + b"no_ring", count=1))


@case("an OPEN chunk of no records", at="x")
def open_false(t):
    t.between(lambda: t.stream.add(6, b"\xff" * 64, count=1))


def ends(spoil):
    def build(t):
        t.begin()
        t.end(spoil=spoil)
        t.save()
    return build


@case("END counts more records than there are", at="end")
def end_records(t):
    ends(lambda parts: parts.update(head=struct.pack("<Q", 99) + parts["head"][8:]))(t)


@case("an index entry that points into a body", at="end")
def end_index(t):
    ends(lambda parts: parts.update(entries=struct.pack("<Q", 150) + parts["entries"][8:]))(t)


@case("an index that counts 2^31 entries", at="end")
def end_entries(t):
    ends(lambda parts: parts.update(head=parts["head"][:16] + struct.pack("<II", 1 << 31, 0)))(t)


@case("an END that gives another offset than its own", at="end")
def end_offset(t):
    ends(lambda parts: parts.update(tail=struct.pack("<Q", 32) + b"RECINDEX"))(t)


# ---- writing --------------------------------------------------------------------------------


def write(name, where):
    """Writes case `name` into directory `where`; returns what is expected."""
    text, build, expect, at = CASES[name]
    os.makedirs(where)
    trace = Trace(where)
    build(trace)
    offset = trace.at[at] if isinstance(at, str) else at
    return {"case": name, "what": text, **expect, "offset": offset}


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    if sys.argv[1] == "--list":
        for name, (text, _, _, _) in CASES.items():
            print(f"{name:22} {text}")
        return 0
    for name in CASES:
        where = os.path.join(sys.argv[1], name)
        expect = write(name, where)
        with open(where + ".json", "w", encoding="ascii") as file:
            json.dump(expect, file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
