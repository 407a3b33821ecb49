# SPDX-License-Identifier: MIT
"""Broken traces: bodies of chunks, packed and as columns."""
import zlib

from spoiling import bytes_column, case, four_opens, four_waits, part
from write_trace import PWRITE, column, svarint, uvarint


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
