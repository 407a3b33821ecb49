# SPDX-License-Identifier: MIT
"""Broken traces: DATA chunks of encoding 5."""
from spoiling import case, part
from write_looped import histogram, part_words, step_words
from write_trace import FIRST_TICK, MASK, OPEN_FILE, PWRITE, WAITALL, Pair, Record, uvarint

CHUNK_BASE, NOW = FIRST_TICK + 209_500, FIRST_TICK + 300_000
RUNS = ((1, 3), (1, 1), (2, 2))         # eight records, four of them in the block
AROUND = ((1, 3), (2, 2), (1, 1))
FIRST_ENDS, LAST_ENDS = ("end", 0), ("end", 2)     # of runs: five in an iteration; two
LARGEST = [b"x" * (32768 - 88), 0]      # arguments with which a record takes 32 KiB
FAR = 1 << 31


def calls_of(i):
    """Calls of an iteration, by the part: offsets begin anew in the first one, and go on in the last."""
    made = [(PWRITE, [Pair(5 + i, 1), 8 - i, 8 * k], 8, (1, 64)) for k in range(3)]
    made.append((WAITALL, [i, [7], [1]], 0, (1, 80)))
    for k in range(2 * i, 2 * i + 2):
        made.append((PWRITE, [Pair(7 - k, 3 + k), 8, 16 * k], k, (1, 96)))
        made.append((OPEN_FILE, [b"/tmp/a", 2, (k << 62) & MASK], Pair(5 + k - 2 * i, 1 + i), (1, 112)))
    return made


def runs(now):
    """Three writes, another call, and twice a write and an opening; all of it three times."""
    made = []
    for function, args, result, site in (call for i in range(3) for call in calls_of(i)):
        made.append(Record(function, now, now + 500 + len(made) % 3, args, result, site=site))
        now += 1000
    return made


def around(now):
    """Three times a call that has others inside: three writes, and twice an opening with a write inside."""
    made = []
    for i in range(3):
        start = now + 10_000 * i
        made += [Record(PWRITE, start + 500 * k, start + 500 * k + 300, [Pair(5, 1), 8, 8 * k], 8, level=1)
                 for k in range(3)]
        for k in range(2):
            begin = start + 2000 + 1000 * k
            made.append(Record(PWRITE, begin + 100, begin + 400, [Pair(6 + k, 1), 8, 4096 * i], 8, level=2))
            made.append(Record(OPEN_FILE, begin, begin + 600, [b"/tmp/a", i], Pair(6 + k, 1), level=1))
        made.append(Record(WAITALL, start - 10, start + 5000, [i, [], []], 0))
    return made


def large(now):
    """Records of 24 KiB: one, and three of the other part, often enough for two windows."""
    return [Record(OPEN_FILE, now + 400 * i, now + 400 * i + 100 + i % 7, [b"x" * 24_000, i // 4, i % 4],
                   Pair(5, 1)) for i in range(4 * 91)]


def waits(now):
    """Six times a wait for requests whose numbers count on."""
    return [Record(WAITALL, now + 900 * i, now + 900 * i + 300 + i, [2, [1 + 2 * i, 2 + 3 * i], [9, 9, 9 - i]], 0)
            for i in range(6)]


def spoiled(t, *spoils, records=runs, parts=RUNS, **more):
    """Records in encoding 5, some parts of whose body are spoiled."""
    def spoil(words):
        for change in spoils:
            change(words)
    t.columns(spoil, records, encoding=5, coding={"parts": parts}, **more)


def parts_are(*pairs):
    return part("parts", part_words(pairs))


def steps_are(*steps):
    return part("steps", step_words(steps))


def repeated(t, times, iterations=1, args=(), ends=None, last=0):
    """A loop of one record, sound but for its size: each begins a tick after the one before, and takes
    a tick, or what the histogram `ends` says, `last` ticks in all."""
    count = times * iterations
    ones = uvarint(1) + uvarint(1) + uvarint(count - 1)
    spoiled(t, part("iterations", uvarint(iterations)), parts_are((1, times)), part(("begin", 0), ones),
            part(FIRST_ENDS, ends or ones), parts=((1, 1),), count=count,
            records=lambda now: [Record(OPEN_FILE, now, now, args, Pair(5, 1))],
            times=(CHUNK_BASE, NOW, NOW + count + (last or count)))


@case("encoding 5 as it should be", 59, damaged=False)
def nested_sound(t):
    spoiled(t)


@case("encoding 5 with a call that has all others inside", 59, damaged=False)
def nested_sound_around(t):
    spoiled(t, records=around, parts=AROUND)


@case("encoding 5 in two windows, as its parts come several times", 35 + 364, damaged=False)
def nested_sound_windows(t):
    spoiled(t, records=large, parts=((1, 1), (1, 3)))


# ---- iterations and parts ----------------------------------------------------------------------------


@case("loops in a loop without an iteration", at="x")
def nested_iterations_none(t):
    spoiled(t, part("iterations", uvarint(0)))


@case("loops in a loop of iterations whose records go around 2^64", at="x")
def nested_iterations_around(t):
    spoiled(t, part("iterations", uvarint((1 << 61) + 3)))


@case("loops in a loop of more records than the header says", at="x")
def nested_count(t):
    spoiled(t, count=23)


@case("loops in a loop of more than 2^31 records: the header counts as damaged", at="x")
def nested_count_beyond(t):
    spoiled(t, part("iterations", uvarint(FAR + 1)), parts_are((1, 1)), count=FAR + 1)


@case("an iteration without parts", at="x")
def nested_parts_none(t):
    spoiled(t, parts_are())


@case("more parts than bytes", at="x")
def nested_parts_many(t):
    spoiled(t, part("parts", uvarint(MASK)))


@case("a part of no records", at="x")
def nested_part_empty(t):
    spoiled(t, parts_are((0, 7), *RUNS))


@case("a part that never comes", at="x")
def nested_times_none(t):
    spoiled(t, parts_are((1, 3), (1, 1), (2, 2), (1, 0)))


@case("a part whose records go around 2^64 with its times", at="x")
def nested_times_around(t):
    spoiled(t, parts_are((1, 3), (1, 1), (2, (1 << 63) + 2)))


@case("parts that go around 2^64 together", at="x")
def nested_parts_around(t):
    spoiled(t, parts_are((1, (1 << 63) + 3), (1, (1 << 63) + 1), (2, 2)))


@case("a part of more records than the block has bytes for", at="x")
def nested_part_long(t):
    spoiled(t, parts_are((1, 3), (1, 1), (4, 1)))


@case("parts of fewer records than the block has", at="x")
def nested_part_short(t):
    spoiled(t, parts_are((1, 3), (1, 5)))


@case("an iteration of more than 2^20 records", at="x")
def nested_iteration_long(t):
    repeated(t, (1 << 20) + 1)


@case("an iteration of more than 64 MiB", at="x")
def nested_iteration_large(t):
    repeated(t, 2049, args=LARGEST)


@case("a block of more than 1 MiB", at="x")
def nested_block_large(t):
    spoiled(t, parts=((33, 1),), records=lambda now: [
        Record(OPEN_FILE, now + 10 * i, now + 10 * i + 5, LARGEST, Pair(5, 1)) for i in range(33)])


# ---- steps ---------------------------------------------------------------------------------------------


@case("more steps than bytes, in encoding 5", at="x")
def nested_steps_many(t):
    spoiled(t, part("steps", uvarint(1 << 30)))


@case("a step of one number, as encoding 4 has it", at="x")
def nested_step_single(t):
    spoiled(t, steps_are((0, 3, [8])))


@case("a step of a record beyond the block, in encoding 5", at="x")
def nested_step_far(t):
    spoiled(t, steps_are((4, 3, [8, 0])))


@case("a step of an argument beyond the last, in encoding 5", at="x")
def nested_step_argument(t):
    spoiled(t, steps_are((0, 4, [8, 0])))


@case("two steps of one field, in encoding 5", at="x")
def nested_step_twice(t):
    spoiled(t, steps_are((0, 3, [8, 0]), (0, 3, [0, 8])))


@case("steps in falling order of fields, in encoding 5", at="x")
def nested_step_order(t):
    spoiled(t, steps_are((0, 3, [8, 0]), (0, 2, [0, 8])))


@case("encoding 5 with arrays whose elements grow", 41, damaged=False)
def nested_sound_arrays(t):
    spoiled(t, records=waits, parts=((1, 6),))


@case("encoding 5 with arrays whose elements grow from iteration to iteration", 41, damaged=False)
def nested_sound_arrays_across(t):
    spoiled(t, records=waits, parts=((1, 2),))


@case("a step of the sum of an array that is all there", at="x")
def nested_step_sum(t):
    spoiled(t, steps_are((0, 4, [8, 0])), records=waits, parts=((1, 6),))


@case("a step of an element behind the last", at="x")
def nested_step_element(t):
    spoiled(t, steps_are((0, 11, [8, 0])), records=waits, parts=((1, 6),))


@case("a step of an element of an array, in encoding 4", at="x")
def looped_step_element(t):
    t.columns(lambda words: words.update(steps=step_words([(0, 5, [8])])),
              lambda now: [Record(WAITALL, now + 900 * i, now + 900 * i + 300, [1, [5], [1]], 0) for i in range(6)],
              encoding=4, coding={"period": 1})


@case("a step of an array, in encoding 5", at="x")
def nested_step_array(t):
    spoiled(t, steps_are((1, 2, [0, 8])))


@case("a step of a path, in encoding 5", at="x")
def nested_step_path(t):
    spoiled(t, steps_are((3, 1, [8, 0])))


@case("a step of a descriptor within an iteration that has more than 32 bits", at="x")
def nested_step_wide(t):
    spoiled(t, steps_are((0, 1, [1 << 31, 0, 0, 0])))


@case("a step of a descriptor between iterations that has more than 32 bits", at="x")
def nested_step_wide_value(t):
    spoiled(t, steps_are((0, 1, [0, 0, 1 << 31, 0])))


@case("a step of a descriptor's number between iterations that has more than 32 bits", at="x")
def nested_step_wide_id(t):
    spoiled(t, steps_are((0, 1, [0, 0, 0, (-1 << 31) - 1])))


# ---- events --------------------------------------------------------------------------------------------


@case("a call of a part that comes twice and begins in the part before", at="x")
def nested_inside_earlier(t):
    spoiled(t, part("times", bytes([0, 0, 0, 1, 0, 0, 2, 2])))


@case("a call of a part that comes twice and has the part before inside", at="x")
def nested_inside_whole(t):
    spoiled(t, part("times", bytes([0, 0, 0, 1, 1, 0, 0, 2])))


@case("a call that begins in the midst of a part that comes twice", at="x")
def nested_inside_midst(t):
    spoiled(t, part("times", bytes([0, 0, 0, 1, 0, 2, 1, 3])), records=around, parts=AROUND)


@case("a call that has half of another one inside, in encoding 5", at="x")
def nested_inside_half(t):
    spoiled(t, part("times", bytes([0, 0, 0, 1, 1, 2, 1, 3])), records=around, parts=AROUND)


@case("a call with calls inside that were before the block, in encoding 5", at="x")
def nested_inside_many(t):
    spoiled(t, part("times", bytes([1, 0, 0, 1, 0, 0, 0, 2])))


@case("a context whose number comes too early, in encoding 5", at="x")
def nested_context_far(t):
    spoiled(t, part("times", bytes([0, 0, 0, 2, 0, 0, 0, 1])))


@case("a context that no record has, in encoding 5", at="x")
def nested_contexts_many(t):
    spoiled(t, part("contexts", uvarint(4)))


@case("a histogram of as many numbers as the block has records, times the iterations", at="x")
def nested_few(t):
    spoiled(t, part(FIRST_ENDS, histogram([500] * 6)))


@case("a histogram with a number too few, in encoding 5", at="x")
def nested_fewer(t):
    spoiled(t, part(FIRST_ENDS, histogram([500] * 14)))


@case("a histogram with a number too many, in encoding 5", at="x")
def nested_many(t):
    spoiled(t, part(FIRST_ENDS, histogram([500] * 16)))


@case("a histogram with a sum that is not the chunk's, in encoding 5", at="x")
def nested_sum(t):
    spoiled(t, part(LAST_ENDS, histogram([510] * 6)))


@case("words behind the last histogram, in encoding 5", at="x")
def nested_left(t):
    spoiled(t, part(LAST_ENDS, histogram([500] * 6) + b"\0"))


@case("so many windows, as parts come often, that their shares are more than 2^28", at="x")
def nested_shares(t):
    symbols = [*range(8), *range(8, 16, 2), *range(16, 32, 4)]
    ends = uvarint(len(symbols)) + uvarint(0) + uvarint(FAR - len(symbols))
    ends += b"".join(uvarint(after - before) + uvarint(0) for before, after in zip(symbols, symbols[1:]))
    repeated(t, 16, FAR // 16, LARGEST, ends + uvarint(0), sum(symbols))
