# SPDX-License-Identifier: MIT
"""The names of the package recorder-utils, for programs that were made for it, such as Drishti. New ones are better off with `recorder`."""
from recorder import __version__  # noqa: F401

from .creader_wrapper import LocalMetadata, PyRecord, RecorderMetadata, RecorderReader  # noqa: F401
from .convert_csv import generate_csv  # noqa: F401
