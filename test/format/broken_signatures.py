# SPDX-License-Identifier: MIT
"""Broken traces: DATA chunks of encoding 2."""
import zlib

from spoiling import case, four_opens, four_waits, part
from write_signatures import (
    ADD, ASIDE, CHAINS, CONSTANT, EQUAL, RELATIVE, entropy_coded, plain_sequence, scaled, symbol_of,
    table)
from write_trace import PWRITE, Pair, Record, svarint, uvarint

OFFSET = (PWRITE.name, 7)
RUNS, IDS = [0, 0, 0, 0, 6], [0, 0, 0, 0]   # of ten records of one signature


def in_one(_, field):
    """Ten writes have one signature: their offsets stand aside."""
    return {3: RELATIVE, 6: EQUAL, 7: ASIDE}.get(field, CONSTANT)


def constant(value):
    return uvarint(CONSTANT) + svarint(value)


# fields of the writes: repeat - 1, call site, stack, result, descriptor, its id, bytes, offset
FIELDS = {0: constant(0), 1: constant(0), 2: constant(0), 3: uvarint(RELATIVE) + svarint(6),
          4: constant(5), 5: constant(1), 6: uvarint(EQUAL) + uvarint(3), 7: uvarint(ASIDE) + b"\1"}


def one(fields=None, function=0, level=0, times=0, err=0, args=3):
    """The signature of the writes, with some fields otherwise."""
    head = uvarint(function) + uvarint(level) + b"\0" + uvarint(times) + svarint(err)
    return head + uvarint(args) + b"".join((FIELDS | (fields or {})).values())


def spoiled(t, *spoils, records=None, **more):
    """Ten records in encoding 2, some parts of which are spoiled."""
    def spoil(parts):
        for change in spoils:
            change(parts)
    t.columns(spoil, records, encoding=2, coding={"own": 2, "choose": in_one}, **more)


def signed_by(t, *signatures):
    spoiled(t, part("signatures", uvarint(len(signatures)) + b"".join(signatures)))


def numbers(t, name, *values, factor=b""):
    spoiled(t, part(name, factor + plain_sequence(values)))


@case("encoding 2 as it should be", 45, damaged=False)
def signatures_sound(t):
    signed_by(t, one())


# ---- the two parts ------------------------------------------------------------------------


@case("bytes after the bits", at="x")
def bits_after(t):
    spoiled(t, part("bits", b"more"))


@case("words whose zlib stream is cut", at="x")
def words_cut(t):
    spoiled(t, body=zlib.compress(bytes(70))[:-3], plain=70)


@case("words that inflate to more than it says", at="x")
def words_more(t):
    spoiled(t, plain=20)


@case("words after the last sequence", at="x")
def words_left(t):
    spoiled(t, part(OFFSET, uvarint(8) + plain_sequence([0] + [2] * 9) + b"\0"))


@case("words that end before the last sequence", at="x")
def words_short(t):
    spoiled(t, part(OFFSET, b""))


@case("encoding 2 with a function without a definition", at="x")
def signatures_undefined(t):
    spoiled(t, part("functions", uvarint(1) + uvarint(4711)))


@case("encoding 2 with one record less than the header counts", at="x")
def signatures_count_more(t):
    spoiled(t, count=11)


@case("encoding 2 with one record more than the header counts", at="x")
def signatures_count_less(t):
    spoiled(t, count=9)


@case("a module whose id has 33 bits", at="x")
def site_module_wide(t):
    spoiled(t, part("sites", uvarint(1) + uvarint(1 << 32) + uvarint(64)))


# ---- strings and arrays --------------------------------------------------------------------


def path(t, *strings, index=2, records=1, **more):
    """Calls of open() with string `index` - 2 of a list."""
    words = b"".join([uvarint(0), uvarint(0), b"\0", uvarint(0), svarint(0), uvarint(2)] +
                     [constant(value) for value in (0, 0, 0, 5, 1, index, 0)])
    spoiled(t, part("strings", uvarint(len(strings)) + b"".join(strings)),
            part("signatures", uvarint(1) + words), *more.pop("spoils", ()),
            records=lambda now: four_opens(now)[:records], **more)


def string(text, back=0, same=0, length=None, cut=0):
    return (uvarint(back) + uvarint(same + 1) + uvarint(len(text) + same if length is None else length) +
            uvarint(cut) + text)


def next_string(back, step):
    return uvarint(back) + uvarint(0) + uvarint(step)


@case("strings like others, as they should be", 36, damaged=False)
def strings_sound(t):
    path(t, string(b"a.098"), next_string(1, 1), next_string(2, 901), string(b"b", 1, 2), index=5)


@case("an index beyond the list of strings", at="x")
def string_index(t):
    path(t, string(b"/tmp/a"), index=3)


@case("a string like one before the first", at="x")
def string_back(t):
    path(t, string(b"/tmp/a", back=1))


@case("a string that counts on from none", at="x")
def string_count_none(t):
    path(t, next_string(0, 1))


@case("a string that counts on from one without a number", at="x")
def string_count_letters(t):
    path(t, string(b"/tmp/a"), next_string(1, 1), index=3)


@case("a string that counts on beyond its digits", at="x")
def string_count_beyond(t):
    path(t, string(b"part.999"), next_string(1, 1), index=3)


@case("a string that counts on around 2^64", at="x")
def string_count_around(t):
    path(t, string(b"part.999"), next_string(1, (1 << 64) - 1), index=3)


@case("a string with more bytes in common with another than that has", at="x")
def string_prefix_long(t):
    path(t, string(b"/tmp"), string(b"a", back=1, same=5), index=3)


@case("a string with more bytes in common with another than it has", at="x")
def string_prefix_short(t):
    path(t, string(b"/tmp"), string(b"", back=1, same=4, length=3), index=3)


@case("a string of 2^33 bytes", at="x")
def string_original(t):
    path(t, string(b"/tmp/a", cut=1 << 33))


@case("a string that goes on beyond the words", at="x")
def string_beyond(t):
    path(t, string(b"/tmp/a", length=30_000))


@case("a string of 40 KB that no record has", at="x")
def string_unused(t):
    path(t, string(b"/tmp/a"), string(b"/" * 40_000))


@case("100 MB of strings in some bytes", at="x")
def strings_bomb(t):
    path(t, string(b"/" * 30_000 + b"9"), *[next_string(1, 0)] * 3400)


@case("a record of encoding 2 of more than 32 KiB", at="x")
def signature_large(t):
    path(t, string(b"/" * 32_700))


@case("70 MB of records that are all the same", at="x")
def signatures_bomb(t):
    spoils = (part("runs", plain_sequence([0, 0, 0, 0, 3496])), part("ids", plain_sequence(IDS)),
              part(("idle", 0), plain_sequence([0] * 3500)),
              part(("duration", 0), plain_sequence([0] * 3500)))
    path(t, string(b"/" * 20_000), count=3500, spoils=spoils)


def waits(t, *arrays, index=2):
    words = b"".join([uvarint(0), uvarint(0), b"\0", uvarint(0), svarint(0), uvarint(2)] +
                     [constant(value) for value in (0, 0, 0, 0, 1, index)])
    spoiled(t, part("arrays", uvarint(len(arrays)) + b"".join(arrays)),
            part("signatures", uvarint(1) + words), records=lambda now: four_waits(now)[:1])


def array(*differences, count=None, cut=0):
    return uvarint(len(differences) if count is None else count) + uvarint(cut) + (
        svarint(-9) if cut else b"") + b"".join(map(svarint, differences))


@case("arrays as they should be", 36, damaged=False)
def arrays_sound(t):
    waits(t, array(1, 2, 3), array(5, cut=3), index=3)


def like(back, step):
    return uvarint(4096 + back) + svarint(step)


@case("arrays like others, one of them cut", 36, damaged=False)
def arrays_stepped(t):
    waits(t, array(1, 2, 3), like(1, 5), array(5, cut=3), like(1, -7), like(3, 1 << 62), index=5)


def unlike(back, *steps, count=None):
    return like(back, 0) + uvarint(len(steps) if count is None else count) + b"".join(map(svarint, steps))


@case("arrays whose elements have steps of their own, one of them cut", 36, damaged=False)
def arrays_unlike(t):
    waits(t, array(1, 2, 3), unlike(1, 0, -5, 1 << 62), array(5, cut=3), unlike(1, -7), array(),
          unlike(1), unlike(5, 0, 0, 0), index=6)


@case("an array with fewer steps than the other one has elements", at="x")
def array_fewer_steps(t):
    waits(t, array(1, 2, 3), unlike(1, 4, 5), index=3)


@case("an array with more steps than the other one has elements", at="x")
def array_more_steps(t):
    waits(t, array(1, 2, 3), unlike(1, 4, 5, 6, 7), index=3)


@case("an array with 2^40 steps", at="x")
def array_many_steps(t):
    waits(t, array(1, 2, 3), unlike(1, 4, 5, 6, count=1 << 40), index=3)


@case("an array like one before the first", at="x")
def array_like_none(t):
    waits(t, array(1), like(2, 1), index=3)


@case("an array of 4,096 elements that are not there", at="x")
def array_missing(t):
    waits(t, array(1), like(0, 1), index=3)


@case("an index beyond the list of arrays", at="x")
def array_index(t):
    waits(t, array(1), index=3)


@case("an array of 2^40 elements in encoding 2", at="x")
def array_beyond(t):
    waits(t, array(1, count=1 << 40))


@case("an array of 2^33 elements of which one is stored", at="x")
def array_original(t):
    waits(t, array(1, cut=1 << 33))


@case("an array of 5,000 elements that no record has", at="x")
def array_unused(t):
    waits(t, array(1), array(*[1] * 5000))  # 5,000 is the one that is 904 before


# ---- signatures ------------------------------------------------------------------------------


@case("a list of 2^40 signatures", at="x")
def signatures_many(t):
    spoiled(t, part("signatures", uvarint(1 << 40) + one()))


@case("65,535 signatures", at="x")
def signatures_limit(t):
    signed_by(t, *[one()] * 65535)


@case("65,536 chains", at="x")
def chains_many(t):
    spoiled(t, part("chains", uvarint(65536)))


@case("65,536 groups", at="x")
def groups_many(t):
    spoiled(t, part("groups", uvarint(65536)))


@case("a signature of a function beyond the list", at="x")
def signature_function(t):
    signed_by(t, one(function=1))


@case("a signature with a level of 70,000", at="x")
def signature_level(t):
    signed_by(t, one(level=70_000))


@case("a signature of a group that is not there", at="x")
def signature_group(t):
    signed_by(t, one(times=2 << 1))


@case("a signature with an errno of 2^40", at="x")
def signature_err(t):
    signed_by(t, one(err=1 << 40))


@case("a signature with four arguments of a function that has three", at="x")
def signature_arguments(t):
    signed_by(t, one(args=4) + constant(0))


@case("a field with operation 5", at="x")
def field_operation(t):
    signed_by(t, one({2: uvarint(5) + svarint(0)}))


@case("a field that is equal to itself", at="x")
def field_equal_itself(t):
    signed_by(t, one({6: uvarint(EQUAL) + uvarint(6)}))


@case("a field that is equal to a later one", at="x")
def field_equal_later(t):
    signed_by(t, one({6: uvarint(EQUAL) + uvarint(7)}))


@case("a field of a chain that is not there", at="x")
def field_chain(t):
    signed_by(t, one({7: uvarint(ASIDE) + uvarint(CHAINS)}))


@case("a field added to a chain where there is none", at="x")
def field_no_chain(t):
    spoiled(t, part("chains", uvarint(0)),
            part("signatures", uvarint(1) + one({7: uvarint(ADD) + uvarint(0) + svarint(8)})),
            lambda parts: parts.pop(OFFSET))


@case("a repeat of 2^32", at="x")
def field_repeat(t):
    signed_by(t, one({0: constant((1 << 32) - 1)}))


@case("a call site beyond the list", at="x")
def field_site(t):
    signed_by(t, one({1: constant(1)}))


@case("a call site that is counted on beyond the list", at="x")
def field_site_counted(t):
    signed_by(t, one({1: uvarint(ADD) + uvarint(0) + svarint(1)}))


@case("a stack of 2^32", at="x")
def field_stack(t):
    signed_by(t, one({2: constant(1 << 32)}))


@case("a stack that is what self makes it, -1", at="x")
def field_stack_relative(t):
    signed_by(t, one({2: uvarint(RELATIVE) + svarint(-3)}))


@case("a stack that is counted on to 2^32", at="x")
def field_stack_counted(t):
    signed_by(t, one({2: uvarint(ADD) + uvarint(0) + svarint(1 << 31)}))


@case("a pair whose value is 2^31", at="x")
def field_pair_value(t):
    signed_by(t, one({4: constant(1 << 31)}))


@case("a pair whose value is a negative number that is not extended", at="x")
def field_pair_half(t):
    signed_by(t, one({4: constant(0xFFFFFFFF)}))


@case("a pair whose id is -1", at="x")
def field_pair_id(t):
    signed_by(t, one({5: constant(-1)}))


@case("a field that does not fit in a signature that no record has", at="x")
def field_unused(t):
    signed_by(t, one(), one({2: constant(1 << 32)}))


@case("a field that is equal to one that does not fit, in a signature that no record has", at="x")
def field_unused_equal(t):
    signed_by(t, one(), one({3: constant(1 << 32), 5: uvarint(EQUAL) + uvarint(3)}))


@case("a string that is not there in a signature that no record has", at="x")
def field_unused_string(t):
    words = b"".join([uvarint(0), uvarint(0), b"\0", uvarint(0), svarint(0), uvarint(1)])
    good, bad = [words + b"".join(constant(value) for value in (0, 0, 0, 5, 1, index))
                 for index in (2, 3)]
    spoiled(t, part("strings", uvarint(1) + string(b"/tmp/a")),
            part("signatures", uvarint(2) + good + bad),
            records=lambda now: four_opens(now)[:1])


@case("repeated records of encoding 2 in a chunk whose header says there is none", 45, at="x")
def signatures_repeats(t):
    signed_by(t, one({0: constant(1)}))


# ---- which comes next ----------------------------------------------------------------------------


@case("a signature beyond the list", at="x")
def ids_beyond(t):
    numbers(t, "ids", 0, 0, 0, 1)


@case("a signature of 2^64 - 1", at="x")
def ids_huge(t):
    numbers(t, "ids", 0, 0, 0, (1 << 64) - 1)


@case("too few signatures' numbers", at="x")
def ids_few(t):
    numbers(t, "ids", *IDS[1:])


@case("too many signatures' numbers", at="x")
def ids_many(t):
    numbers(t, "ids", *IDS, 0)


@case("a run longer than the chunk", at="x")
def run_long(t):
    numbers(t, "runs", *RUNS[:4], 1 << 40)


@case("runs that are one record too long", at="x")
def runs_long(t):
    numbers(t, "runs", *RUNS[:4], 7)


@case("runs that are one record too short", at="x")
def runs_short(t):
    numbers(t, "runs", *RUNS[:4], 5)


@case("too few runs", at="x")
def runs_few(t):
    numbers(t, "runs", 0, 0, 0, 0)


@case("too many runs", at="x")
def runs_many(t):
    numbers(t, "runs", *RUNS, 0)


@case("a run where nothing is known", at="x")
def run_nowhere(t):
    numbers(t, "runs", 1, 0, 0, 0, 5)


# ---- numbers ------------------------------------------------------------------------------------


@case("too few idle times", at="x")
def idle_few(t):
    numbers(t, ("idle", 0), 0, *[500] * 8)


@case("too many idle times", at="x")
def idle_many(t):
    numbers(t, ("idle", 0), 0, *[500] * 9, 0)


@case("an idle time in a group of no record", at="x")
def idle_nobody(t):
    numbers(t, ("idle", 1), 0)


@case("too few durations", at="x")
def durations_few(t):
    numbers(t, ("duration", 0), *[500] * 9)


@case("too many durations", at="x")
def durations_many(t):
    numbers(t, ("duration", 0), *[500] * 11)


@case("too few numbers aside", at="x")
def aside_few(t):
    numbers(t, OFFSET, 0, *[2] * 8, factor=uvarint(8))


@case("too many numbers aside", at="x")
def aside_many(t):
    numbers(t, OFFSET, 0, *[2] * 10, factor=uvarint(8))


def by_chain(t, *parts, count=None):
    """The offsets, whose chain is 1, in sequences by chain: (distance to the chain before, numbers)."""
    words = uvarint(0) + uvarint(len(parts) if count is None else count)
    for distance, numbers_ in parts:
        words += uvarint(distance) + uvarint(8) + plain_sequence(numbers_)
    spoiled(t, part(OFFSET, words))


@case("numbers aside by chain", 45, damaged=False)
def aside_by_chain(t):
    by_chain(t, (1, [0] + [2] * 9))


@case("numbers aside by chain, one of which has none", 45, damaged=False)
def aside_by_chains(t):
    by_chain(t, (1, [0] + [2] * 9), (1, []))


@case("numbers aside by chain, of no chain", at="x")
def aside_of_none(t):
    by_chain(t)


@case("numbers aside by chain, of another chain", at="x")
def aside_of_another(t):
    by_chain(t, (2, [0] + [2] * 9))


@case("numbers aside by chain, of one chain twice", at="x")
def aside_of_one_twice(t):
    by_chain(t, (1, [0] + [2] * 9), (0, []))


@case("numbers aside by chain, of a chain beyond the last", at="x")
def aside_beyond(t):
    by_chain(t, (1, [0] + [2] * 9), (CHAINS - 1, []))


@case("numbers aside by chain, of a chain of no field", at="x")
def aside_of_nobody(t):
    by_chain(t, (1, [0] + [2] * 9), (1, [2]))


@case("numbers aside by 2^40 chains", at="x")
def aside_endless(t):
    by_chain(t, (1, [0] + [2] * 9), count=1 << 40)


@case("2^40 durations", at="x")
def durations_endless(t):
    spoiled(t, part(("duration", 0), uvarint(1 << 41) + b"\1" * 10))


@case("a call of encoding 2 that ends after 2^64 ticks", at="x")
def duration_around(t):
    numbers(t, ("duration", 0), *[500] * 9, (1 << 64) - 1)


@case("a call of encoding 2 that begins after 2^64 ticks", at="x")
def idle_around(t):
    numbers(t, ("idle", 0), 0, *[500] * 8, (1 << 64) - 1)


@case("a call of encoding 2 that began before the counter", at="x")
def after_before(t):
    spoiled(t, part("signatures", uvarint(1) + one(times=1)),
            part(("duration", 0), plain_sequence([1 << 60] * 10)))


@case("carried records of encoding 2 of which the list says nothing", at="x")
def carried_missing(t):
    spoiled(t, part("signatures", uvarint(1) + one(times=1)),
            part(("duration", 0), plain_sequence([400_000] * 10)))


@case("a carried record of encoding 2 that is not carried", at="x")
def carried_not(t):
    spoiled(t, part("carried", uvarint(3) + uvarint(7)), carried=1)


# ---- packed sequences ------------------------------------------------------------------------------


def packed(t, change=None, log=5):
    """200 writes whose durations, and nothing else, are packed. change(frequencies, code, count of
    bits): what to make of these, as (words, bits)."""
    durations = [300 + 40 * (i % 9) for i in range(200)]

    def records(now):
        starts = [now + 1000 * i for i in range(200)]
        return [Record(PWRITE, start, start + duration, [Pair(5, 1), 8, 8 * i], 8, site=(1, 64))
                for i, (start, duration) in enumerate(zip(starts, durations))]

    def spoil(parts):
        occurred = {symbol_of(number)[0]: 1 for number in durations}
        frequencies = scaled({symbol: 1 for symbol in sorted(occurred)}, 1 << log)
        code, count = entropy_coded(durations, frequencies, log)
        idle = [t.now - t.stream.base[0]] + [1000 - duration for duration in durations[:-1]]
        parts["idle", 0] = plain_sequence(idle)
        parts[OFFSET] = uvarint(8) + plain_sequence([0] + [2] * 199)
        parts["duration", 0], parts["bits"] = (change or in_words)(frequencies, code, count)
    t.columns(spoil, records, encoding=2, coding={"own": 2, "choose": in_one})


def in_words(frequencies, code, count, log=5, numbers_=200, told=None):
    words = uvarint(numbers_ << 1 | 1) + table(log, frequencies)
    return words + uvarint(count if told is None else told), code.to_bytes((count + 7) // 8, "little")


@case("packed durations as they should be", 235, damaged=False)
def packed_sound(t):
    packed(t)


@case("a packed sequence of 16 states", at="x")
def packed_log_small(t):
    packed(t, lambda frequencies, code, count: in_words(dict.fromkeys(range(16), 1), code, count, 4))


@case("a packed sequence of 4096 states", at="x")
def packed_log_large(t):
    packed(t, lambda frequencies, code, count: in_words({300: 4096}, code, count, 12))


@case("a packed sequence with fewer numbers than its states must have", at="x")
def packed_few(t):
    packed(t, lambda frequencies, code, count: in_words(scaled(frequencies, 64), code, count, 6))


@case("a packed sequence without symbols", at="x")
def packed_no_symbols(t):
    packed(t, lambda frequencies, code, count: in_words({}, code, count))


@case("frequencies with a sum that is 1 too small", at="x")
def packed_sum_small(t):
    packed(t, lambda frequencies, code, count: in_words(scaled(frequencies, 31), code, count))


@case("frequencies with a sum that is 1 too large", at="x")
def packed_sum_large(t):
    packed(t, lambda frequencies, code, count: in_words(scaled(frequencies, 33), code, count))


@case("a frequency of 2^63", at="x")
def packed_frequency_huge(t):
    packed(t, lambda frequencies, code, count: in_words({200: 1 << 63, 201: 1 << 63, 202: 32}, code,
                                                        count))


@case("symbol 1040", at="x")
def packed_symbol(t):
    packed(t, lambda frequencies, code, count: in_words({200: 31, 1040: 1}, code, count))


@case("a symbol after the last by going around 2^64", at="x")
def packed_symbol_around(t):
    packed(t, lambda frequencies, code, count: in_words({200: 31, (1 << 64) + 199: 1}, code, count))


@case("a symbol twice", at="x")
def packed_symbol_twice(t):
    def twice(_, code, count):
        words = uvarint(401) + uvarint(2) + b"\5" + (uvarint(200) + uvarint(15)) + (
            uvarint(0) + uvarint(15)) + uvarint(count)
        return words, code.to_bytes((count + 7) // 8, "little")
    packed(t, twice)


@case("bits left over in a packed sequence", at="x")
def packed_bits_left(t):
    packed(t, lambda frequencies, code, count: in_words(frequencies, code << 8, count + 8))


@case("bits missing in a packed sequence", at="x")
def packed_bits_missing(t):
    packed(t, lambda frequencies, code, count: in_words(frequencies, code >> 8, count - 8))


@case("a packed sequence of nine bits, for two states of five", at="x")
def packed_no_bits(t):
    packed(t, lambda frequencies, code, count: in_words(frequencies, 0, 9))


@case("a packed sequence that ends in a state that is not 0", at="x")
def packed_state(t):
    packed(t, lambda frequencies, code, count: in_words(frequencies, code ^ 1, count))


@case("a packed sequence with more bits than the body has", at="x")
def packed_bits_beyond(t):
    packed(t, lambda frequencies, code, count: in_words(frequencies, code, count, told=count + 80))


@case("a packed sequence of 2^64 - 1 bits", at="x")
def packed_bits_huge(t):
    packed(t, lambda frequencies, code, count: in_words(frequencies, code, count, told=(1 << 64) - 1))


@case("21 million numbers in no bits", at="x")
def packed_bomb(t):
    packed(t, lambda frequencies, code, count: in_words({300: 32}, 0, 10, numbers_=21 << 20))


@case("a packed sequence of 2^40 numbers in no bits", at="x")
def packed_endless(t):
    packed(t, lambda frequencies, code, count: in_words({300: 32}, 0, 10, numbers_=1 << 40))
