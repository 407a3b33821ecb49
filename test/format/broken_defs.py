# SPDX-License-Identifier: MIT
"""Broken traces: definitions, losses, ends."""
import struct
import zlib

from spoiling import case
from write_trace import DEFS, PWRITE, definition, relative, string, uvarint


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


# ---- encoding 2 ----

THREE = [definition(8, struct.pack("<I", i) + string(b"text %d" % i)) for i in (8, 9, 10)]


def relatives(words, count=1):
    """A chunk of definitions relative to each other."""
    return lambda t: t.between(lambda: t.stream.add(
        DEFS, zlib.compress(words), encoding=2, count=count, plain=len(words)))


def entry(size, *turns, type_=8, told=16):
    return uvarint(told) + uvarint(type_) + uvarint(size) + b"".join(turns)


@case("definitions relative to each other, as they should be", damaged=False)
def relative_sound(t):
    relatives(relative(THREE), 3)(t)


@case("no definitions, relative to each other", damaged=False)
def relative_nothing(t):
    relatives(uvarint(0), 0)(t)


@case("one relative definition less than the header counts", at="x")
def relative_count(t):
    relatives(relative(THREE), 4)(t)


@case("no bytes at all for relative definitions", at="x")
def relative_empty(t):
    relatives(b"", 0)(t)


@case("relative definitions whose size is no multiple of 8", at="x")
def relative_odd(t):
    relatives(entry(6, uvarint(0), uvarint(6), b"abcdef", told=14))(t)


@case("relative definitions of 65 MB", at="x")
def relative_huge(t):
    relatives(entry(6, uvarint(0), uvarint(6), b"abcdef", told=(64 << 20) + 8))(t)


@case("relative definitions that end before their size", at="x")
def relative_short(t):
    relatives(uvarint(64) + relative(THREE)[1:], 3)(t)


@case("bytes behind relative definitions", at="x")
def relative_left(t):
    relatives(relative(THREE) + b"\0", 3)(t)


@case("a relative definition longer than all are", at="x")
def relative_long(t):
    relatives(entry(5000, uvarint(0), uvarint(5000), bytes(5000)))(t)


@case("a relative definition whose size goes around 2^64", at="x")
def relative_around(t):
    relatives(entry((1 << 64) - 4, uvarint(0), uvarint(6), b"abcdef"))(t)


@case("a relative definition of a type of 17 bits", at="x")
def relative_type(t):
    relatives(entry(6, uvarint(0), uvarint(6), b"abcdef", type_=1 << 16))(t)


@case("a first relative definition like the one before", at="x")
def relative_first(t):
    relatives(entry(6, uvarint(6)))(t)


@case("a relative definition like more than there is of the one before", at="x")
def relative_more(t):
    relatives(uvarint(16 + 24) + entry(6, uvarint(0), uvarint(6), b"\1\0\0\0\0\0")[1:] +
              entry(16, uvarint(7), uvarint(9), bytes(9))[1:], 2)(t)


@case("a relative definition like one before of a type that has none", at="x")
def relative_later(t):
    twice = entry(6, uvarint(0), uvarint(6), b"abcdef", type_=200)[1:], entry(6, uvarint(6), type_=200)[1:]
    relatives(uvarint(32) + b"".join(twice), 2)(t)


@case("a relative definition with no other bytes", at="x")
def relative_none(t):
    relatives(entry(6, uvarint(0), uvarint(0), uvarint(0), uvarint(6), b"abcdef"))(t)


@case("a relative definition with more plain bytes than it has", at="x")
def relative_plain(t):
    relatives(entry(6, uvarint(0), uvarint(0), uvarint(7), b"abcdefg"))(t)


@case("a relative definition whose plain bytes end", at="x")
def relative_plain_cut(t):
    relatives(entry(6, uvarint(0), uvarint(0), uvarint(6), b"abc"))(t)


@case("a relative definition that says no plain bytes", at="x")
def relative_plain_unsaid(t):
    relatives(entry(6, uvarint(0), uvarint(0)))(t)


@case("a relative definition with more other bytes than it has", at="x")
def relative_others(t):
    relatives(entry(6, uvarint(0), uvarint(7), b"abcdefg"))(t)


@case("a relative definition whose other bytes end", at="x")
def relative_cut(t):
    relatives(entry(6, uvarint(0), uvarint(6), b"abc"))(t)


@case("bytes after the zlib stream of relative definitions", at="x")
def relative_after(t):
    t.between(lambda: t.stream.add(DEFS, zlib.compress(relative(THREE)) + b"more", encoding=2,
                                   count=3, plain=len(relative(THREE))))
