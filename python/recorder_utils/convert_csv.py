# SPDX-License-Identifier: MIT
"""Reads and writes as a table of text."""
from .build_offset_intervals import build_offset_intervals


def generate_csv(reader, output_path):
    """Writes what build_offset_intervals() gives to a file, by file, rank and time. ".csv" is added to the name if it does not end so."""
    output_path = str(output_path)
    if not output_path.endswith(".csv"):
        output_path += ".csv"
    frame = build_offset_intervals(reader).sort_values(["file_id", "rank", "start"])
    frame.to_csv(output_path, index=False, float_format="%.9f")
