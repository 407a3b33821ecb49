# SPDX-License-Identifier: MIT
"""DATA chunks of encodings 4 and 5 for write_trace.py, from doc/format.md alone."""
import collections
import copy

from write_records import ARRAY, INT, PAIR, STRING, head_parts, raw, svarint, symbol_of, uvarint, word

SUM = -1        # in place of a class
SINGLE = 8      # numbers below it have buckets of their own


def histogram(numbers):
    """Words of a histogram."""
    buckets, excess = collections.Counter(), 0
    for number in numbers:
        width = 1 if number < SINGLE else 1 << number.bit_length() - 3
        buckets[symbol_of(number - number % width)[0]] += 1
        excess += number % width
    parts, last = [uvarint(len(buckets))], 0
    for symbol in sorted(buckets):
        parts += [uvarint(symbol - last), uvarint(buckets[symbol] - 1)]
        last = symbol
    return b"".join(parts) + (uvarint(excess) if last >= SINGLE else b"")


def fields(record, arrays):
    """(class, value) of the result, of the arguments, and of the sums and elements of arrays."""
    found = list(zip([record.function.result] + [class_ for class_, _, _ in record.function.args],
                     [record.result] + list(record.args)))
    for class_, value in found[1:] if arrays else ():
        if class_ == ARRAY and isinstance(value, list):
            found += [(SUM, 0)] + [(INT, element) for element in value]
    return found


def step(class_, one, other, arrays):
    """What is added to a field; nothing can be to a string, or to an array as such. Sums follow from elements."""
    if class_ in (STRING, ARRAY, SUM):
        assert one == other or class_ == ARRAY and arrays and len(one) == len(other)
        return []
    if class_ == PAIR:
        return [other.value - one.value, other.id - one.id]
    return [word(class_, other) - word(class_, one)]


def steps(records, *later, arrays=False):
    """(record, field, step) of what is different in later ones: all steps of a field, one after the other."""
    found = []
    for i, (record, *others) in enumerate(zip(records, *later)):
        for field, ((class_, one), *more) in enumerate(
                zip(fields(record, arrays), *(fields(other, arrays) for other in others))):
            added = [number for _, other in more for number in step(class_, one, other, arrays)]
            if any(added):
                found.append((i, field, added))
    return found


def step_words(found):
    words, last = uvarint(len(found)), 0
    for record, field, added in found:
        words += uvarint(record - last) + uvarint(field) + b"".join(map(svarint, added))
        last = record
    return words


def inside(records):
    """How many records right before each one lie in it."""
    counts = []
    for i, record in enumerate(records):
        first = i
        while first and records[first - 1].tstart >= record.tstart and \
                records[first - 1].level > record.level:
            first -= 1
        counts.append(i - first)
    return counts


def as_written(record, sites):
    record = copy.copy(record)
    record.tstart, record.tend, record.site = 0, 0, (0, sites.index(record.site))
    return record


def gaps_by_context(records, places, contexts, unit, phase):
    """Gaps of begins and of ends; `places`: where the records of an iteration stand in the block."""
    begins, ends = [[] for _ in set(contexts)], [[] for _ in set(contexts)]
    times = sorted((time, end, places[i % len(places)]) for i, record in enumerate(records)
                   for end, time in enumerate((record.tstart, record.tend)))
    last = None
    for time, end, place in times:
        time = (time - phase) // unit
        (ends if end else begins)[contexts[place]].append(0 if last is None else time - last)
        last = time
    return begins, ends


def body_parts(records, t_base, unit, phase, places, divided, stepped):
    """The parts of a body: `divided` are those that say how the block is repeated, `stepped` the steps."""
    functions, sites, parts, carried = head_parts(records, t_base, unit, phase)
    assert not carried and len(records) % len(places) == 0 and functions
    block = [records[places.index(place)] for place in range(max(places) + 1)]
    kinds = {}
    contexts = [kinds.setdefault((record.function.id, record.level), len(kinds)) for record in block]
    parts |= {"iterations": uvarint(len(records) // len(places)), **divided,
              "block": b"".join(raw(as_written(record, sites), 0) for record in block),
              "steps": step_words(stepped),
              "times": b"".join(uvarint(count) + uvarint(context)
                                for count, context in zip(inside(block), contexts)),
              "contexts": uvarint(len(kinds))}
    for what, gaps in zip(("begin", "end"), gaps_by_context(records, places, contexts, unit, phase)):
        for number, numbers in enumerate(gaps):
            parts[what, number] = histogram(numbers)
    return parts, carried


def looped(records, t_base, unit, phase, period=1):
    """The parts, by name, of the body of a DATA chunk of encoding 4; no record is carried."""
    stepped = steps(records[:period], records[period:2 * period])
    return body_parts(records, t_base, unit, phase, list(range(period)), {"period": uvarint(period)}, stepped)


def part_words(parts):
    return uvarint(len(parts)) + b"".join(uvarint(count) + uvarint(times) for count, times in parts)


def nested(records, t_base, unit, phase, parts):
    """The same of encoding 5. `parts`: (records, times) of those of an iteration."""
    places, firsts, seconds = [], [], []    # of the block: where it is first, and where it comes again
    for count, times in parts:
        own = range(len(firsts), len(firsts) + count)
        first = range(len(places), len(places) + count)
        firsts += first
        seconds += [i + count for i in first] if times > 1 else first
        places += list(own) * times
    after = [len(places) + i for i in firsts]
    first, within, across = ([records[i] for i in chosen] for chosen in (
        firsts, seconds, after if len(records) > len(places) else firsts))
    return body_parts(records, t_base, unit, phase, places, {"parts": part_words(parts)},
                      steps(first, within, across, arrays=True))
