# SPDX-License-Identifier: MIT
"""programs.py WHAT TRACE...: what programs made for recorder-viz and recorder-utils do with a trace."""
import math
import os
import sys
from collections import Counter

import recorder
import recorder_utils
import recorder_viz
from recorder_utils.build_offset_intervals import build_offset_intervals as frame_of_intervals
from recorder_viz.build_offset_intervals import build_offset_intervals


def accesses(trace):
    """Prints what access.py printed."""
    reader = recorder_viz.RecorderReader(trace)
    home = os.path.realpath("data")
    for file, intervals in sorted(build_offset_intervals(reader).items()):
        if os.path.dirname(file) != home:
            continue
        assert intervals == sorted(intervals, key=lambda interval: interval[1])
        for rank, tstart, tend, offset, size, is_read, sessions in intervals:
            assert rank == 0 and tstart <= tend and sessions and sessions[0] >= 0, (file, offset, size, sessions)
            print(os.path.basename(file), "r" if is_read else "w", offset, size)


def fields(trace):
    """Every record by number, with the names that it has there."""
    reader = recorder_viz.RecorderReader(trace)
    assert isinstance(reader.funcs, list) and all(isinstance(name, str) for name in reader.funcs)
    decimal = math.log10(1 / reader.GM.time_resolution)
    assert decimal >= 0
    records = []
    for rank in range(reader.GM.total_ranks):
        metadata = reader.LMs[rank]
        counts = [0] * len(reader.funcs)
        for i in range(metadata.total_records):
            record = reader.records[rank][i]
            record.rank = rank
            counts[record.func_id] += record.repeat
            assert len(record.args) == record.arg_count
            for j in range(record.arg_count):
                assert isinstance(record.args[j], bytes)
            assert [arg.encode("utf-8", "surrogateescape") for arg in record.args_to_strs()] == record.args
            assert record.level == record.call_depth and 0 <= record.tstart <= record.tend
            records.append(record)
            # the file of a call is one of the rank's
            func = reader.funcs[record.func_id]
            if func in ("open", "close", "lseek", "pwrite", "read", "fopen", "fclose", "fsync"):
                assert record.args_to_strs()[0] in metadata.filemap, (func, record.args)
        assert metadata.function_count[:len(counts)] == counts
        assert metadata.num_files == len(metadata.filemap)
    records = sorted(records, key=lambda record: record.tstart)
    assert {record.rank for record in records} == set(range(reader.GM.total_ranks))
    counted = Counter(rank for rank, mine in enumerate(reader.records) for _ in mine)
    assert [counted[rank] for rank in range(reader.GM.total_ranks)] == [meta.total_records for meta in reader.LMs]
    return records


def positions(trace):
    """Arguments stand where they stand in C; handles mean the same on all ranks."""
    reader = recorder.RecorderReader(trace)
    handles, comms = {}, {}
    for record in reader:
        args = record.args_to_strs()
        if record.func == "pwrite":
            assert args[0] == record.file and args[1] == "%p"
            assert int(args[2]) == record["count"] and int(args[3]) == record["offset"]
        elif record.func == "write":
            assert args[0] == (record.file or str(record["fd"])) and int(args[2]) == record["count"]
        elif record.func == "open":
            assert os.path.isabs(args[0]) and int(args[1]) == record["flags"]
        elif record.func == "fread":
            assert int(args[1]) == record["size"] and int(args[2]) == record["count"] and args[3] == record.file
        elif record.func in ("writev", "readv"):
            assert int(args[1]) == sum(record["parts"]) and int(args[2]) == record["count"]
        elif record.func == "MPI_File_open":
            assert args[0] == "MPI_COMM_WORLD" or len(args[0]) == 16
            assert int(args[2]) == record["amode"] and len(args) == 5
            handles.setdefault(args[4], set()).add(os.path.basename(args[1]))
        elif record.func.startswith("MPI_File_write_at"):
            assert args[0] in handles and int(args[1]) == record["offset"] and args[2] == "%p"
        elif record.func == "MPI_Comm_split":
            comms.setdefault(args[3], set()).add(record.rank)
    assert all(len(names) == 1 for names in handles.values())
    return handles, comms


def utils(trace):
    """The table of recorder-utils, and numbers of files that are equal on all ranks."""
    import pandas

    reader = recorder_utils.RecorderReader(trace)
    frame = frame_of_intervals(reader)
    assert list(frame.columns) == ["file_id", "rank", "function", "offset", "size", "start", "end"]
    files = {}
    for rank in range(reader.GM.total_ranks):
        filemap = reader.LMs[rank].filemap
        assert all(files.get(number, path) == path for number, path in filemap.items())
        files.update(filemap)
    assert len(set(files.values())) == len(files) and set(frame["file_id"]) <= set(files)
    assert len(frame) > 0
    recorder_utils.generate_csv(reader, "intervals")
    table = pandas.read_csv("intervals.csv")
    assert len(table) == len(frame) and table["size"].sum() == frame["size"].sum()
    wrote = {}
    for function, sizes in frame.groupby("function")["size"]:
        wrote[function] = sizes.sum()
    return wrote


def ranks(trace):
    """The program test/mpi/io: 4 ranks write and read one file together."""
    fields(trace)
    handles, _ = positions(trace)
    assert handles
    sums = utils(trace)
    assert sums["MPI_File_write_at"] > 0 and sums["pwrite"] > 0
    reader = recorder.RecorderReader(trace)
    for func, size in sums.items():
        assert size <= sum(record.bytes * record.repeat for record in reader.iter(functions=func) if record.bytes), func


{"accesses": accesses, "fields": fields, "positions": positions, "ranks": ranks, "utils": utils}[sys.argv[1]](sys.argv[2])
