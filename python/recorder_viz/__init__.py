# SPDX-License-Identifier: MIT
"""The names of the package recorder-viz, for programs that were made for it. New ones are better off with `recorder`.

    from recorder_viz import RecorderReader

    reader = RecorderReader("recorder-app-1")
    for rank in range(reader.GM.total_ranks):
        print(rank, reader.LMs[rank].total_records)
"""
from recorder import __version__  # noqa: F401

from .creader_wrapper import LocalMetadata, PyRecord, RecorderMetadata, RecorderReader  # noqa: F401
