# SPDX-License-Identifier: MIT
"""DATA chunks of encoding 4, loops (doc/format.md, 5)."""
import math
import struct

from columns import Head
from parts import (DOUBLE, INT, PAIR, RAW_HEADER, U32, U64, Buffer, Damage, inflate, limited, used_up)
from records import raw_record, raw_record_size
from sequences import LAST_SYMBOL, symbol_range

SINGLE = 8      # numbers below it have buckets of their own
MAX_SUM, MAX_BLOCK, WINDOW, MAX_SHARES = 1 << 63, 1 << 20, 1 << 22, 1 << 28


class Histogram:
    """Numbers, in rising order: (number, how many)."""

    def __init__(self, b, count, each):
        self.each, self.runs, buckets, symbol = each, [], [], 0
        for i in range(b.uvarint()):
            distance, numbers = b.uvarint(), b.uvarint() + 1
            symbol += distance
            if i and not distance or symbol > LAST_SYMBOL:
                raise Damage(f"a bucket with symbol {symbol}")
            least, _ = symbol_range(symbol)
            width = 1 if least < SINGLE else 1 << least.bit_length() - 3
            if least % width:
                raise Damage(f"a bucket that begins with {least}")
            buckets.append((numbers, least, width - 1))
        if sum(numbers for numbers, _, _ in buckets) != count:
            raise Damage(f"a histogram that has not {count} numbers")
        self.buckets = len(buckets)
        capacity = sum(numbers * more for numbers, _, more in buckets)
        excess = b.uvarint() if capacity else 0
        if excess > capacity or capacity + sum(n * least for n, least, _ in buckets) > MAX_SUM:
            raise Damage(f"a histogram with {excess} of {capacity} beyond its buckets")
        passed = given = 0
        for numbers, least, more in buckets:
            passed += numbers * more
            until = excess * passed // capacity if capacity else 0
            part, larger = divmod(until - given, numbers)
            self.runs += [(least + part, numbers - larger), (least + part + 1, larger)]
            given = until

    def share(self, window, windows):
        """The numbers of a window in the order in which it deals them."""
        numbers = [number for number, count in self.runs for _ in range(count)]
        taken = [number for first in range(window * self.each, len(numbers), windows * self.each)
                 for number in numbers[first:first + self.each]]
        total = len(taken)
        step = max(total * 0x9E3779B9 >> 32, 1)
        while math.gcd(step, total) > 1:
            step += 1
        return (taken[i * step % total] for i in range(1, total + 1))


class Block:
    """What comes again and again."""

    def __init__(self, b, period):
        first = b.position
        self.raw = []
        for _ in range(period):
            self.raw.append(b.take(raw_record_size(b.data, b.position)))
        self.size = b.position - first
        if self.size > MAX_BLOCK:
            raise Damage(f"a block of {self.size} bytes")

    def read_steps(self, b, functions):
        """(record, byte in it, class, step)"""
        self.steps, record, after = [], 0, 0
        for _ in range(limited(b, b.uvarint(), 3)):
            distance, field = b.uvarint(), b.uvarint()
            record += distance
            if record >= len(self.raw) or not distance and field < after:
                raise Damage(f"a step of field {field} of record {record}")
            after = field + 1
            number, = struct.unpack_from("<H", self.raw[record], 4)
            function = functions[number]
            if field > self.raw[record][12]:
                raise Damage(f"a step of argument {field} of {function.name}")
            class_ = function.args[field - 1].class_ if field else function.result.class_
            if class_ not in (INT, DOUBLE, PAIR):
                raise Damage(f"a step of a value of class {class_}")
            step = [b.svarint() for _ in range(2 if class_ == PAIR else 1)]
            if class_ == PAIR and not all(-1 << 31 <= part < 1 << 31 for part in step):
                raise Damage(f"a step of {step}")
            self.steps.append((record, RAW_HEADER + 8 * (field - 1) if field else 32, step))

    def read_times(self, b):
        """Contexts, and the order of events: (record, whether it is its end)."""
        self.contexts, first, begun, met = [], [], [], 0
        for i in range(len(self.raw)):
            inside, context = b.uvarint(), b.uvarint()
            at = i
            while inside <= i and at > i - inside:
                at = first[at - 1]
            if inside > i or at != i - inside or context > met:
                raise Damage(f"a record with {inside} inside, of context {context}")
            met = max(met, context + 1)
            self.contexts.append(context)
            first.append(at)
            begun.append([])
            begun[at].insert(0, i)
        self.events = [event for i, begins in enumerate(begun)
                       for event in [(k, False) for k in begins] + [(i, True)]]
        if b.uvarint() != met:
            raise Damage(f"not {met} contexts")
        return met

    def iteration(self, number):
        """Its raw records."""
        records = [bytearray(record) for record in self.raw]
        for record, at, step in self.steps:
            if len(step) == 1:
                value, = struct.unpack_from("<Q", records[record], at)
                struct.pack_into("<Q", records[record], at, value + number * step[0] & U64)
            else:
                values = struct.unpack_from("<II", records[record], at)
                struct.pack_into("<II", records[record], at,
                                 *(value + number * part & U32 for value, part in zip(values, step)))
        return records


def check_block(block, head, functions):
    known = {function.id for function in head.functions}
    for record in block.raw:
        number, = struct.unpack_from("<H", record, 4)
        if number not in known or struct.unpack_from("<Q", record, 40)[0] >= len(head.sites):
            raise Damage(f"a record of function {number} in the block")
        raw_record(bytes(record), functions, 0)


def sizes_of_windows(iterations, size):
    count = min(max(iterations * size // WINDOW, 1), iterations)
    return [iterations // count + (i < iterations % count) for i in range(count)]


def looped_records(header, body, functions):
    """The records of a DATA chunk of encoding 4, and their unit of time."""
    deflated = header.plain_size != header.body_size
    b = Buffer(inflate(body, header.plain_size) if deflated else body)
    head = Head(b, header, functions)
    unit, phase = head.step()
    iterations, period = b.uvarint(), b.uvarint()
    if header.carried or not iterations or not period or iterations * period != header.count:
        raise Damage(f"{iterations} iterations of {period} records")
    if not header.t_base <= header.t_min <= header.t_max or any(
            (time - phase) % unit for time in (header.t_min, header.t_max)):
        raise Damage(f"a loop from {header.t_min} to {header.t_max}, after {header.t_base}")
    block = Block(b, limited(b, period, RAW_HEADER))
    check_block(block, head, functions)
    block.read_steps(b, functions)
    contexts = block.read_times(b)
    each = [block.contexts.count(context) for context in range(contexts)]
    histograms = [Histogram(b, iterations * n, n) for n in each + each]
    used_up(b, None)
    windows = sizes_of_windows(iterations, block.size)
    if len(windows) * sum(histogram.buckets for histogram in histograms) > MAX_SHARES:
        raise Damage(f"{len(windows)} windows")
    records, time, number = [], (header.t_min - phase) // unit, 0
    for window, count in enumerate(windows):
        gaps = [histogram.share(window, len(windows)) for histogram in histograms]
        for _ in range(count):
            times = [[0, 0] for _ in block.raw]
            for record, end in block.events:
                time += next(gaps[block.contexts[record] + contexts * end])
                times[record][end] = time * unit + phase
            if times[-1][1] > U64:
                raise Damage(f"a record at time {times[-1][1]}")
            for raw, (begin, end) in zip(block.iteration(number), times):
                record = raw_record(bytes(raw), functions, 0)
                records.append(record._replace(
                    sequence=header.sequence + len(records), tstart=begin, tend=end,
                    site=head.sites[record.site[1]], summed=True))
            number += 1
    if time * unit + phase != header.t_max:
        raise Damage(f"a loop that ends at {time * unit + phase}, not {header.t_max}")
    return records, (unit, phase)
