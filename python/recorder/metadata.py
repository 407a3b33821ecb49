# SPDX-License-Identifier: MIT
"""Global and local metadata under the names that users of recorder-viz know."""

from .columns import BATCH, Batches
from .conditions import glob_of

LAYERS = ("posix", "mpi", "mpiio", "hdf5", "pnetcdf", "netcdf")
NOT_FILES = ("MPI", "H5", "dir")
FILE_WORDS = ("open", "close", "creat", "seek", "sync", "read", "write", "printf")
HANDLES = ("fd", "stream")


class RecorderMetadata:
    """Of the whole trace (GM): what recorder-viz has, and what libreader tells.

    total_ranks, start_ts (Unix time, seconds), time_resolution (seconds), LAYER_tracing (whether calls of posix, mpi, mpiio, hdf5, pnetcdf,
    netcdf are in the trace), store_tid, store_call_depth, ts_buffer_elements (0: there is no such buffer), ts_compression and so on; and dir,
    run_id, format, complete, running, records, stored, in_flight, lost, unreadable, duration (seconds), worlds, streams. `meta` has the
    metadata of the trace by key.
    """

    store_tid = True
    store_call_depth = True
    ts_buffer_elements = 0
    ts_compression = ts_compression_algo = 1
    interprocess_compression = 0  # until the trace is packed
    interprocess_pattern_recognition = 0
    intraprocess_pattern_recognition = 1

    def __init__(self, info, meta, total_ranks, resolution, layers):
        self.__dict__.update(info)
        self.meta = meta
        self.total_ranks = total_ranks
        self.start_ts = info["start_ns"] / 1e9
        self.duration = info["duration_ns"] / 1e9
        self.time_resolution = resolution
        for layer in LAYERS:
            setattr(self, f"{layer}_tracing", layer in layers)

    def __repr__(self):
        return f"<RecorderMetadata {self.dir}: {self.total_ranks} ranks, {self.records} records>"


class LocalMetadata:
    """Of a rank (LM), its child processes included.

    total_records, function_count (calls of each function, in the order of RecorderReader.funcs), filemap (set of paths), num_files; and
    world, rank, streams (numbers, see RecorderReader.streams). What needs a pass over the rank's records is found when it is asked for.
    """

    def __init__(self, reader, world, rank, streams, conditions):
        self._reader = reader
        self._conditions = conditions
        self._counted = None
        self._filemap = None
        self.world = world
        self.rank = rank
        self.streams = streams

    def _count(self):
        if self._counted is None:
            if self.streams:
                self._counted = self._reader._trace.count(**self._conditions)
            else:
                self._counted = (0, [0] * len(self._reader.funcs))
        return self._counted

    @property
    def total_records(self):
        """Records as stored: len() of the rank's records."""
        return self._count()[0]

    @property
    def function_count(self):
        """Calls of each function; a record that stands for a run of calls counts as so many."""
        return self._count()[1]

    @property
    def filemap(self):
        """Paths of the files that it used."""
        if self._filemap is None:
            self._filemap = self._find_files()
        return self._filemap

    @property
    def num_files(self):
        """How many there are."""
        return len(self.filemap)

    def _find_files(self):
        """Those that were opened, and what scripts find as file in the calls that recorder-viz looks at."""
        reader = self._reader
        found = {entry["path"] for stream in self.streams for entry in reader._trace.files(stream)}
        names = [name for name in reader.funcs if any(word in name for word in FILE_WORDS)
                 and not any(word in name for word in NOT_FILES)]
        if names and self.streams:
            chosen = dict(self._conditions, functions=",".join(map(glob_of, names)), by_end=1)
            for batch in Batches(reader._trace, reader.functions, ("file",), HANDLES, BATCH, chosen):
                found.update(unknown_handles(batch))
                found.update(batch.categories["file"])
        return found

    def __repr__(self):
        return f"<LocalMetadata rank {self.rank}>"


def unknown_handles(batch):
    """Numbers of descriptors of which nobody knows the file, as text: so they are in `args`."""
    for name in HANDLES:
        for file, value, known in zip(batch["file"], batch[f"arg:{name}"], batch[f"known:{name}"]):
            if file < 0 and known:
                yield str(value)
