# SPDX-License-Identifier: MIT
"""DATA chunks of encodings 2 and 3 for write_trace.py, from doc/format.md alone."""
import collections
import math
import re

from write_records import (ARRAY, BAD, DOUBLE, MASK, NULL, PAIR, STRING, bits, head_parts, svarint,
                           symbol_of, uvarint, whole)
import write_summed

CONSTANT, RELATIVE, EQUAL, ADD, ASIDE = range(5)
CHAINS = 3
ELEMENTS = 4096     # of an array, at most


def signed(value):
    value &= MASK
    return value - (1 << 64) if value >> 63 else value


# ---- sequences ---------------------------------------------------------------------


def scaled(occurred, total):
    """Frequencies with the sum `total`: about what each symbol has, at least 1."""
    count = sum(occurred.values())
    found = {symbol: max(occurred[symbol] * total // count, 1) for symbol in sorted(occurred)}
    while sum(found.values()) != total:
        largest = max(found, key=found.get)
        found[largest] += 1 if sum(found.values()) < total else -1
    return found


def states_of(frequencies, log):
    """The states of each symbol, in rising order."""
    total, place, at = 1 << log, 0, {}
    for symbol, frequency in frequencies.items():
        for _ in range(frequency):
            at[place] = symbol
            place = (place + total // 2 + total // 8 + 3) % total
    states = collections.defaultdict(list)
    for state in range(total):
        states[at[state]].append(state)
    return states


def entropy_coded(numbers, frequencies, log):
    """(all bits as one number, how many)"""
    states, total = states_of(frequencies, log), 1 << log
    last, items = [0, 0], []
    for turn, number in enumerate(reversed(numbers)):
        symbol, raw, size = symbol_of(number)
        own, low = states[symbol], 0
        state = last[turn % 2] + total
        while state >> low >= 2 * len(own):
            low += 1
        items.append((raw << low | state & (1 << low) - 1, size + low))
        last[turn % 2] = own[(state >> low) - len(own)]
    code, count = last[0] << log | last[1], 2 * log
    for value, size in reversed(items):
        code, count = code << size | value, count + size
    return code, count


def table(log, frequencies):
    """What stands in the words in front of packed numbers."""
    before, parts = 0, [uvarint(len(frequencies)), bytes([log])]
    for symbol, frequency in frequencies.items():
        parts += [uvarint(symbol - before), uvarint(frequency - 1)]
        before = symbol
    return b"".join(parts)


def plain_sequence(numbers):
    return uvarint(len(numbers) << 1) + b"".join(map(uvarint, numbers))


def packed_sequence(numbers, log):
    """(words, bits)"""
    frequencies = scaled(collections.Counter(symbol_of(number)[0] for number in numbers), 1 << log)
    code, count = entropy_coded(numbers, frequencies, log)
    words = uvarint(len(numbers) << 1 | 1) + table(log, frequencies) + uvarint(count)
    return words, code.to_bytes((count + 7) // 8, "little")


def sequence(numbers, packed_bits):
    """The words of a sequence: packed where it can be, and its bits are added to those."""
    log = min(len(numbers).bit_length() - 3, 11)
    if log < 5 or len({symbol_of(number)[0] for number in numbers}) > 1 << log:
        return plain_sequence(numbers)
    words, code = packed_sequence(numbers, log)
    packed_bits += code
    return words


# ---- lists -----------------------------------------------------------------------------


def step_between(a, b):
    """How much larger the last number of b is than that of a, None if they differ otherwise."""
    parts = [re.fullmatch(rb"(.*?)([0-9]{1,18})([^0-9]*)", string, re.DOTALL) for string in (a, b)]
    if len(a) != len(b) or None in parts or parts[0][1] != parts[1][1] or parts[0][3] != parts[1][3]:
        return None
    step = int(parts[1][2]) - int(parts[0][2])
    return step if step >= 0 else None


def common(a, b):
    count = 0
    while count < min(len(a), len(b)) and a[count] == b[count]:
        count += 1
    return count


def string_words(strings):
    parts = [uvarint(len(strings))]
    for i, (stored, original) in enumerate(strings):
        for back in range(1, min(i, 3) + 1):
            other, other_original = strings[i - back]
            step = step_between(other, stored)
            if step is not None and other_original == original:
                parts.append(uvarint(back) + uvarint(0) + uvarint(step))
                break
        else:
            same = common(strings[i - 1][0], stored) if i else 0
            parts += [uvarint(1 if same else 0), uvarint(same + 1), uvarint(len(stored)),
                      uvarint(original - len(stored)), stored[same:]]
    return b"".join(parts)


def array_step(other, array):
    """What the elements of an array are all larger by than those of the other one, modulo 2^64; None: it differs."""
    (stored, original, total), (other_stored, other_original, other_total) = array, other
    if not stored or len(stored) != len(other_stored) or original != other_original:
        return None
    steps = {(b - a) & MASK for a, b in zip(other_stored, stored)}
    step = steps.pop()
    return None if steps or (total - other_total - step * original) & MASK else step


def array_steps(other, array):
    """The same for each element by itself; None: the arrays have other sizes, or what is not stored differs too."""
    (stored, original, total), (other_stored, other_original, other_total) = array, other
    steps = [b - a for a, b in zip(other_stored, stored)]
    fits = len(stored) == len(other_stored) and original == other_original
    return steps if fits and not (total - other_total - sum(steps)) & MASK else None


def array_words(arrays):
    parts = [uvarint(len(arrays))]
    for i, (stored, original, total) in enumerate(arrays):
        steps = ((back, array_step(arrays[i - back], arrays[i])) for back in range(1, min(i, 3) + 1))
        back, step = next(((back, step) for back, step in steps if step is not None), (0, None))
        if back:
            parts += [uvarint(ELEMENTS + back), svarint(step)]
            continue
        steps = array_steps(arrays[i - 1], arrays[i]) if i else None
        if steps is not None:
            parts += [uvarint(ELEMENTS + 1), svarint(0), uvarint(len(steps)), *map(svarint, steps)]
            continue
        parts += [uvarint(len(stored)), uvarint(original - len(stored))]
        if original > len(stored):
            parts.append(svarint(total))
        parts += [svarint(b - a) for a, b in zip((0,) + stored, stored)]
    return b"".join(parts)


# ---- signatures -----------------------------------------------------------------------------


def in_turn(function, field):
    """Any operation will do for any field."""
    return (function.id + field) % 5


class Table:
    """Signatures, and what they leave open, record by record."""

    def __init__(self, functions, sites, own, choose):
        self.functions, self.sites, self.own, self.choose = functions, sites, own, choose
        self.strings, self.arrays, self.chains = {}, {}, [0] * CHAINS
        self.signatures, self.numbers = {}, []
        self.idle = [[] for _ in range(2 * len(functions))]
        self.durations = [[] for _ in range(2 * len(functions))]
        self.asides = collections.defaultdict(list)     # by index of the function and field

    def block(self, class_, value):
        if value in (NULL, BAD):
            return 0 if value == NULL else 1
        stored, original, total = whole(value)
        if class_ == STRING:
            return 2 + self.strings.setdefault((stored, original), len(self.strings))
        return 2 + self.arrays.setdefault((tuple(stored), original, total), len(self.arrays))

    def value_fields(self, class_, value):
        if class_ == PAIR:
            return [value.value, value.id]
        if class_ in (STRING, ARRAY):
            return [self.block(class_, value)]
        return [bits(value) if class_ == DOUBLE else value]

    def fields(self, record):
        fields = [record.repeat - 1, self.sites.index(record.site), record.stack]
        fields += self.value_fields(record.function.result, record.result)
        for (class_, _, _), value in zip(record.function.args, record.args):
            fields += self.value_fields(class_, value)
        return [field & MASK for field in fields]

    def written(self, function, number, fields, level):
        """One field of a signature."""
        operation, value = self.choose(function, number), fields[number]
        chain = (number + level) % CHAINS
        if operation == EQUAL and value in fields[:number]:
            return uvarint(EQUAL) + uvarint(fields.index(value))
        if operation == RELATIVE:
            return uvarint(RELATIVE) + svarint(value - self.own)
        if operation not in (ADD, ASIDE):
            return uvarint(CONSTANT) + svarint(value)
        step, self.chains[chain] = value - self.chains[chain], value
        if operation == ADD:
            return uvarint(ADD) + uvarint(chain) + svarint(step)
        self.asides[self.functions.index(function), number].append((chain, signed(step)))
        return uvarint(ASIDE) + uvarint(chain)

    def add(self, record, before, start, end, encloses=None):
        """`encloses`: of encoding 3; else its times go into a group."""
        function, fields = record.function, self.fields(record)
        index, after = self.functions.index(function), int(start < before)
        group = 2 * index + after
        if encloses is not None:
            group, after = 0, int(encloses)
        words = uvarint(index) + uvarint(record.level) + bytes([record.flags])
        words += uvarint(group << 1 | after) + svarint(record.err) + uvarint(len(record.args))
        words += b"".join(self.written(function, number, fields, record.level)
                          for number in range(len(fields)))
        self.numbers.append(self.signatures.setdefault(words, len(self.signatures)))
        self.durations[group].append(end - start)
        self.idle[group].append((end if after else start) - before)


def predicted(numbers):
    """(runs, ids)"""
    places, last, runs, ids, run = {}, (0, 0, 0), [], [], 0
    for number in numbers:
        place = sum(a * b for a, b in zip(last, (0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35)))
        place = (place & 0xFFFFFFFF) >> 18
        if places.get(place) == number:
            run += 1
        else:
            runs.append(run)
            ids.append(number)
            places[place], run = number, 0
        last = (number + 1,) + last[:2]
    return runs + [run], ids


def aside(steps, packed_bits):
    steps = [step for _, step in steps]
    factor = math.gcd(*steps) or 1
    numbers = [(abs(step) // factor << 1) - (step < 0) for step in steps]
    return uvarint(factor) + sequence(numbers, packed_bits)


def by_chain(steps, packed_bits):
    chains = sorted({chain for chain, _ in steps})
    parts = [uvarint(0), uvarint(len(chains))]
    for before, chain in zip([0] + chains, chains):
        own = [(other, step) for other, step in steps if other == chain]
        parts += [uvarint(chain - before), aside(own, packed_bits)]
    return b"".join(parts)


def sum_times(written, records, times, before, carried, marks):
    """Parts of the words; how many contexts there are."""
    kinds = [(record.level, number, write_summed.encloses(records, i))
             for i, (record, number) in enumerate(zip(records, written.numbers))]
    indices = {i for i, (start, _) in enumerate(times) if start < before}
    assert len(indices) == carried
    return write_summed.summed(kinds, times, before, indices, marks)


def signatures(records, t_base, unit, phase, own=0, choose=in_turn, marks=None):
    """The parts, by name, of the body of a DATA chunk of encoding 2, the last of which are the
    bits; how many records are carried. With `marks` (ticks): of encoding 3."""
    functions, sites, parts, carried = head_parts(records, t_base, unit, phase)
    written = Table(functions, sites, own, choose)
    before = first = (t_base - phase) // unit
    times = [((record.tstart - phase) // unit, (record.tend - phase) // unit) for record in records]
    for i, (record, (start, end)) in enumerate(zip(records, times)):
        written.add(record, before, start, end,
                    None if marks is None else write_summed.encloses(records, i))
        before = end
    runs, ids = predicted(written.numbers)
    packed_bits = bytearray()
    groups, sums = len(written.idle), {}
    if marks is not None:
        sums, groups = sum_times(written, records, times, first, carried,
                                 [(mark - phase) // unit for mark in marks])
    parts |= {"self": uvarint(own), "strings": string_words(list(written.strings)),
              "arrays": array_words(list(written.arrays)), "chains": uvarint(CHAINS),
              "groups": uvarint(groups),
              "signatures": uvarint(len(written.signatures)) + b"".join(written.signatures),
              "runs": sequence(runs, packed_bits), "ids": sequence(ids, packed_bits)}
    parts |= sums
    for name, columns in (("idle", written.idle), ("duration", written.durations)):
        for group, numbers in enumerate(columns if marks is None else ()):
            parts[name, group] = sequence(numbers, packed_bits)
    for (index, field), steps in sorted(written.asides.items()):
        split = (index + field) % 2 and len({chain for chain, _ in steps}) > 1
        parts[functions[index].name, field] = (by_chain if split else aside)(steps, packed_bits)
    parts["bits"] = bytes(packed_bits)
    return parts, carried
