# SPDX-License-Identifier: MIT
"""Times of DATA chunks of encoding 3, which are made up (doc/format.md, 5)."""
import math

from parts import MAX_RAW, RAW_HEADER, U16, Damage
from sequences import LAST_SYMBOL, symbol_range

EXACT, MAX_SUM = 128, 1 << 63


class Histogram:
    """Numbers of which the buckets and the sum are known."""

    def __init__(self, b, most):
        self.numbers, self.place = [], 0
        buckets, symbol = [], 0
        for i in range(b.uvarint()):
            distance, count = b.uvarint(), b.uvarint() + 1
            symbol += distance
            most -= count
            if i and not distance or symbol > LAST_SYMBOL or most < 0:
                raise Damage(f"a bucket of {count} numbers with symbol {symbol}")
            buckets.append((count, *symbol_range(symbol)))
        self.fill(buckets, b.uvarint() if buckets and symbol >= EXACT else 0)
        total = len(self.numbers)
        self.step = max(total * 0x9E3779B9 >> 32, 1)
        while math.gcd(self.step, total) > 1:
            self.step += 1

    def fill(self, buckets, excess):
        capacity = sum(count * ((1 << raw) - 1) for count, _, raw in buckets)
        if excess > capacity or capacity + sum(n * least for n, least, _ in buckets) > MAX_SUM:
            raise Damage(f"a histogram with {excess} of {capacity} beyond its buckets")
        passed = given = 0
        for count, least, raw in buckets:
            passed += count * ((1 << raw) - 1)
            until = excess * passed // capacity if capacity else 0
            each, larger = divmod(until - given, count)
            self.numbers += [least + each] * (count - larger) + [least + each + 1] * larger
            given = until
        self.left = len(self.numbers)

    def next(self):
        if not self.left:
            raise Damage("a histogram with fewer numbers than it takes")
        self.left -= 1
        self.place = (self.place + self.step) % len(self.numbers)
        return self.numbers[self.place]


class Times:
    """What stands in place of idle times and durations."""

    def __init__(self, b, contexts, count):
        if contexts > count or count * RAW_HEADER > MAX_RAW:
            raise Damage(f"{contexts} contexts of {count} records")
        self.marks, index = [], 0
        marks = b.uvarint()
        if marks > U16:
            raise Damage(f"{marks} marks")
        for _ in range(marks):
            index += b.uvarint()
            if index > count:
                raise Damage(f"a mark before record {index} of {count}")
            self.marks.append((index, b.uvarint()))
        self.begins = self.histograms(b, contexts, count)
        self.ends = self.histograms(b, contexts, count)

    @staticmethod
    def histograms(b, contexts, most):
        made = []
        for _ in range(contexts):
            made.append(Histogram(b, most))
            most -= made[-1].left
        return made

    def deal(self, signatures, carried, first, last):
        """(begin, end) of each record of these signatures; `carried`: {index: begin}, `first` and
        `last` begin and end of the chunk."""
        walk = Walk(self, last)
        times, stretch, marks = [None] * len(signatures), 0, list(self.marks)
        for i in range(len(signatures), -1, -1):
            is_carried = i - 1 in carried
            everything = not i or is_carried or bool(marks) and marks[-1][0] == i
            walk.begin(0 if everything else signatures[i - 1].level, times)
            while marks and marks[-1][0] == i:
                walk.back(marks.pop()[1])
                stretch += 1
            if not i:
                break
            stretch += is_carried
            end, context = walk.end(signatures[i - 1].index_in_chunk, stretch)
            if is_carried:
                times[i - 1] = carried[i - 1], end
            else:
                walk.stack.append((i - 1, signatures[i - 1].level, context, end))
                if not signatures[i - 1].after:
                    walk.begin(signatures[i - 1].level, times)
        if walk.time != first:
            raise Damage(f"a chunk that begins at {walk.time}, not {first}")
        if len(walk.contexts) != len(self.ends) or any(h.left for h in self.begins + self.ends):
            raise Damage("a histogram with more numbers than it takes")
        return times


class Walk:
    """Along the events of a chunk, from the last one back."""

    def __init__(self, times, last):
        self.times, self.time, self.stack, self.contexts = times, last, [], {}

    def back(self, gap):
        self.time -= gap

    def begin(self, level, times):
        """The calls on the stack begin whose level is not less."""
        while self.stack and self.stack[-1][1] >= level:
            index, _, context, end = self.stack.pop()
            times[index] = self.time, end
            self.back(self.times.begins[context].next())

    def end(self, signature, stretch):
        """When the next call ends, and its context."""
        parent = ("context", self.stack[-1][2]) if self.stack else ("stretch", stretch)
        context = self.contexts.setdefault((parent, signature), len(self.contexts))
        if context >= len(self.times.ends):
            raise Damage(f"more than {len(self.times.ends)} contexts")
        end = self.time
        self.back(self.times.ends[context].next())
        return end, context
