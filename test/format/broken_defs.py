# SPDX-License-Identifier: MIT
"""Broken traces: definitions, losses, ends."""
import struct

from spoiling import case
from write_trace import DEFS, PWRITE, definition, string


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
