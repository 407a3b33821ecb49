# SPDX-License-Identifier: MIT
"""Records as columns: one array a field.

Names of columns: tstart, tend, duration, busy (seconds); tstart_ns, tend_ns, busy_ns; rank, world, stream, thread, tid, level, func_id,
sequence, flags, ret, err, repeat, bytes (-1: moves none), module, callsite, stack; and function, layer, file, which are numbers into
Columns.categories (-1: no file). "arg:NAME" is the argument of this name, 0 where a call has none, which "known:NAME" tells.
"""
from ._reader import FilterError

try:
    import numpy
except ImportError:
    numpy = None

DEFAULT = ("rank", "tid", "tstart", "tend", "level", "function", "ret", "err")
FRAME = ("rank", "tid", "tstart", "tend", "duration", "level", "layer", "function", "ret", "err",
         "bytes", "file")
ALL = 2**40  # more rows than there can be
BATCH = 2**20


class Columns(dict):
    """{name: array}. Arrays are of numpy, else memoryviews; nothing is copied.

    `categories` has for function, layer and file the names that the numbers stand for; `rows` is the length of each array.
    """

    def __init__(self, names, arrays, categories):
        super().__init__(zip(names, arrays))
        self.categories = categories
        self.rows = len(arrays[0]) if arrays else 0


class Batches:
    """An iterator over Columns of at most `size` rows; memory is that of one, but for the names of files."""

    def __init__(self, trace, functions, names, args, size, conditions):
        self.names = column_names(names, args)
        self._size = size
        self._batches = trace.batches(self.names, **conditions)
        self._fixed = {"function": list(dict.fromkeys(function.name for function in functions)),
                       "layer": list(dict.fromkeys(function.layer for function in functions))}
        self._files = []

    def __iter__(self):
        return self

    def __next__(self):
        columns = self.read()
        if columns.rows == 0:
            raise StopIteration
        return columns

    def read(self):
        """The next batch; at the end one without rows."""
        made = self._batches.next(self._size)
        if numpy:
            arrays = [numpy.asarray(column) for column in made]
        else:
            arrays = [memoryview(column) for column in made]
        return Columns(self.names, arrays, self._categories())

    def _categories(self):
        categories = {name: self._fixed[name] for name in self._fixed if name in self.names}
        if "file" in self.names:
            more = self._batches.files(len(self._files))
            if more:  # else all batches have the same list
                self._files = self._files + more
            categories["file"] = self._files
        return categories


def column_names(names, args):
    """Those that are asked for, and two for each argument."""
    if isinstance(names, str):
        names = names.replace(",", " ").split()
    if isinstance(args, str):
        args = args.replace(",", " ").split()
    names = list(names)
    for arg in args:
        names += [f"arg:{arg}", f"known:{arg}"]
    if not names or len(set(names)) < len(names):
        raise FilterError("columns: at least one, and none twice")
    return names


def frame_of(columns):
    """A pandas.DataFrame: names as categories, arguments as integers that may be missing."""
    import pandas

    series = {}
    for name, values in columns.items():
        if name.startswith("known:"):
            continue
        if name.startswith("arg:"):
            known = columns["known:" + name[4:]]
            series[name[4:] if name[4:] not in columns else name] = pandas.arrays.IntegerArray(
                values, ~known)
        elif name in columns.categories:
            series[name] = pandas.Categorical.from_codes(values.astype("int64"), columns.categories[name])
        else:
            series[name] = values
    return pandas.DataFrame(series, copy=False)
