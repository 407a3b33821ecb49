# SPDX-License-Identifier: MIT
"""RecorderReader as recorder-utils has it: the files of a rank have numbers, which are equal on all ranks."""
import recorder
from recorder import Record as PyRecord  # noqa: F401
from recorder import RecorderMetadata  # noqa: F401


class LocalMetadata(recorder.LocalMetadata):
    """As recorder.LocalMetadata, but `filemap` is {number: path}."""

    @property
    def filemap(self):
        ids = self._reader.file_ids
        return {ids.setdefault(path, len(ids)): path for path in sorted(super().filemap)}


class RecorderReader(recorder.RecorderReader):
    """As recorder.RecorderReader. `file_ids` are the numbers of files by path, as far as they were asked for."""

    metadata_class = LocalMetadata

    def __init__(self, path, live=True):
        self.file_ids = {}
        super().__init__(path, live)
