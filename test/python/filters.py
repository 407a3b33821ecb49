# SPDX-License-Identifier: MIT
"""filters.py TRACE...: conditions choose the records that the same options choose for recorder2text."""
import sys

import recorder
from compare import check, text

CASES = [
    ({"ranks": "0"}, ["--ranks", "0"]),
    ({"ranks": [0, 1]}, ["--ranks", "0,1"]),
    ({"ranks": 1}, ["--ranks", "1"]),
    ({"ranks": range(1, 3)}, ["--ranks", "1-2"]),
    ({"levels": 0}, ["--levels", "0"]),
    ({"layers": "posix"}, ["--layers", "posix"]),
    ({"layers": ["posix", "-stdio"]}, ["--layers", "posix,-stdio"]),
    ({"functions": "*read*,-preadv"}, ["--functions", "*read*,-preadv"]),
    ({"functions": ("open", "close")}, ["--functions", "open,close"]),
    ({"files": "*file*"}, ["--files", "*file*"]),
    ({"time": (0.001, 0.05)}, ["--time", "0.001s..0.05s"]),
    ({"time": (None, 0.01)}, ["--time", "..0.01s"]),
    ({"time": (0.01, None)}, ["--time", "0.01s.."]),
    ({"min_duration": 1e-5}, ["--min-duration", "10us"]),
    ({"streams": "0"}, ["--streams", "0"]),
    ({"ranks": 0, "layers": "posix", "levels": "0-1"}, ["--ranks", "0", "--layers", "posix", "--levels", "0-1"]),
]
WRONG = [{"ranks": "x"}, {"ranks": "1.5"}, {"time": 1}, {"time": (0, 0)}, {"time": ("a", None)}, {"order": "size"},
         {"in_flight": "maybe"}, {"min_duration": "long"}, {"colour": "red"}, {"ranks": object()},
         {"functions": b"\xff\x00"}, {"min_duration": float("inf")}, {"time": (float("nan"), None)}, {"ranks": {}.get}]


def try_all(trace):
    with recorder.RecorderReader(trace) as reader:
        for given, options in CASES:
            lines = [line for line in text(trace, *options) if not line.endswith("in_flight")]
            check(f"{trace} {given}", [str(record) for record in reader.iter(**given)], lines)
            rows = sum(batch.rows for batch in reader.batches("rank", size=7, **given))
            assert rows == len(lines), (given, rows)
            calls = sum(record.repeat for record in reader.iter(**given))
            assert sum(reader.count(**given).values()) == calls, given
        for given in WRONG:
            for use in (reader.iter, reader.count, reader.to_columns, reader.summary):
                try:
                    use(**given)
                except (recorder.FilterError, ValueError) as error:
                    assert str(error), given
                else:
                    sys.exit(f"{given}: no FilterError")
        tid = next(iter(reader)).tid
        assert all(record.tid == tid for record in reader.iter(tids=tid))


for argument in sys.argv[1:]:
    try_all(argument)
