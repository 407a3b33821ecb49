# SPDX-License-Identifier: MIT
"""DATA chunks of encoding 1, columns, and the head of encodings 1 and 2 (doc/format.md, 5)."""
import collections

from parts import (ARRAY, DOUBLE, INT, LOOPS, MAX_RAW, PAIR, RAW_HEADER, STRING, U16, U32, U64, UNKNOWN,
                   ABSENT, UNREADABLE, Array, Buffer, Damage, Pair, Record, Text, inflate, limited,
                   scalar, signed, unzigzag, used_up)
from records import as_far_as_known, check_carried, check_sizes


def unsigned_column(b, count, limit):
    """A column of `count` unsigned values that are at most `limit`."""
    data = b.column(count)
    if len(data) == count and (not count or max(data) < 128):
        values = list(data)
    else:
        values = uvarints(data, count)
    if values and max(values) > limit:
        raise Damage(f"{max(values)} in a column of values up to {limit}")
    return values


def uvarints(data, count):
    b = Buffer(data)
    values = []
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte >= 128 and shift < 70:
            continue
        if byte >= 128 or value > U64:
            raise Damage("varint of more than 64 bits")
        values.append(value)
        value = shift = 0
    b.position = len(data)
    if shift or len(values) != count:
        raise Damage(f"column of {len(values)} values for {count}")
    return values


def signed_column(b, count, values=1):
    data = b.column(count, values)
    return [unzigzag(value) for value in uvarints(data, count * values)]


def running_sums(differences, bits=64):
    value, sums = 0, []
    for difference in differences:
        value = signed(value + difference, bits)
        sums.append(value)
    return sums


def int_column(b, count):
    return running_sums(signed_column(b, count))


def pair_column(b, count):
    both = signed_column(b, count, 2)
    ids = [number & U32 for number in running_sums(both[1::2], 32)]
    return [Pair(*both) for both in zip(running_sums(both[0::2], 32), ids)]


def double_column(b, count):
    return [scalar(DOUBLE, bits & U64) for bits in int_column(b, count)]


def string_column(b, count):
    column = Buffer(b.column(count))
    values, previous = [], None
    for _ in range(count):
        tag = column.uvarint()
        if tag < 2:
            values.append((ABSENT, UNREADABLE)[tag])
            continue
        if tag > 2:
            original = tag - 3 + column.uvarint()
            previous = Text(column.take(tag - 3), original)
        elif previous is None:
            raise Damage("the same string as none")
        values.append(previous)
    return used_up(column, values)


def array_column(b, count):
    column = Buffer(b.column(count))
    values = []
    for _ in range(count):
        tag = column.uvarint()
        if tag < 2:
            values.append((ABSENT, UNREADABLE)[tag])
            continue
        cut = column.uvarint()
        total = column.svarint() if cut else None
        elements = running_sums(column.svarint() for _ in range(limited(column, tag - 2, 1)))
        total = signed(sum(elements)) if total is None else total
        values.append(Array(tuple(elements), tag - 2 + cut, total))
    return used_up(column, values)


def unknown_column(b, count):
    head = b.uvarint()
    if not head & 1:
        b.take(head >> 1)
    return [UNKNOWN] * count


COLUMNS = {INT: int_column, PAIR: pair_column, DOUBLE: double_column, STRING: string_column,
           ARRAY: array_column}


def class_column(b, class_, count):
    return COLUMNS.get(class_, unknown_column)(b, count)


def function_columns(b, function, count):
    """Results and arguments of the records of one function."""
    counts = unsigned_column(b, count, len(function.args))
    results = class_column(b, function.result.class_, count)
    columns = []
    for index, parameter in enumerate(function.args):
        present = sum(1 for n in counts if n > index)
        columns.append(iter(class_column(b, parameter.class_, present)))
    return iter(results), (tuple(next(column) for column in columns[:n]) for n in counts)


class Head:
    """What stands in front of the records of encodings 1 and 2: the unit of time, what functions
    and call sites they use, and which of them are carried."""

    def __init__(self, b, header, functions):
        if header.encoding not in LOOPS and header.count * RAW_HEADER > MAX_RAW:
            raise Damage(f"{header.count} records take more than {MAX_RAW} bytes")
        self.t_base = header.t_base
        self.unit, self.phase = b.uvarint(), b.uvarint()
        if not self.phase < self.unit:
            raise Damage(f"phase {self.phase}, unit {self.unit}")
        if header.t_base < self.phase or (header.t_base - self.phase) % self.unit:
            raise Damage(f"t_base {header.t_base} is no multiple of unit {self.unit}")
        self.functions = self.read_functions(b, functions)
        self.sites = [(b.uvarint(), b.uvarint()) for _ in range(limited(b, b.uvarint(), 2))]
        if any(module > U32 for module, _ in self.sites):
            raise Damage("a module whose id has more than 32 bits")
        self.carried = [(b.uvarint(), b.uvarint()) for _ in range(limited(b, header.carried, 2))]

    @staticmethod
    def read_functions(b, functions):
        ids = [b.uvarint() for _ in range(limited(b, b.uvarint(), 1))]
        if len(set(ids)) != len(ids):
            raise Damage("a function is there twice")
        undefined = [number for number in ids if number not in functions]
        if undefined:
            raise Damage(f"function {undefined[0]} is not defined")
        return [functions[number] for number in ids]

    def step(self):
        return self.unit, self.phase

    def checked(self, records):
        """The records, whose sizes and times are what the page and the head say."""
        check_sizes(records)
        check_carried(self.t_base, self.carried, records, self.unit)
        return records


def column_records(header, body, functions):
    """The records of a DATA chunk of encoding 1, and their unit of time."""
    b, n = Buffer(inflate(body, header.plain_size)), header.count
    head = Head(b, header, functions)
    used, sites = head.functions, head.sites
    which = unsigned_column(b, n, len(used) - 1)
    levels = unsigned_column(b, n, U16)
    gaps = unsigned_column(b, n, U64)
    durations = unsigned_column(b, n, U64)
    where = unsigned_column(b, n, len(sites) - 1)
    flags = b.column(n)
    if len(flags) != n:
        raise Damage(f"{len(flags)} flags for {n} records")
    errs = signed_column(b, n)
    if any(err != signed(err, 32) for err in errs):
        raise Damage("an errno of more than 32 bits")
    repeats = unsigned_column(b, n, U32 - 1)
    stacks = unsigned_column(b, n, U32)
    counts = collections.Counter(which)
    values = [function_columns(b, function, counts[i]) for i, function in enumerate(used)]
    used_up(b, None)

    unit, phase = head.step()
    end, records = (header.t_base - phase) // unit, []
    for i in range(n):
        end += gaps[i]
        start, last = (end - durations[i]) * unit + phase, end * unit + phase
        if start < 0 or last > U64:
            raise Damage(f"record {i} at time {start} to {last}")
        results, args = values[which[i]]
        records.append(as_far_as_known(
            Record(header.sequence + i, used[which[i]], levels[i], start, last, next(results),
                   errs[i], sites[where[i]], flags[i], repeats[i] + 1, stacks[i], next(args))))
    return head.checked(records), head.step()
