# SPDX-License-Identifier: MIT
"""Broken traces: numbers at their limits, loops, and what is made to cost time or memory."""
import struct
import zlib

import live_trace
from spoiling import case, writes
from write_trace import (
    DATA, DEFS, FIRST_TICK, LOST, MASK, OPEN, OPEN_FILE, PWRITE, REAL, WAITALL, Cut, Pair, Record,
    chunk, definition, function_definition, raw, string, thread_definition)


def defs(*entries, **more):
    return lambda t: t.between(lambda: t.stream.defs(*entries, **more))


def calls(*records):
    """A chunk of records whose times begin at the trace's now."""
    def build(t):
        def shifted():
            for record in records:
                record.tstart += t.now
                record.tend += t.now
            return list(records)
        t.between(lambda: t.stream.data(0, shifted()))
    return build


# ---- loops -----------------------------------------------------------------------------------


@case("communicators that are each other's parent", damaged=False, file=None)
def comm_loop(t):
    defs(live_trace.comm_definition(1, 2, 3), live_trace.comm_definition(2, 1, 3))(t)


@case("a communicator that is its own parent", damaged=False, file=None)
def comm_self(t):
    defs(live_trace.comm_definition(1, 1, 3))(t)


@case("a communicator of ranks that grow without end", damaged=False, file=None)
def comm_ranks(t):
    defs(live_trace.comm_definition(1, 0, 1, ((2147483647, 2147483647, 2147483647),
                                              (-2147483648, -5, -2147483648), (0, 0, 0))))(t)


@case("a communicator whose group of 2^31 - 1 ranks ends early", at="x")
def comm_group(t):
    payload = struct.pack("<IIQiiiI", 1, 0, 5, 0, 4, 0, 1) + string("world")
    defs(definition(6, payload + struct.pack("<Iiii", 0x7FFFFFFF, 0, 2, 1)))(t)


@case("processes that are each other's parent", damaged=False, file=None)
def parent_loop(t):
    t.stream = type(t.stream)(0xABCD, None, {**live_trace.local(0, 1, 100),
                                             "parent.stream": 0xABCD})
    t.whole()


@case("an MPI file of a file and a communicator that nobody defined", damaged=False, file=None)
def mpifile_dangling(t):
    defs(definition(10, struct.pack("<IIII", 1, 77, 99, 0) + string("/tmp/a")))(t)


@case("modules that overlap, are empty and end before they begin", damaged=False, file=None)
def modules_overlap(t):
    def module(number, first, after):
        return definition(4, struct.pack("<IIQQQ", number, 0, first, after, MASK) +
                          string("/lib") + string(""))
    defs(module(1, 0, MASK), module(2, 500, 500), module(3, 900, 100), module(4, MASK, 0))(t)


# ---- sizes -----------------------------------------------------------------------------------


@case("a path of 65,535 bytes, thirty thousand folders deep", damaged=False, file=None)
def path_deep(t):
    defs(definition(2, struct.pack("<IIQQQQ", 1, 0, 0, 0, 0, 0) + string(b"/a" * 32767)))(t)


@case("a function with names of 65,535 bytes", damaged=False, file=None)
def names_long(t):
    long = string(b"n" * 65535)
    payload = struct.pack("<HBB", 77, 1, 1) + long * 3 + b"\1" + long * 2
    defs(definition(1, payload))(t)


@case("names of zero bytes, quotes and newlines", damaged=False, file=None)
def names_odd(t):
    odd = string(b"\0\"\n\\\xff{};,")
    defs(definition(1, struct.pack("<HBB", 77, 1, 1) + odd * 3 + b"\1" + odd * 2),
         definition(5, struct.pack("<I", 1) + odd * 2),
         thread_definition(9, 1, 0, 0, b"\xff\n"))(t)


@case("five thousand functions", damaged=False, file=None)
def functions_many_defined(t):
    entries = [definition(1, struct.pack("<HBB", i + 1000, 0, 1) + string("x") + string(f"f{i}") +
                          string("none")) for i in range(5000)]
    defs(*entries, encoding=1)(t)


@case("the same function five thousand times", damaged=False, file=None)
def functions_again(t):
    defs(*[function_definition(PWRITE)] * 5000, encoding=1)(t)


@case("a definition of 4 GiB", at="x")
def defs_huge(t):
    defs(struct.pack("<IHH", 0xFFFFFFFF, 8, 0))(t)


@case("a definition whose size and padding go around 2^32", at="x")
def defs_wrap(t):
    defs(struct.pack("<IHH", 0xFFFFFFF9, 0, 0))(t)


@case("a hundred thousand empty definitions", damaged=False, file=None)
def defs_empty(t):
    defs(*[bytes(8)] * 100_000, encoding=1)(t)


@case("definitions that inflate to 200 MB more than they say", at="x")
def defs_bomb(t):
    body = zlib.compress(bytes(200_000_000))
    t.between(lambda: t.stream.add(DEFS, body, count=1, encoding=1, plain=8))


@case("two thousand threads, the last first", damaged=False, file=None)
def threads_many(t):
    t.between(lambda: [t.stream.add(LOST, struct.pack("<Q", 0) + string("x"), count=1,
                                    thread=10_000 - i) for i in range(2000)])


@case("the thread with the highest number there is", 45, damaged=False, file=None)
def thread_highest(t):
    t.between(lambda: t.stream.data(0xFFFFFFFF, writes(10, t.now)))


@case("a thousand losses of different reasons", damaged=False, file=None)
def losses_many(t):
    body = b"".join(struct.pack("<Q", 1) + string(f"reason-{i}") for i in range(1000))
    t.stream.lost += 1000
    t.between(lambda: t.stream.add(LOST, body, count=1000))


@case("an empty string and an empty array", 36, damaged=False, file=None)
def values_empty(t):
    calls(Record(OPEN_FILE, 0, 5, [b"", 0], Pair(5, 1)))(t)


@case("a string cut from 4 GiB", 36, damaged=False, file=None)
def string_cut(t):
    calls(Record(OPEN_FILE, 0, 5, [Cut(b"x", 0xFFFFFFFF, 0), 0], Pair(5, 1)))(t)


@case("an array cut from 2^32 - 1 elements, with a sum of all bits", 36, damaged=False, file=None)
def array_cut(t):
    calls(Record(WAITALL, 0, 5, [-1, Cut([1 << 62], 0xFFFFFFFF, -1), [-(1 << 63)]]))(t)


@case("a record of exactly 32 KiB", 36, damaged=False, file=None)
def record_largest(t):
    room = (32 << 10) - 64 - 2 * 8 - 8
    calls(Record(OPEN_FILE, 0, 5, [b"p" * room, 0], Pair(5, 1)))(t)


@case("a record of 32 KiB and 8 bytes", at="x")
def record_too_large(t):
    room = (32 << 10) - 64 - 2 * 8
    calls(Record(OPEN_FILE, 0, 5, [b"p" * room, 0], Pair(5, 1)))(t)


@case("every number of a record at its limit", 36, damaged=False, file=None)
def numbers_highest(t):
    calls(Record(PWRITE, 0, 5, [Pair(-(1 << 31), 0xFFFFFFFF), -(1 << 63), (1 << 63) - 1],
                 -(1 << 63), level=65535, err=-(1 << 31), site=(0xFFFFFFFF, MASK), flags=255,
                 repeat=0xFFFFFFFF, stack=0xFFFFFFFF))(t)


# ---- sequences and times ---------------------------------------------------------------------


@case("sequence numbers that go around 2^64", file="rank-0.rec")
def sequence_around(t):
    t.between(lambda: t.stream.data(0, writes(10, t.now), sequence=MASK - 3))


@case("a loss of 2^32 - 1 records that nothing shows", damaged=False, file=None)
def lost_highest(t):
    t.begin()
    t.ten("C", lost=0xFFFFFFFF)
    t.ten("E", thread=1, count=5, encoding=0)
    t.stream.finish()
    t.save()


@case("losses of 2^64 - 1, twice", at="end")
def lost_sum(t):
    t.between(lambda: t.stream.add(LOST, (struct.pack("<Q", MASK) + string("other")) * 2, count=2))


@case("a chunk of no records", damaged=False, file=None)
def data_none(t):
    t.between(lambda: t.stream.add(DATA, b"", count=0, sequence=20))


@case("times at the end of the counter", 36, damaged=False, file=None)
def times_last(t):
    t.begin()
    t.ten("C")
    t.ten("E", thread=1, count=5, encoding=0)
    t.stream.data(0, [Record(PWRITE, MASK - 9, MASK, [Pair(5, 1), 8, 8], 8)])
    t.stream.finish()
    t.save()


@case("a unit of 2^63 ticks", at="x")
def unit_huge(t):
    t.between(lambda: t.stream.data(0, writes(2, t.now), unit=1 << 63,
                                    spoil=lambda parts: parts.update(gap=b"\x08\xff\x01\x00\x00")))


@case("anchors in chunks that contradict each other", damaged=False, file=None)
def anchors_false(t):
    t.between(lambda: (
        t.stream.add(LOST, struct.pack("<Q", 0) + string("x"), count=1,
                     anchor=(FIRST_TICK + 1000, (1 << 63) - 1, -(1 << 63))),
        t.stream.add(LOST, struct.pack("<Q", 0) + string("x"), count=1,
                     anchor=(FIRST_TICK + 1001, -(1 << 63), REAL))))


# ---- calls in flight -------------------------------------------------------------------------


@case("two thousand calls in flight in each other", damaged=False, file=None)
def open_deep(t):
    stack = b"".join(raw(Record(PWRITE, FIRST_TICK + i, 0, [Pair(5, 1), 8, 8], level=i), 0)
                     for i in range(2000))
    t.between(lambda: t.stream.add(OPEN, stack, count=2000))


@case("calls in flight that are outermost last", file="rank-0.rec", at="x")
def open_levels(t):
    stack = b"".join(raw(Record(PWRITE, FIRST_TICK, 0, [], level=level), 0)
                     for level in (1, 0))
    t.between(lambda: t.stream.add(OPEN, stack, count=2))


# ---- what costs time -------------------------------------------------------------------------


@case("two thousand headers of chunks that each claim the rest of the file")
def headers_nested(t):
    def nested(_):
        whole = b""
        for i in range(2000):
            head = bytearray(chunk(DATA, b"", count=0, sequence=0, thread=5))
            struct.pack_into("<I", head, 8, len(whole))
            struct.pack_into("<I", head, 88, 1)
            struct.pack_into("<I", head, 92, zlib.crc32(head[:92]))
            whole = bytes(head) + whole
        return whole
    t.insert("x", nested)


@case("a megabyte of nothing but the magic of chunks", at="x")
def magics(t):
    t.insert("x", lambda data: b"RCHK" * (1 << 18))


@case("a thousand chunks of the same numbers, none of which decodes", at="x")
def repeats_damaged(t):
    def same():
        for _ in range(1000):
            t.stream.rec += chunk(DATA, b"no zlib", count=10, encoding=1, plain=70, sequence=20)
    t.between(same)
