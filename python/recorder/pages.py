# SPDX-License-Identifier: MIT
"""The records of a rank by number, read page by page when they are asked for.

A page is found by where its first record lies in time, which one pass over the rank tells; going forward needs not even that. Pages and
open cursors of all ranks are few.
"""
from array import array
from collections import OrderedDict
from collections.abc import Sequence
from itertools import islice

PAGE = 1024
PAGES = 64
CURSORS = 16


class Shelf(OrderedDict):
    """The last few of something."""

    def __init__(self, most):
        super().__init__()
        self._most = most

    def put(self, key, value):
        self[key] = value
        self.move_to_end(key)
        if len(self) > self._most:
            self.popitem(last=False)

    def find(self, key):
        value = self.get(key)
        if value is not None:
            self.move_to_end(key)
        return value


class RankRecords(Sequence):
    """Those of one rank, its child processes included, in order of time."""

    def __init__(self, trace, conditions, count, pages, cursors):
        self._trace = trace
        self._conditions = conditions
        self._count = count  # a function: counting takes a pass
        self._pages = pages
        self._cursors = cursors
        self._marks = None

    def __len__(self):
        return self._count()

    def __iter__(self):
        return self._trace.cursor(**self._conditions)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        length = len(self)
        number = index.__index__()
        if number < 0:
            number += length
        if not 0 <= number < length:
            raise IndexError(f"record {index} of {length}")
        return self._page(number // PAGE)[number % PAGE]

    def _page(self, number):
        if self._trace.closed:
            self._trace.info()  # raises
        page = self._pages.find((id(self), number))
        if page is None:
            page = self._read(number)
            self._pages.put((id(self), number), page)
        return page

    def _read(self, number):
        """A cursor that is there goes on; else one is put before the page."""
        cursor = self._cursors.pop((id(self), number), None)
        if cursor is None:
            cursor = self._trace.cursor(**self._conditions)
            if number > 0:
                self._seek(cursor, number)
        page = list(islice(cursor, PAGE))
        if len(page) == PAGE:
            self._cursors.put((id(self), number + 1), cursor)
        return page

    def _seek(self, cursor, number):
        if self._marks is None:
            self._marks = array("q")
            self._marks.frombytes(self._trace.pages(PAGE, **self._conditions))
        cursor.seek(self._marks[2 * number])
        cursor.skip(self._marks[2 * number + 1])


class Ranks(Sequence):
    """A sequence by rank whose elements are made when they are asked for, and kept."""

    def __init__(self, count, make):
        self._count = count
        self._make = make
        self._made = {}

    def __len__(self):
        return self._count

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._count))]
        number = index.__index__()
        if number < 0:
            number += self._count
        if not 0 <= number < self._count:
            raise IndexError(f"rank {index} of {self._count}")
        if number not in self._made:
            self._made[number] = self._make(number)
        return self._made[number]
