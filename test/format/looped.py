# SPDX-License-Identifier: MIT
"""DATA chunks of encodings 4 and 5, loops (doc/format.md, 5)."""
import collections
import itertools
import math
import struct

from columns import Head
from parts import (ARRAY, DOUBLE, INT, MAX_RAW, NESTED, PAIR, RAW_HEADER, U32, U64, Buffer, Damage, inflate, limited,
                   used_up)
from records import raw_record, raw_record_size
from sequences import LAST_SYMBOL, symbol_range

SINGLE = 8      # numbers below it have buckets of their own
MAX_SUM, MAX_BLOCK, WINDOW, MAX_SHARES = 1 << 63, 1 << 20, 1 << 22, 1 << 28
MAX_ITERATION = 1 << 20     # records


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


def read_parts(b, nested):
    """[(first record in the block, records, times)] of an iteration."""
    pairs = [(b.uvarint(), b.uvarint() if nested else 1)
             for _ in range(limited(b, b.uvarint(), 2) if nested else 1)]
    if not pairs or not all(count and times for count, times in pairs):
        raise Damage(f"a loop of {len(pairs)} parts, or of one that is empty")
    if sum(count * times for count, times in pairs) > MAX_ITERATION:
        raise Damage(f"an iteration of more than {MAX_ITERATION} records")
    firsts = itertools.accumulate((count for count, _ in pairs), initial=0)
    return [(first, count, times) for first, (count, times) in zip(firsts, pairs)]


class Block:
    """What comes again and again, and the parts of an iteration."""

    def __init__(self, b, parts):
        begin, self.parts, self.raw = b.position, parts, []
        for _ in range(limited(b, sum(count for _, count, _ in parts), RAW_HEADER)):
            self.raw.append(b.take(raw_record_size(b.data, b.position)))
        if b.position - begin > MAX_BLOCK:
            raise Damage(f"a block of {b.position - begin} bytes")
        self.records = sum(count * times for _, count, times in parts)
        self.size = sum(times * sum(map(len, self.raw[first:first + count])) for first, count, times in parts)
        if self.size > MAX_RAW:
            raise Damage(f"an iteration of {self.size} bytes")

    def read_steps(self, b, functions, nested):
        """Of each record: (byte in it, what is added within an iteration, and from one to the next)."""
        self.steps, record, after = collections.defaultdict(list), 0, 0
        for _ in range(limited(b, b.uvarint(), 4 if nested else 3)):
            distance, field = b.uvarint(), b.uvarint()
            record += distance
            if record >= len(self.raw) or not distance and field < after:
                raise Damage(f"a step of field {field} of record {record}")
            after = field + 1
            if field > self.raw[record][12] and nested:
                count, places = 1, self.array_places(record, field, functions)
            else:
                count = self.numbers_of(record, field, functions)
                places = [RAW_HEADER + 8 * (field - 1) if field else 32]
            within = [b.svarint() if nested else 0 for _ in range(count)]
            across = [b.svarint() for _ in range(count)]
            if count == 2 and not all(-1 << 31 <= number < 1 << 31 for number in within + across):
                raise Damage(f"a step of {within} and {across}")
            self.steps[record] += [(at, within, across) for at in places]

    def numbers_of(self, record, field, functions):
        """How many a field has that are stepped."""
        number, = struct.unpack_from("<H", self.raw[record], 4)
        function = functions[number]
        if field > self.raw[record][12]:
            raise Damage(f"a step of argument {field} of {function.name}")
        class_ = function.args[field - 1].class_ if field else function.result.class_
        if class_ not in (INT, DOUBLE, PAIR):
            raise Damage(f"a step of a value of class {class_}")
        return 2 if class_ == PAIR else 1

    def array_places(self, record, field, functions):
        """Where the sum or an element of an array is, and the sum that is larger with an element."""
        raw = self.raw[record]
        which, (number,) = field - raw[12] - 1, struct.unpack_from("<H", raw, 4)
        for word, parameter in zip(struct.unpack_from(f"<{raw[12]}Q", raw, RAW_HEADER), functions[number].args):
            if parameter.class_ != ARRAY or word in (0, 1):
                continue
            stored, original = struct.unpack_from("<II", raw, word)
            if which <= stored:
                whole = stored == original
                if whole and not which:
                    break
                return [word + 8 + 8 * which] + [word + 8] * whole
            which -= 1 + stored
        raise Damage(f"a step of field {field} of record {record}")

    def read_times(self, b):
        """Contexts, and the order of events."""
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
        if b.uvarint() != met:
            raise Damage(f"not {met} contexts")
        self.events = self.expanded([event for i, begins in enumerate(begun)
                                     for event in [(k, False) for k in begins] + [(i, True)]], met)
        return met

    def expanded(self, order, contexts):
        """The events of an iteration, made of the block's: (record, whether it is its end, histogram)."""
        owner = [part for part, (_, count, _) in enumerate(self.parts) for _ in range(count)]
        places = list(itertools.accumulate((count * times for _, count, times in self.parts), initial=0))
        events = []
        for part, run in itertools.groupby(order, lambda event: owner[event[0]]):
            (first, count, times), run = self.parts[part], list(run)
            if times > 1 and len(run) != 2 * count:
                raise Damage(f"events of part {part} are not one after the other")
            moved = places[part] - first
            events += [(moved + k * count + record, end, self.contexts[record] + contexts * end)
                       for k in range(times) for record, end in run]
        return events

    def stepped(self, record, time, number):
        """A raw record as it is in an iteration when its part comes for this time."""
        raw = bytearray(self.raw[record])
        for at, within, across in self.steps.get(record, ()):
            form, mask = ("<Q", U64) if len(within) == 1 else ("<II", U32)
            values = struct.unpack_from(form, raw, at)
            struct.pack_into(form, raw, at, *(value + time * a + number * c & mask
                                              for value, a, c in zip(values, within, across)))
        return bytes(raw)

    def iteration(self, number):
        """Its raw records."""
        return (self.stepped(record, time, number) for first, count, times in self.parts
                for time in range(times) for record in range(first, first + count))


def check_block(block, head, functions):
    known = {function.id for function in head.functions}
    for record in block.raw:
        number, = struct.unpack_from("<H", record, 4)
        if number not in known or struct.unpack_from("<Q", record, 40)[0] >= len(head.sites):
            raise Damage(f"a record of function {number} in the block")
        raw_record(record, functions, 0)


class Loop:
    """The plain body of a chunk of encoding 4 or 5."""

    def __init__(self, header, b, functions):
        nested = header.encoding == NESTED
        self.header, self.functions, self.head = header, functions, Head(b, header, functions)
        self.unit, self.phase = self.head.step()
        self.iterations, parts = b.uvarint(), read_parts(b, nested)
        self.block = Block(b, parts)
        self.check_header()
        check_block(self.block, self.head, functions)
        self.block.read_steps(b, functions, nested)
        self.read_histograms(b, self.block.read_times(b))
        used_up(b, None)

    def check_header(self):
        header, records = self.header, self.block.records
        if header.carried or not self.iterations or self.iterations * records != header.count:
            raise Damage(f"{self.iterations} iterations of {records} records")
        if not header.t_base <= header.t_min <= header.t_max or any(
                (time - self.phase) % self.unit for time in (header.t_min, header.t_max)):
            raise Damage(f"a loop from {header.t_min} to {header.t_max}, after {header.t_base}")

    def read_histograms(self, b, contexts):
        each = collections.Counter(histogram for _, _, histogram in self.block.events)
        self.histograms = [Histogram(b, self.iterations * each[i], each[i]) for i in range(2 * contexts)]
        self.windows = min(max(self.iterations * self.block.size // WINDOW, 1), self.iterations)
        if self.windows * sum(histogram.buckets for histogram in self.histograms) > MAX_SHARES:
            raise Damage(f"{self.windows} windows")

    def gaps(self):
        """For each iteration, the gaps that are left of each histogram."""
        for window in range(self.windows):
            gaps = [histogram.share(window, self.windows) for histogram in self.histograms]
            count = self.iterations // self.windows + (window < self.iterations % self.windows)
            yield from itertools.repeat(gaps, count)

    def iteration_times(self, time, gaps):
        """(begin, end) of each record of an iteration after `time`, in units."""
        times = [[0, 0] for _ in range(self.block.records)]
        for record, end, histogram in self.block.events:
            time += next(gaps[histogram])
            times[record][end] = time
        if time * self.unit + self.phase > U64:
            raise Damage(f"a record at time {time * self.unit + self.phase}")
        return times

    def read_records(self):
        records, time = [], (self.header.t_min - self.phase) // self.unit
        for number, gaps in enumerate(self.gaps()):
            times = self.iteration_times(time, gaps)
            for raw, (begin, time) in zip(self.block.iteration(number), times):
                record = raw_record(raw, self.functions, 0)
                records.append(record._replace(
                    sequence=self.header.sequence + len(records), tstart=begin * self.unit + self.phase,
                    tend=time * self.unit + self.phase, site=self.head.sites[record.site[1]], summed=True))
        if records[-1].tend != self.header.t_max:
            raise Damage(f"a loop that ends at {records[-1].tend}, not {self.header.t_max}")
        return records


def looped_records(header, body, functions):
    """The records of a DATA chunk of encoding 4 or 5, and their unit of time."""
    deflated = header.plain_size != header.body_size
    loop = Loop(header, Buffer(inflate(body, header.plain_size) if deflated else body), functions)
    return loop.read_records(), (loop.unit, loop.phase)
