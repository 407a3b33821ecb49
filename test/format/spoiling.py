# SPDX-License-Identifier: MIT
"""What the broken traces are made with: a sound trace, ways to spoil it, the table of cases."""
import os

from write_trace import (
    FIRST_TICK, FUNCTIONS, OPEN_FILE, PWRITE, REAL, WAITALL, Pair, Record, StreamWriter, column,
    file_definition, function_definition, instant, local, save_global, thread_definition)

CASES = {}
MAIN = "rank-0.rec"


def case(text, stored=35, file=MAIN, at=None, damaged=True, refused=False, **totals):
    """Registers a case: fn(trace) builds it; `at` names an offset of the trace, or is one. `totals`:
    what else a reader must count."""
    def register(fn):
        name = fn.__name__.replace("_", "-")
        CASES[name] = (text, fn, {"damaged": damaged, "refused": refused, "stored": stored,
                                  "file": file, "totals": {"stored": stored, **totals}}, at)
        return fn
    return register


def miscounts(expect, out):
    """What a reader, whose totals are `out`, counts otherwise than is expected; None if nothing."""
    found = {key: out[key] for key in expect["totals"]}
    return None if found == expect["totals"] else f"counts {found}"


def writes(count, now, **more):
    """`count` calls of pwrite, 1000 ticks each."""
    return [Record(PWRITE, now + 1000 * i, now + 1000 * i + 500, [Pair(5, 1), 8, 8 * i], 8,
                   site=(1, 64), **more) for i in range(count)]


def four_opens(now):
    return [Record(OPEN_FILE, now + i, now + i, [b"/tmp/a", 0], Pair(5, 1)) for i in range(4)]


def four_waits(now):
    return [Record(WAITALL, now + i, now + i, [1, [7], [1]], 0) for i in range(4)]


class Trace:
    """A sound trace of 35 records in the chunks A, B, C (thread 0, columns, 10 each) and E
    (thread 1, raw, 5) of rank-0, into which a case puts something between B and C."""

    def __init__(self, where):
        self.where, self.at = where, {}
        self.stream = StreamWriter(0xABCD, None, local(0, 1, 100))
        self.now = FIRST_TICK + 100_000

    def path(self, name=MAIN):
        return os.path.join(self.where, name)

    def mark(self, name):
        self.at[name] = len(self.stream.rec)

    def ten(self, name, thread=0, count=10, **more):
        """The next chunk of thread 0."""
        self.mark(name)
        self.stream.data(thread, writes(count, self.now), **more)
        self.now += 100_000

    def begin(self):
        self.mark("defs")
        self.stream.defs(*map(function_definition, FUNCTIONS), file_definition(1, b"/tmp/a"),
                         thread_definition(0, 100, 1, self.now), anchor=instant(FIRST_TICK + 2500))
        self.ten("A")
        self.ten("B")
        self.mark("x")

    def end(self, **more):
        self.ten("C")
        self.ten("E", thread=1, count=5, encoding=0)
        self.mark("end")
        self.at["lm"] = len(self.stream.lm)
        self.stream.finish(**more)
        self.at["size"] = len(self.stream.rec)

    def save(self):
        save_global(self.where, {"run.id": "broken", "format": "1.0", "created": REAL})
        self.stream.save(self.where, "rank-0")

    def whole(self):
        self.begin()
        self.end()
        self.save()

    def edit(self, change, name=MAIN):
        """change(bytearray) works on a file; what it returns, if anything, replaces it."""
        with open(self.path(name), "rb") as file:
            data = bytearray(file.read())
        data = data if (changed := change(data)) is None else changed
        with open(self.path(name), "wb") as file:
            file.write(data)

    def flip(self, offset, name=MAIN):
        def change(data):
            data[offset] ^= 0x40
        self.whole()
        self.edit(change, name)

    def cut(self, size, name=MAIN):
        self.whole()
        self.edit(lambda data: data[:size], name)

    def insert(self, where, what):
        self.whole()
        self.edit(lambda data: data[:self.at[where]] + what(data) + data[self.at[where]:])

    def between(self, make):
        """make() adds a chunk between B and C."""
        self.begin()
        make()
        self.now += 200_000
        self.end()
        self.save()

    def columns(self, spoil=None, records=None, **more):
        """A chunk of ten records with false columns between B and C; its END agrees with it."""
        def make():
            calls = records(self.now) if records else writes(10, self.now)
            self.stream.data(0, calls, spoil=spoil, **more)
        self.between(make)

    def raws(self, spoil, records=None, **more):
        self.columns(spoil, records, encoding=0, **more)


def part(name, data):
    """A spoil function that replaces one part of the columns."""
    def spoil(parts):
        assert name in parts
        parts[name] = data
    return spoil


def bytes_column(*values):
    return column([bytes(values)])
