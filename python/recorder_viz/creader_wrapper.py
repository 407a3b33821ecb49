# SPDX-License-Identifier: MIT
"""RecorderReader and its classes by the names that they have in recorder-viz."""
from recorder import LocalMetadata, RecorderMetadata, RecorderReader  # noqa: F401
from recorder import Record as PyRecord  # noqa: F401
