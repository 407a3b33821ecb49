# SPDX-License-Identifier: MIT
"""columns.py TRACE...: columns have what the records have, with numpy and without."""
import sys

if sys.argv[1] == "--bare":
    sys.modules["numpy"] = None
import recorder  # noqa: E402

FIELDS = ("tstart_ns", "tend_ns", "busy_ns", "tstart", "tend", "busy", "duration", "level", "func_id", "tid", "world", "rank",
          "stream", "thread", "sequence", "flags", "err", "repeat", "module", "callsite", "stack")
BARE = sys.argv[1] == "--bare"


def check(reader, **given):
    records = list(reader.iter(**given))
    columns = reader.to_columns(FIELDS + ("ret", "bytes", "file", "function", "layer"), ("count", "offset"), **given)
    assert columns.rows == len(records)
    for name in FIELDS:
        assert columns[name].tolist() == [getattr(record, name) for record in records], name
    for name, attribute in (("file", "file"), ("function", "func"), ("layer", "layer")):
        names = columns.categories[name] + [None]  # -1
        assert len(set(names)) == len(names)
        assert [names[code] for code in columns[name]] == [getattr(record, attribute) for record in records], name
    assert columns["bytes"].tolist() == [-1 if record.bytes is None else record.bytes for record in records]
    results = [(got, record.ret) for got, record in zip(columns["ret"].tolist(), records) if isinstance(record.ret, int)]
    assert all(got == ret for got, ret in results)
    for arg in ("count", "offset"):
        want = [record.arguments.get(arg) for record in records]
        want = [value if isinstance(value, int) else None for value in want]
        got = [value if known else None
               for value, known in zip(columns[f"arg:{arg}"].tolist(), columns[f"known:{arg}"].tolist())]
        assert got == want, arg
    batches = list(reader.batches(("tstart_ns", "file"), size=5, **given))
    assert [batch.rows for batch in batches[:-1]] == [5] * (len(batches) - 1)
    assert [one for batch in batches for one in batch["tstart_ns"].tolist()] == columns["tstart_ns"].tolist()
    assert [one for batch in batches for one in batch["file"].tolist()] == columns["file"].tolist()


def check_frame(reader):
    import numpy
    import pandas

    frame = reader.to_dataframe(args=["count", "rank"])
    records = list(reader)
    assert len(frame) == len(records) and isinstance(frame, pandas.DataFrame)
    assert frame["function"].tolist() == [record.func for record in records]
    assert frame["layer"].tolist() == [record.layer for record in records]
    assert frame["tstart"].tolist() == [record.tstart for record in records]
    assert [None if pandas.isna(path) else path for path in frame["file"]] == [record.file for record in records]
    counts = [record.arguments.get("count") for record in records]
    assert [None if pandas.isna(count) else count for count in frame["count"]] == counts
    assert "arg:rank" in frame and "rank" in frame
    sizes = frame[frame["bytes"] > 0].groupby("function", observed=True)["bytes"].sum()
    for name, size in sizes.items():
        assert size == sum(record.bytes for record in records if record.func == name and (record.bytes or 0) > 0)
    assert len(reader.to_dataframe(functions="no_such_function")) == 0
    column = reader.to_columns("tstart")["tstart"]
    assert isinstance(column, numpy.ndarray) and column.dtype == numpy.float64 and column.flags.writeable
    column[0] = -1  # the program's own


for trace in sys.argv[1 + BARE:]:
    with recorder.RecorderReader(trace) as opened:
        check(opened)
        check(opened, order="end")
        check(opened, functions="open,pwrite")
        check(opened, functions="no_such_function")
        if not BARE:
            check_frame(opened)
