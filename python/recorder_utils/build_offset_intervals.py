# SPDX-License-Identifier: MIT
"""Where reads and writes lay in their files, in the form of recorder-utils."""
from recorder.intervals import offset_intervals

COLUMNS = ["file_id", "rank", "function", "offset", "size", "start", "end"]


def build_offset_intervals(reader):
    """A pandas.DataFrame of those of POSIX and stdio, and behind them those of MPI-IO; `file_id` as in LMs[rank].filemap. Those of which the offset is not
    known are left out."""
    import pandas

    ids = reader.file_ids
    rows = [[ids.setdefault(interval.file, len(ids)), interval.rank, interval.function, interval.offset, interval.size,
             interval.tstart, interval.tend]
            for layers in ("posix,stdio", "mpiio") for interval in offset_intervals(reader, layers) if interval.offset is not None]
    return pandas.DataFrame(rows, columns=COLUMNS)
