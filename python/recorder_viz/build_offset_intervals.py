# SPDX-License-Identifier: MIT
"""Where reads and writes lay in their files, in the form of recorder-viz."""
from recorder.intervals import is_data, offset_intervals


def ignore_files(filename):
    """Whether a file is none of the program's data."""
    return not filename or not is_data(filename)


def build_offset_intervals(reader):
    """{file: [[rank, tstart, tend, offset, size, is_read, sessions]]} of POSIX and stdio, of which the offset is known."""
    found = {}
    for interval in offset_intervals(reader):
        if interval.offset is None:
            continue
        found.setdefault(interval.file, []).append(
            [interval.rank, interval.tstart, interval.tend, interval.offset, interval.size,
             interval.is_read, interval.sessions])
    return found
