# SPDX-License-Identifier: MIT
"""An open trace."""
import os
from bisect import bisect_right
from collections import namedtuple

from . import _reader
from .columns import ALL, BATCH, DEFAULT, FRAME, Batches, frame_of
from .conditions import conditions
from .metadata import LocalMetadata, RecorderMetadata
from .pages import CURSORS, PAGES, RankRecords, Ranks, Shelf
from .record import Record
from .report import generate_report

# `args`: ((name, kind), ...)
Function = namedtuple("Function", "name layer result args")


FILE_CLASSES = ("data", "software", "system", "pipe", "socket")
SUMS = ("calls", "errors", "time", "self", "bytes_read", "bytes_written")


def split_files(tables, files_class):
    """Leaves files of some classes in "files", and makes "other_files" of the rest."""
    chosen = set(FILE_CLASSES) if files_class == "all" else set(files_class.split(","))
    if not chosen <= set(FILE_CLASSES):
        raise ValueError(f"no such class of files: {files_class!r}")
    others = [file for file in tables["files"] if file["class"] not in chosen]
    tables["files"] = [file for file in tables["files"] if file["class"] in chosen]
    tables["other_files"] = {"files": len(others), **{key: sum(file[key] for file in others) for key in SUMS}}


class RecorderReader:
    """A trace: a directory that Recorder wrote, or a file that `recorder pack` made of one.

    GM               metadata of the trace, see RecorderMetadata
    LMs[rank]        metadata of a rank, see LocalMetadata
    records[rank]    its records in order of time, each a Record, read when they are asked for
    funcs            names of functions, by func_id
    functions        the same with layers and arguments
    streams          what is known of each process

    Ranks of further worlds (of MPI_Comm_spawn) come after those of the first; `ranks` says which one a number is. Conditions on records are
    keywords, see the module `conditions`: ranks, tids, levels, layers, functions, files, time, min_duration, in_flight, order ...

    Traces are untrusted input: damage is skipped, counted (GM.unreadable) and described (problems()).
    """

    record_class = Record
    metadata_class = LocalMetadata

    def __init__(self, path, live=True):
        """`live`: also the newest calls of processes that run on this machine."""
        self._trace = _reader.Trace(os.fspath(path), self.record_class, live=live)
        info = self._trace.info()
        self.path = info["dir"]
        self.where = os.path.abspath(path)  # wherever the program goes
        self.functions = [Function(*function) for function in self._trace.functions()]
        self.funcs = [function.name for function in self.functions]
        self.streams = [self._trace.stream(i) for i in range(info["streams"])]
        self._worlds = find_worlds(self.streams)
        self._begins = [begin for begin, *_ in self._worlds]
        total = sum(count for _, count, *_ in self._worlds)
        self.GM = RecorderMetadata(info, self._trace.meta(-1), total, self._resolution(),
                                   {function.layer for function in self.functions})
        self.LMs = Ranks(total, self._make_metadata)
        self.records = Ranks(total, self._make_records)
        self._pages = Shelf(PAGES)
        self._cursors = Shelf(CURSORS)

    def _resolution(self):
        """Of time stamps, in seconds."""
        meta = self._trace.meta(0) if self.streams else {}
        return max(meta.get("clock.resolution", 1), 1) / 1e9

    # ---- ranks ----

    def rank_of(self, number):
        """(world, rank) of a number in LMs and records."""
        begin, _, world, _ = self._worlds[bisect_right(self._begins, number) - 1]
        return world, number - begin

    def numbers_of_streams(self):
        """{stream: number in LMs and records}."""
        return {stream: begin + rank for begin, _, _, ranks in self._worlds
                for rank, streams in ranks.items() for stream in streams}

    def _streams_of(self, number):
        begin, _, _, streams = self._worlds[bisect_right(self._begins, number) - 1]
        return streams.get(number - begin, ())

    def _make_metadata(self, number):
        streams = self._streams_of(number)
        world, rank = self.rank_of(number)
        return self.metadata_class(self, world, rank, streams, {"streams": as_ranges(streams)})

    def _make_records(self, number):
        metadata = self.LMs[number]
        if not metadata.streams:
            return []
        return RankRecords(self._trace, metadata._conditions, lambda: metadata.total_records,
                           self._pages, self._cursors)

    # ---- records ----

    def iter(self, **given):
        """An iterator over records that meet the conditions."""
        return self._trace.cursor(**conditions(**given))

    def __iter__(self):
        return self.iter()

    def count(self, **given):
        """{function name: calls} of the records that meet the conditions, without those that are none."""
        counts = {}
        for name, calls in zip(self.funcs, self._trace.count(**conditions(**given))[1]):
            if calls:
                counts[name] = counts.get(name, 0) + calls
        return counts

    def batches(self, columns=DEFAULT, args=(), size=BATCH, **given):
        """An iterator over Columns of at most `size` records each, in bounded memory. See the module `columns`."""
        return Batches(self._trace, self.functions, columns, args, size, conditions(**given))

    def to_columns(self, columns=DEFAULT, args=(), **given):
        """All records that meet the conditions as Columns: {name: array}. order="end" is the fastest."""
        return self.batches(columns, args, ALL, **given).read()

    def to_dataframe(self, columns=FRAME, args=(), **given):
        """The same as a pandas.DataFrame. `args`: names of arguments, each a column of integers."""
        return frame_of(self.to_columns(columns, args, **given))

    def summary(self, jobs=None, files_class="data", **given):
        """Where time, calls and bytes went, as recorder summary --json tells it: {"layers": [...], "functions", "ranks", "files", "other_files", "errors"}.

        `files_class`: which files are in "files": "data", "software", "system", "pipe", "socket", several (separated by commas), or "all"; "other_files" is the rest as one.

        Times are seconds; "wall" is the time of all ranks together, "program" what of it was in no recorded call. `jobs`: threads that read, as
        many as CPUs by default. See include/recorder/analysis.h for what the numbers mean.
        """
        given = dict(conditions(**given), by_end=1)
        tables = self._trace.summary(jobs or len(os.sched_getaffinity(0)), **given)
        tables["layers"] = [layer for layer in tables["layers"] if layer["calls"]]
        split_files(tables, files_class)
        tables["wall"] = sum(max(rank["wall"], 0) for rank in tables["ranks"])
        inside = sum(layer["self_by_place"]["main"] for layer in tables["layers"])
        tables["program"] = max(tables["wall"] - inside, 0)
        return tables

    def generate_report(self, path, **given):
        """As recorder.generate_report()."""
        return generate_report(self, path, **given)

    # ---- what else is known ----

    def threads(self, stream):
        """What is known of each thread of a stream."""
        return self._trace.threads(stream)

    def files(self, stream):
        """What is known of each file of a stream."""
        return self._trace.files(stream)

    def losses(self, stream):
        """[(reason, records)] that a stream lost."""
        return self._trace.losses(stream)

    def metadata(self, stream):
        """The metadata of a stream by key."""
        return self._trace.meta(stream)

    def object(self, kind, stream, number):
        """What a number in an argument stands for: kind "file", "comm", "datatype", "mpi_file", "win", "object" or "module". None: unknown."""
        return self._trace.object(kind, stream, number)

    def problems(self):
        """What is wrong with the trace, as far as it is known by now."""
        return self._trace.problems()

    def verify(self):
        """Reads everything and checks it; returns the problems."""
        self._trace.verify()
        return self.problems()

    # ---- end ----

    @property
    def closed(self):
        return self._trace.closed

    def close(self):
        """Ends the reader. Records, arrays and iterators that a program still has go on as they are."""
        self._pages.clear()
        self._cursors.clear()
        self._trace.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"<{type(self).__name__} {self.path!r}{' closed' if self.closed else ''}>"


def find_worlds(streams):
    """[(number of its rank 0, ranks, world, {rank: [stream]})]: as many ranks as the world has, or as are there."""
    worlds = {}
    for number, stream in enumerate(streams):
        size, ranks = worlds.get(stream["world"], (0, {}))
        rank = max(stream["rank"], 0)
        ranks.setdefault(rank, []).append(number)
        worlds[stream["world"]] = max(size, stream["size"], rank + 1), ranks
    made, begin = [], 0
    for world, (size, ranks) in sorted(worlds.items()):
        made.append((begin, size, world, ranks))
        begin += size
    return made


def as_ranges(numbers):
    """Ascending numbers as "0,3-5"."""
    ranges = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ",".join(f"{first}-{last}" for first, last in ranges)
