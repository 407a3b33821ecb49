# SPDX-License-Identifier: MIT
"""Broken traces: numbers of encoding 2, which say what comes next, when, and what stands aside."""
from spoiling import case, part
from spoiling_signatures import IDS, OFFSET, RUNS, in_one, numbers, one, spoiled
from write_signatures import CHAINS, entropy_coded, plain_sequence, scaled, symbol_of, table
from write_trace import PWRITE, Pair, Record, uvarint


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
