# SPDX-License-Identifier: MIT
"""DATA chunks of encoding 4 for write_trace.py, from doc/format.md alone."""
import collections
import copy

from write_records import ARRAY, STRING, Pair, head_parts, raw, svarint, symbol_of, uvarint

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


def steps(first, second):
    """(record, field, step) of what is different in the second iteration."""
    found = []
    for i, (a, b) in enumerate(zip(first, second)):
        fields = zip([a.result] + list(a.args), [b.result] + list(b.args))
        classes = [a.function.result] + [class_ for class_, _, _ in a.function.args]
        for field, ((one, other), class_) in enumerate(zip(fields, classes)):
            if one == other:
                continue
            assert class_ not in (STRING, ARRAY)
            found.append((i, field, [other.value - one.value, other.id - one.id]
                          if isinstance(one, Pair) else [other - one]))
    return found


def step_words(found):
    words, last = uvarint(len(found)), 0
    for record, field, step in found:
        words += uvarint(record - last) + uvarint(field) + b"".join(map(svarint, step))
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


def looped(records, t_base, unit, phase, period=1):
    """The parts, by name, of the body of a DATA chunk of encoding 4; no record is carried."""
    first, second = records[:period], records[period:2 * period]
    functions, sites, parts, carried = head_parts(records, t_base, unit, phase)
    assert not carried and len(records) % period == 0 and functions
    kinds = {}
    contexts = [kinds.setdefault((record.function.id, record.level), len(kinds)) for record in first]
    begins, ends = [[] for _ in kinds], [[] for _ in kinds]
    times = sorted((time, end, i % period) for i, record in enumerate(records)
                   for end, time in enumerate((record.tstart, record.tend)))
    last = None
    for time, end, i in times:
        time = (time - phase) // unit
        (ends if end else begins)[contexts[i]].append(0 if last is None else time - last)
        last = time
    block = b"".join(raw(as_written(record, sites), 0) for record in first)
    parts |= {"iterations": uvarint(len(records) // period), "period": uvarint(period),
              "block": block, "steps": step_words(steps(first, second)),
              "times": b"".join(uvarint(count) + uvarint(context)
                                for count, context in zip(inside(first), contexts)),
              "contexts": uvarint(len(kinds))}
    for what, gaps in (("begin", begins), ("end", ends)):
        for number, numbers in enumerate(gaps):
            parts[what, number] = histogram(numbers)
    return parts, carried
