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
import importlib

# Where what is given out lies. It is loaded when it is asked for: programs that only say what they are doing (recorder.regions) have no use for a reader.
_HOMES = {
    "_reader": ("LIBRARY_VERSION", "VERSION", "ClosedError", "Error", "FilterError", "NewerFormatError", "NotATraceError", "TraceNotFoundError"),
    "columns": ("Columns",),
    "metadata": ("LocalMetadata", "RecorderMetadata"),
    "reader": ("Function", "RecorderReader"),
    "record": ("Argument", "Record"),
    "report": ("generate_report",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Argument", "ClosedError", "Columns", "Error", "FilterError", "Function", "LocalMetadata",
    "NewerFormatError", "NotATraceError", "Record", "RecorderMetadata", "RecorderReader",
    "TraceNotFoundError", "LIBRARY_VERSION", "generate_report",
]


def __getattr__(name):
    if name in _HOMES:
        return importlib.import_module("." + name, __name__)
    if name != "__version__" and name not in _HOME_OF:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    home, inner = ("_reader", "VERSION") if name == "__version__" else (_HOME_OF[name], name)
    value = getattr(importlib.import_module("." + home, __name__), inner)
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *_HOME_OF, "__version__"})
