# SPDX-License-Identifier: MIT
"""Reads traces of Recorder.

    from recorder import RecorderReader

    with RecorderReader("recorder-app-1") as reader:
        print(reader.GM.total_ranks, reader.LMs[0].total_records)
        for record in reader.iter(ranks="0-3", functions="MPI_*"):
            print(record.rank, record.tstart, record.func, record.values)
        frame = reader.to_dataframe(layers="posix", args=["count", "offset"])

Nothing but the standard library is needed; numpy and pandas are used where they are there.
"""
from ._reader import (
    LIBRARY_VERSION, VERSION, ClosedError, Error, FilterError, NewerFormatError, NotATraceError,
    TraceNotFoundError)
from .columns import Columns
from .metadata import LocalMetadata, RecorderMetadata
from .reader import Function, RecorderReader
from .record import Argument, Record
from .report import generate_report

__version__ = VERSION
__all__ = [
    "Argument", "ClosedError", "Columns", "Error", "FilterError", "Function", "LocalMetadata",
    "NewerFormatError", "NotATraceError", "Record", "RecorderMetadata", "RecorderReader",
    "TraceNotFoundError", "LIBRARY_VERSION", "generate_report",
]
