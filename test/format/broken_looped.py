# SPDX-License-Identifier: MIT
"""Broken traces: DATA chunks of encoding 4, and what rings hold."""
import struct
import zlib

import live_trace
from broken_live import RING, killed, live_case, patched
from spoiling import case, part
from write_looped import histogram, looped, step_words
from write_trace import DATA, FIRST_TICK, PWRITE, WAITALL, Pair, Record, chunk, raw, uvarint

CHUNK_BASE = FIRST_TICK + 209_500
BEGINS, ENDS = ("begin", 0), ("end", 0)
SITE = 40           # byte of a raw record
HUGE = (1 << 64) - 1


def counting(now, count=10):
    """Writes one behind the other: a loop of one record."""
    return [Record(PWRITE, now + 1000 * i, now + 1000 * i + 500 + i % 3, [Pair(5 + i, 1), 8, 8 * i], 8,
                   site=(1, 64)) for i in range(count)]


def around(now):
    """Twice a call that has four others inside."""
    made = []
    for start in (now, now + 10_000):
        made += [Record(PWRITE, start + 1000 * i, start + 1000 * i + 500, [Pair(5, 1), 8, 8], 8, level=1)
                 for i in range(4)]
        made.append(Record(WAITALL, start - 10, start + 4000, [0, [], []], 0))
    return made


def spoiled(t, *spoils, records=counting, period=1, **more):
    """Ten records in encoding 4, some parts of which are spoiled."""
    def spoil(parts):
        for change in spoils:
            change(parts)
    t.columns(spoil, records, encoding=4, coding={"period": period}, **more)


def in_block(at, form, value):
    """A change in the first record of the block."""
    def spoil(parts):
        parts["block"] = patched(parts["block"], at, form, value)
    return spoil


@case("encoding 4 as it should be", 45, damaged=False)
def looped_sound(t):
    spoiled(t)


@case("encoding 4 with a call that has others inside", 45, damaged=False)
def looped_sound_around(t):
    spoiled(t, records=around, period=5)


@case("encoding 4 that is not deflated", 45, damaged=False)
def looped_sound_plain(t):
    def make():
        records = counting(t.now)
        parts, _ = looped(records, t.stream.base[0], 1, 0)
        t.stream.data(0, records, encoding=4, body=b"".join(parts.values()))
    t.between(make)


@case("a loop without an iteration", at="x")
def looped_iterations_none(t):
    spoiled(t, part("iterations", uvarint(0)))


@case("a loop of more iterations than records", at="x")
def looped_iterations_many(t):
    spoiled(t, part("iterations", uvarint(11)))


@case("a loop of iterations whose number goes around 2^64", at="x")
def looped_iterations_around(t):
    spoiled(t, part("iterations", uvarint((1 << 63) + 5)), part("period", uvarint(2)))


@case("a loop of nothing", at="x")
def looped_period_none(t):
    spoiled(t, part("period", uvarint(0)))


@case("a loop of more records than bytes", at="x")
def looped_period_huge(t):
    spoiled(t, part("iterations", uvarint(1)), part("period", uvarint(1 << 20)), count=1 << 20)


@case("a loop of 2^31 records that has histograms of ten", at="x")
def looped_count_huge(t):
    spoiled(t, part("iterations", uvarint(1 << 31)), count=1 << 31)


@case("a loop of more records than 2^31: its header counts as damaged", damaged=True, at="x")
def looped_count_beyond(t):
    spoiled(t, part("iterations", uvarint((1 << 31) + 1)), count=(1 << 31) + 1)


@case("a record of the block without a size", at="x")
def looped_record_empty(t):
    spoiled(t, in_block(0, "I", 0))


@case("a record of the block that is larger than the body", at="x")
def looped_record_large(t):
    spoiled(t, in_block(0, "I", 4096))


@case("a record of the block of a function that the list lacks", at="x")
def looped_function(t):
    spoiled(t, in_block(4, "H", WAITALL.id))


@case("a record of the block of a function that is not defined", at="x")
def looped_function_unknown(t):
    spoiled(t, in_block(4, "H", 999))


@case("a call site beyond the list", at="x")
def looped_site(t):
    spoiled(t, in_block(SITE, "Q", 1))


@case("a record of the block with more arguments than it has room for", at="x")
def looped_args(t):
    spoiled(t, in_block(12, "B", 64))


@case("a step of a record beyond the block", at="x")
def looped_step_far(t):
    spoiled(t, part("steps", step_words([(1, 3, [8])])))


@case("a step of an argument beyond the last", at="x")
def looped_step_argument(t):
    spoiled(t, part("steps", step_words([(0, 4, [8])])))


@case("two steps of one field", at="x")
def looped_step_twice(t):
    spoiled(t, part("steps", step_words([(0, 3, [8]), (0, 3, [8])])))


@case("steps in falling order of fields", at="x")
def looped_step_order(t):
    spoiled(t, part("steps", step_words([(0, 3, [8]), (0, 1, [1, 0])])))


@case("a step of an array", at="x")
def looped_step_array(t):
    spoiled(t, part("steps", step_words([(4, 2, [8])])), records=around, period=5)


@case("a step of a descriptor that has more than 32 bits", at="x")
def looped_step_wide(t):
    spoiled(t, part("steps", step_words([(0, 1, [1 << 31, 0])])))


@case("more steps than bytes", at="x")
def looped_steps_many(t):
    spoiled(t, part("steps", uvarint(1 << 30)))


@case("a call that has calls inside that were before the block", at="x")
def looped_inside_many(t):
    spoiled(t, part("times", uvarint(1) + uvarint(0)))


@case("a call that begins in the midst of another one", at="x")
def looped_inside_half(t):
    spoiled(t, part("times", bytes([0, 0, 1, 0, 0, 0, 2, 0, 4, 1])), records=around, period=5)


@case("a context whose number comes too early", at="x")
def looped_context_far(t):
    spoiled(t, part("times", uvarint(0) + uvarint(1)))


@case("a context that no record has", at="x")
def looped_contexts_many(t):
    spoiled(t, part("contexts", uvarint(2)))


@case("a histogram with a number too few", at="x")
def looped_few(t):
    spoiled(t, part(ENDS, histogram([500] * 9)))


@case("a histogram with a number too many", at="x")
def looped_many(t):
    spoiled(t, part(ENDS, histogram([500] * 11)))


@case("a histogram with a sum that is not the chunk's", at="x")
def looped_sum(t):
    spoiled(t, part(ENDS, histogram([501] * 10)))


@case("a bucket that is not four symbols", at="x")
def looped_bucket(t):
    spoiled(t, part(ENDS, uvarint(1) + uvarint(129) + uvarint(9) + uvarint(0)))


@case("numbers with a sum of more than 2^63", at="x")
def looped_sum_huge(t):
    spoiled(t, part(ENDS, uvarint(1) + uvarint(1036) + uvarint(9) + uvarint(0)))


@case("more in excess than the buckets can hold", at="x")
def looped_excess(t):
    spoiled(t, part(ENDS, uvarint(1) + uvarint(160) + uvarint(9) + uvarint(10_000)))


@case("words behind the last histogram", at="x")
def looped_left(t):
    spoiled(t, part(ENDS, histogram([500] * 10) + b"\0"))


@case("a loop with a carried record", at="x")
def looped_carried(t):
    spoiled(t, part("carried", uvarint(0) + uvarint(5)), carried=1)


@case("a loop that begins before the record before ended", at="x")
def looped_begin(t):
    spoiled(t, times=(CHUNK_BASE, CHUNK_BASE - 10, CHUNK_BASE + 100_000))


@case("a loop that ends before it begins", at="x")
def looped_end(t):
    spoiled(t, times=(CHUNK_BASE, CHUNK_BASE + 500, CHUNK_BASE + 10))


@case("a loop that begins between two time units", at="x")
def looped_between(t):
    spoiled(t, part("unit", uvarint(500)), times=(CHUNK_BASE, CHUNK_BASE + 10, CHUNK_BASE + 100_000))


@case("a loop whose times go around 2^64", at="x")
def looped_times_around(t):
    spoiled(t, part("unit", uvarint(1 << 63)), times=(0, 0, 1 << 63))


# ---- what is held ----------------------------------------------------------------------------------


def place(number, *chunks, **more):
    """One of the two places."""
    data = b"".join(chunks)
    head = struct.pack("<IIQI", more.get("magic", 0x444C4548), more.get("size", len(data)), number, 0)
    crc = more.get("crc", zlib.crc32(head))
    return (head + struct.pack("<I", crc) + data).ljust(2048, b"\0")


def held(first=4, count=6, thread=0):
    """A loop that goes on behind the four records of the .rec."""
    base, now = live_trace.calls(4)[-1].tend, live_trace.calls(5, 10)[0].tstart - 700 * count
    records = [Record(PWRITE, now + 600 * i, now + 600 * i + 300, [Pair(5, 1), 8, 8 * i], 8, site=(1, 64))
               for i in range(count)]
    parts, _ = looped(records, base, 1, 0)
    body = b"".join(parts.values())
    return chunk(DATA, body, count, 4, 0, len(body), thread, first,
                 (base, records[0].tstart, records[-1].tend))


def tail(first=10):
    """The first two records of the ring, as a raw chunk behind it."""
    records = live_trace.calls(5, 10)[:2]
    body = b"".join(raw(record, first + i) for i, record in enumerate(records))
    return chunk(DATA, body, 2, 0, 0, len(body), 0, first,
                 (records[0].tstart - 700 * 6 + 600 * 5 + 300, records[0].tstart, records[-1].tend))


def ring_with(*places, first=10, **more):
    ring = live_trace.ring(live_trace.calls(5, 10), first=first, **more)
    data = b"".join(places)
    return patched(patched(ring, 120, "I", len(ring)), 124, "I", len(data)) + data


EMPTY = bytes(2048)


@live_case("a ring that holds a loop", 18, damaged=False)
def held_sound(t):
    killed(t, {RING: ring_with(place(1, held()), EMPTY)})


def holding():
    """A ring with a loop behind it, and the first records that it has."""
    return ring_with(EMPTY, place(2, held(), tail()))


@live_case("a ring that holds a loop and the first records that it has", 18, damaged=False)
def held_tail(t):
    killed(t, {RING: holding()})


@live_case("a place that was being written: the other one counts", 18, damaged=False)
def held_torn(t):
    killed(t, {RING: ring_with(place(7, held()), place(8, held()[:300] + b"\xff" + held()[301:]))})


@live_case("two places: the later one counts", 18, damaged=False)
def held_later(t):
    killed(t, {RING: ring_with(place(8, held()), place(7, held(count=5)))})


@live_case("a held loop that the .rec has, and that the ring follows", 12, damaged=False)
def held_again(t):
    killed(t, {RING: ring_with(place(1, held(first=0, count=4)), EMPTY, first=4)})


@live_case("two places that both are false: what was held is missing", 12, file="a")
def held_false(t):
    killed(t, {RING: ring_with(place(1, held(), crc=7), place(2, held(), size=4096))})


@live_case("a place without its magic: what was held is missing", 12, file="a")
def held_magic(t):
    killed(t, {RING: ring_with(place(1, held(), magic=0), EMPTY)})


@live_case("a held chunk of another thread: what was held is missing", 12, file="a")
def held_other(t):
    killed(t, {RING: ring_with(place(1, held(thread=9)), EMPTY)})


@live_case("a place with something else behind its chunk: what was held is missing", 12, file="a")
def held_more(t):
    killed(t, {RING: ring_with(place(1, held(), b"more than nothing"), EMPTY)})


@live_case("what is held lies outside of the ring's file", 7)
def held_outside(t):
    killed(t, {RING: patched(ring_with(place(1, held()), EMPTY), 124, "I", 1 << 20)})
