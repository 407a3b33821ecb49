# SPDX-License-Identifier: MIT
"""The names of the package recorder-viz, for programs that were made for it. New ones are better off with `recorder`.

    import recorder_viz
    from recorder_viz import RecorderReader

    reader = RecorderReader("recorder-app-1")
    for rank in range(reader.GM.total_ranks):
        print(rank, reader.LMs[rank].total_records)
    recorder_viz.generate_report(reader, "output.html")
"""
from recorder import __version__, generate_report  # noqa: F401

from .creader_wrapper import LocalMetadata, PyRecord, RecorderMetadata, RecorderReader  # noqa: F401
