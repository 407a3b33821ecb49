# SPDX-License-Identifier: MIT
"""Times of DATA chunks of encoding 3 for write_trace.py, from doc/format.md alone."""
import collections

from write_records import symbol_of, uvarint


def encloses(records, index):
    """Whether a record has the one before it inside."""
    record, before = records[index], records[index - 1]
    return index > 0 and record.level < before.level and record.tstart < before.tend


def histogram(numbers):
    """Words of a histogram."""
    buckets, excess = collections.Counter(), 0
    for number in numbers:
        symbol, raw, _ = symbol_of(number)
        buckets[symbol] += 1
        excess += raw
    parts, last = [uvarint(len(buckets))], 0
    for symbol in sorted(buckets):
        parts += [uvarint(symbol - last), uvarint(buckets[symbol] - 1)]
        last = symbol
    return b"".join(parts) + (uvarint(excess) if last >= 128 else b"")


class Chunk:
    """Records of which (level, signature, encloses) and times in units are known, and marks."""

    def __init__(self, kinds, times, carried, marks):
        self.kinds, self.times, self.carried, self.count = kinds, times, carried, len(kinds)
        self.marks = [(sum(end <= mark for _, end in times), mark) for mark in marks]
        self.parents = [self.parent(i) for i in range(self.count)]

    def is_boundary(self, index):
        """Whether a stretch ends right before this record."""
        return index - 1 in self.carried or any(index == mark for mark, _ in self.marks)

    def parent(self, index):
        """The record that encloses it, None: none in its stretch."""
        least = self.kinds[index][0]
        for i in range(index + 1, self.count):
            if self.is_boundary(i):
                return None
            level, _, encloses_it = self.kinds[i]
            if level < least and encloses_it and i not in self.carried:
                return i
            least = min(level, least)
        return None

    def stretch(self, index):
        """Boundaries after a record; one that is carried ends a stretch, and is in that."""
        after = sum(mark > index for mark, _ in self.marks)
        return after + sum(carried >= index for carried in self.carried)

    def contexts(self):
        """The number of each record's context."""
        numbers, found = {}, [None] * self.count
        for i in range(self.count - 1, -1, -1):
            parent = self.parents[i]
            outer = ("stretch", self.stretch(i)) if parent is None else found[parent]
            found[i] = numbers.setdefault((outer, self.kinds[i][1]), len(numbers))
        return found, len(numbers)

    def begun(self, index):
        """The calls that begin right before the end of a record, the outermost first."""
        first = [i for i in range(index, self.count) if self.first_inside(i) == index]
        return reversed([i for i in first if i not in self.carried])

    def first_inside(self, index):
        """The first record to end of those inside of one, or itself."""
        while index > 0 and self.parents[index - 1] is not None:
            outer = self.parents[index - 1]
            while outer is not None and outer < index:
                outer = self.parents[outer]
            if outer != index:
                break
            return min(i for i in range(index) if self.is_inside(i, index))
        return index

    def is_inside(self, index, outer):
        while index is not None and index < outer:
            index = self.parents[index]
        return index == outer

    def events(self):
        """(time, what, number of record or mark), in order."""
        for i in range(self.count + 1):
            yield from ((time, "mark", m) for m, (mark, time) in enumerate(self.marks) if mark == i)
            if i < self.count:
                yield from ((self.times[b][0], "begin", b) for b in self.begun(i))
                yield self.times[i][1], "end", i


def summed(kinds, times, base, carried, marks):
    """Parts of the words by name; the number of contexts."""
    chunk = Chunk(kinds, times, carried, marks)
    contexts, count = chunk.contexts()
    gaps = {"begin": [[] for _ in range(count)], "end": [[] for _ in range(count)], "mark": []}
    for time, what, which in chunk.events():
        assert time >= base, f"{what} {which} at {time}, after {base}"
        if what == "mark":
            gaps["mark"].append(time - base)
        else:
            gaps[what][contexts[which]].append(time - base)
        base = time
    words, last = uvarint(len(marks)), 0
    for (index, _), gap in zip(chunk.marks, gaps["mark"]):
        words += uvarint(index - last) + uvarint(gap)
        last = index
    parts = {"marks": words}
    for what in ("begin", "end"):
        for number in range(count):
            parts[what, number] = histogram(gaps[what][number])
    return parts, count
