# SPDX-License-Identifier: MIT
"""Broken traces: DATA chunks of encoding 3."""
from spoiling import case, part
from write_signatures import CONSTANT
from write_summed import histogram
from write_trace import FIRST_TICK, PWRITE, WAITALL, Pair, Record, svarint, uvarint

# Ten writes, the begin of the first of which is a mark: 0, then 500 ticks before each, 500 each.
CHUNK_BASE = FIRST_TICK + 209_500
BEGINS, ENDS = ("begin", 0), ("end", 0)


def same(now, count=10, level=0):
    """Writes that have one signature."""
    return [Record(PWRITE, now + 1000 * i, now + 1000 * i + 500, [Pair(5, 1), 8, 8], 8,
                   site=(1, 64), level=level) for i in range(count)]


def around(now):
    """A call that has nine others inside."""
    return same(now, 9, 1) + [Record(WAITALL, now - 10, now + 8600, [0, [], []], 0)]


def spoiled(t, *spoils, records=same, **more):
    """Ten records in encoding 3, some parts of which are spoiled."""
    def spoil(parts):
        for change in spoils:
            change(parts)
    t.columns(spoil, records, encoding=3, coding={"choose": lambda *_: CONSTANT}, **more)


def buckets(*pairs, excess=b""):
    """A histogram of (distance, count) as they are told."""
    return uvarint(len(pairs)) + b"".join(
        uvarint(distance) + uvarint(count - 1) for distance, count in pairs) + excess


def marks(*pairs):
    return uvarint(len(pairs)) + b"".join(uvarint(index) + uvarint(gap) for index, gap in pairs)


@case("encoding 3 as it should be", 45, damaged=False)
def summed_sound(t):
    spoiled(t)


@case("encoding 3 with a call that has others inside", 45, damaged=False)
def summed_sound_around(t):
    spoiled(t, records=around)


@case("a chunk of encoding 3 that ends before it begins", at="x")
def summed_end_before(t):
    spoiled(t, times=(CHUNK_BASE, CHUNK_BASE, CHUNK_BASE - 10))


@case("a chunk of encoding 3 that ends between two time units", at="x")
def summed_end_between(t):
    spoiled(t, part("unit", uvarint(500)), times=(CHUNK_BASE, CHUNK_BASE, CHUNK_BASE + 100_010))


@case("a histogram with a number too few", at="x")
def summed_few(t):
    spoiled(t, part(ENDS, histogram([500] * 9)))


@case("a histogram with a number too many", at="x")
def summed_many(t):
    spoiled(t, part(ENDS, histogram([500] * 9 + [250, 250])))


@case("histograms of ends with more numbers than begins, and the other way", at="x")
def summed_swapped(t):
    spoiled(t, part(BEGINS, histogram([0] + [500] * 10)), part(ENDS, histogram([500] * 9)))


@case("a histogram whose sum is one more than the chunk has", at="x")
def summed_sum_more(t):
    spoiled(t, part(ENDS, histogram([500] * 9 + [501])))


@case("a histogram whose sum is one less than the chunk has", at="x")
def summed_sum_less(t):
    spoiled(t, part(ENDS, histogram([500] * 9 + [499])))


@case("a bucket beyond the last symbol", at="x")
def summed_symbol(t):
    spoiled(t, part(ENDS, buckets((1040, 10), excess=uvarint(0))))


@case("a bucket twice", at="x")
def summed_symbol_twice(t):
    spoiled(t, part(ENDS, buckets((100, 5), (0, 5))))


@case("a bucket before the last by going around 2^64", at="x")
def summed_symbol_around(t):
    spoiled(t, part(ENDS, buckets((160, 5), ((1 << 64) - 60, 5))))


@case("a bucket of 2^64 numbers", at="x")
def summed_count_huge(t):
    spoiled(t, part(ENDS, buckets((100, 1 << 64))))


@case("a histogram with 2^64 - 1 buckets", at="x")
def summed_buckets_huge(t):
    spoiled(t, part(ENDS, uvarint((1 << 64) - 1)))


@case("numbers with a sum of more than 2^63", at="x")
def summed_sum_huge(t):
    spoiled(t, part(ENDS, buckets((1039, 10), excess=uvarint(0))))


@case("more in excess than the buckets can hold", at="x")
def summed_excess(t):
    spoiled(t, part(ENDS, buckets((160, 10), excess=uvarint(71))))


@case("excess where buckets hold one number each", at="x")
def summed_excess_exact(t):
    spoiled(t, part(ENDS, buckets((100, 10), excess=uvarint(0))))


@case("a mark after more records than there are", at="x")
def summed_mark_far(t):
    spoiled(t, part("marks", marks((11, 0))))


@case("a mark whose gap is more than the time since the chunk began", at="x")
def summed_mark_gap(t):
    spoiled(t, part("marks", marks((0, 1 << 63))))


@case("more marks than bytes", at="x")
def summed_marks_many(t):
    spoiled(t, part("marks", uvarint(60_000)))


@case("a mark in the midst, so that there is a context more", at="x")
def summed_mark_more(t):
    def split(parts):
        parts["marks"] = uvarint(2) + parts["marks"][1:] + uvarint(5) + uvarint(0)
    spoiled(t, split)


@case("fewer contexts than there are", at="x")
def summed_contexts_few(t):
    def drop(parts):
        for key in (("begin", 1), ("end", 1)):
            del parts[key]
        parts["groups"] = uvarint(1)
    spoiled(t, drop, records=around)


@case("a context that no record has", at="x")
def summed_contexts_many(t):
    def add(parts):
        parts["groups"] = uvarint(2)
        parts[BEGINS] += uvarint(0)
        parts[ENDS] += uvarint(0)
    spoiled(t, add)


@case("more contexts than records", at="x")
def summed_contexts_huge(t):
    spoiled(t, part("groups", uvarint(65535)))


@case("a signature of encoding 3 that has a group", at="x")
def summed_group(t):
    def spoil(parts):
        head = parts["signatures"]
        assert head[4] == 0
        parts["signatures"] = head[:4] + b"\2" + head[5:]
    spoiled(t, spoil)


@case("a carried record that began with the chunk", at="x")
def summed_carried_none(t):
    spoiled(t, part("carried", uvarint(9) + uvarint(0)), carried=1)


@case("a carried record beyond the last", at="x")
def summed_carried_far(t):
    spoiled(t, part("carried", uvarint(10) + uvarint(5)), carried=1)


@case("a carried record that is told as if it were none", at="x")
def summed_carried_false(t):
    spoiled(t, part("carried", uvarint(9) + uvarint(5)), carried=1)


@case("two carried records in falling order", at="x")
def summed_carried_order(t):
    spoiled(t, part("carried", uvarint(9) + uvarint(5) + uvarint(8) + uvarint(6)), carried=2)


@case("a carried record from before time began", at="x")
def summed_carried_early(t):
    spoiled(t, part("carried", uvarint(9) + uvarint(1 << 62)), carried=1)


@case("an errno that is none, in encoding 3", at="x")
def summed_errno(t):
    def spoil(parts):
        head = parts["signatures"]
        parts["signatures"] = head[:5] + svarint(1 << 40) + head[6:]
    spoiled(t, spoil)


@case("encoding 3 with 2^20 + 1 records", at="x")
def summed_records_huge(t):
    spoiled(t, count=(1 << 20) + 1)
