# SPDX-License-Identifier: MIT
"""The second reader without a process of its own: most tests ask it once for each of hundreds of traces, and a Python that begins costs more than a trace."""
import io
import os
import sys
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import decode  # noqa: E402


def ask(*words):
    """(status, bytes of stdout, text of stderr) of decode.py with these words on its command line."""
    kept = sys.stdout, sys.stderr
    sys.stdout = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    sys.stderr = io.StringIO()
    try:
        try:
            status = decode.main(list(words))
        except SystemExit as end:  # wrong usage
            status = end.code
        except Exception:  # pylint: disable=broad-except
            traceback.print_exc()
            status = 1
        sys.stdout.flush()
        return status, sys.stdout.buffer.getvalue(), sys.stderr.getvalue()
    finally:
        sys.stdout, sys.stderr = kept
