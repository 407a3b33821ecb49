# SPDX-License-Identifier: MIT
"""lifetimes.py TRACE LONG: what a program keeps stays as it is, what it drops is freed, garbage gives exceptions."""
import copy
import gc
import os
import pickle
import sys
import threading

import recorder
from recorder import _reader

trace, long_trace = sys.argv[1:]


def refuses(error, call, *args, **keywords):
    try:
        call(*args, **keywords)
    except error as raised:
        assert str(raised), call
        return
    sys.exit(f"{call} {args} {keywords}: no {error}")


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def closing():
    """Records, arrays and iterators outlive the reader, and nothing else does."""
    reader = recorder.RecorderReader(trace)
    records = list(reader)
    lines = [str(record) for record in records]
    columns = reader.to_columns(("tstart", "rank"))
    begun = reader.iter()
    next(begun)
    batches = reader.batches("rank", size=2)
    next(batches)
    part = reader.records[0]
    meta = reader.LMs[0]
    reader.close()
    reader.close()
    assert reader.closed
    for call in (reader.iter, reader.count, reader.to_columns, reader.batches, reader.problems, reader.verify,
                 reader.summary):
        refuses(recorder.ClosedError, call)
    refuses(recorder.ClosedError, reader.files, 0)
    refuses(recorder.ClosedError, part.__getitem__, 0)
    refuses(recorder.ClosedError, iter, part)
    refuses(recorder.ClosedError, getattr, meta, "filemap")
    del reader, part, meta
    gc.collect()
    assert [str(record) for record in records] == lines
    for record in records:
        assert len(record.args_to_strs()) == record.arg_count and record.argument(0) if record.names else True
    assert [str(record) for record in begun] == lines[1:]
    assert sum(batch.rows for batch in batches) == len(lines) - 2
    del begun, batches, records
    gc.collect()
    assert list(columns["tstart"])[0] == float(lines[0].split()[2].lstrip("~"))


def attributes():
    record = next(iter(recorder.RecorderReader(trace)))
    record.rank = 77
    record.file_name = "anything"
    assert record.rank == 77 and record.file_name == "anything"
    assert record.call_depth == record.level and record.res == record.ret
    for name in ("tstart", "func", "tid", "values"):
        refuses(AttributeError, setattr, record, name, 1)
    refuses(KeyError, lambda: record["no such argument"])
    refuses(IndexError, lambda: record[1000])
    refuses(IndexError, lambda: record[-1])
    refuses(TypeError, lambda: record[None])
    refuses(TypeError, recorder.Record)
    refuses(TypeError, _reader.Record)
    refuses(TypeError, object.__new__, recorder.Record)
    refuses(TypeError, pickle.dumps, record)
    refuses(TypeError, copy.copy, record)


def garbage():
    refuses(recorder.TraceNotFoundError, recorder.RecorderReader, "nothing/here")
    refuses(FileNotFoundError, recorder.RecorderReader, "nothing/here")
    refuses(recorder.NotATraceError, recorder.RecorderReader, "/proc/self")
    refuses(recorder.Error, recorder.RecorderReader, __file__)
    refuses(TypeError, recorder.RecorderReader, 5)
    refuses(TypeError, recorder.RecorderReader)
    refuses(ValueError, recorder.RecorderReader, "a\0b")
    refuses(TypeError, _reader.Trace, trace, int)
    refuses(recorder.ClosedError, _reader.Trace.__new__(_reader.Trace).info)
    with recorder.RecorderReader(trace) as reader:
        again = reader._trace
        refuses(TypeError, again.__init__, trace)
        for number in (-1, 10**6, 2**70):
            refuses((IndexError, OverflowError), reader.files, number)
        refuses(TypeError, reader.files, "0")
        refuses(IndexError, lambda: reader.records[10**9])
        refuses(IndexError, lambda: reader.LMs[-10**9])
        refuses(ValueError, reader.object, "ghost", 0, 1)
        assert reader.object("file", 0, 2**40) is None and reader.object("comm", 0, 10**9) is None
        for columns in ((), ("rank", "rank"), ("ghost",), ("rank",) * 300, (5,)):
            refuses(recorder.FilterError, reader.to_columns, columns)
        for size in (0, -1, 2**62):
            refuses(ValueError, lambda: next(reader.batches(size=size)))
        for parts in ((2, 2), (-1, 2), (0, 10**9)):
            refuses(recorder.FilterError, again.cursor, by_end=1, part=parts[0], parts=parts[1])
        refuses(recorder.FilterError, again.cursor, ghost=1)
        refuses(recorder.FilterError, again.cursor, ranks=5)
        refuses(recorder.FilterError, again.cursor, after=2**70)
        refuses(TypeError, again.cursor, 1)
        refuses(recorder.FilterError, again.cursor(by_end=1).seek, 0)
        refuses(ValueError, again.pages, 0)
        mid = list(reader)[5].tstart_ns
        cursor = again.cursor()
        cursor.seek(mid)
        assert next(cursor).tstart_ns == mid
        assert cursor.skip(10**6) < 10**6 and next(cursor, None) is None


def threads():
    """Several at once, each with what is its own; one alone with what is not."""
    with recorder.RecorderReader(long_trace) as reader:
        want = reader.count()
        got = []

        def work(part):
            got.append(reader.count() if part % 2 else reader.to_columns("rank").rows)

        workers = [threading.Thread(target=work, args=(i,)) for i in range(6)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert [one for one in got if one == want] == [want] * 3
        assert [one for one in got if one != want] == [sum(1 for _ in reader)] * 3
        parts = [sum(1 for _ in reader._trace.cursor(by_end=1, part=i, parts=3)) for i in range(3)]
        assert sum(parts) == reader.GM.stored and min(parts) > 0, parts


def memory():
    """Reading takes no more memory for more records, and gives back what it took."""
    with recorder.RecorderReader(long_trace) as reader:
        records = reader.records[0]
        assert len(records) > 200000
        bytes_written = 0
        for round_ in range(2):
            before = resident()
            for i in range(len(records)):
                bytes_written += records[i].bytes or 0
            for record in reader:
                record.file
            for batch in reader.batches(("tstart", "file"), size=1000):
                assert batch.rows <= 1000
            grown = resident() - before
        assert bytes_written >= 2 * 2 * 8 * 100000, bytes_written
        assert grown < 8 << 20, grown

    def once():
        with recorder.RecorderReader(trace) as one:
            list(one)
            one.to_columns(("file", "tstart"), "count")
            [record.args for record in one]
            [meta.filemap for meta in one.LMs]
            one._trace.pages(2)
            one.summary()
            for kind in ("file", "comm", "datatype"):
                one.object(kind, 0, 1)
            try:
                one.iter(ranks="x")
            except recorder.FilterError:
                pass

    for _ in range(60):
        once()
    # what is lost is lost each time; allocators, which have an arena for each thread, grow now and then
    rounds = []
    while not rounds or (rounds[-1] >= 2 << 20 and len(rounds) < 4):
        before = resident()
        for _ in range(300):
            once()
        rounds.append(resident() - before)
    assert rounds[-1] < 2 << 20, rounds


closing()
attributes()
garbage()
threads()
if not os.environ.get("SANITIZERS"):  # they keep freed memory for a while
    memory()
