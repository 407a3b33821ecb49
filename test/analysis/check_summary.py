# SPDX-License-Identifier: MIT
"""Compares what recorder summary says with what is known: check_summary.py KNOWN-TRACE THREADS [MPI-TRACE RANKS]."""
import csv
import io
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
import recompute  # noqa: E402

HERE = os.getcwd()


def summary(trace, *options):
    return subprocess.run(["recorder", "summary", *options, trace], capture_output=True, check=True).stdout


def of_json(trace, *options):
    text = summary(trace, "--json", *options)
    assert text == summary(trace, "--json", "-j", "7", *options), "-j changes the result"
    return json.loads(text)


def seconds(value):
    return round(value * 10 ** 9)


def same(what, want, got):
    if want != got:
        sys.exit(f"check_summary.py: {what}: {got}, not {want}")


def compare_with_records(trace, *options):
    """Everything that can be had from the records one by one."""
    calls = recompute.read(trace, *options)
    found = of_json(trace, "--files-class", "all", *options)
    table, times = recompute.functions(calls)
    rows = {(row["layer"], row["function"]): row for row in found["functions"]}
    same("functions", sorted(table), sorted(rows))
    for key, want in table.items():
        got = {name: rows[key][name] if name in ("calls", "errors") else seconds(rows[key][name]) for name in want}
        same(f"{key}", want, got)
        for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99)):
            exact = times[key][min(int(share * len(times[key])), len(times[key]) - 1)]
            near = seconds(rows[key][name])
            if abs(near - exact) > exact / 32 + 1:
                sys.exit(f"check_summary.py: {key} {name}: {near}, not {exact}")
    same("errors", recompute.errors(calls),
         {(row["layer"], row["function"], row["error"]): row["calls"] for row in found["errors"]})
    layers = {row["layer"]: row for row in found["layers"]}
    for layer in {key[0] for key in table}:
        want = sum(row["self"] for key, row in table.items() if key[0] == layer)
        same(f"self time of {layer}", want, seconds(layers[layer]["self"]))
        same(f"places of {layer}", want, sum(map(seconds, layers[layer]["self_by_place"].values())))
    for row in found["ranks"]:
        mine = [call for call in calls if call.rank == row["rank"]]
        same(f"calls of rank {row['rank']}", sum(call.repeat for call in mine), row["calls"])
        want = sum(call.busy - call.below for call in mine)
        same(f"self time of rank {row['rank']}", want, seconds(row["self"]))
        same(f"by operation of rank {row['rank']}", want, sum(map(seconds, row["by_operation"].values())))
        same(f"by place of rank {row['rank']}", want,
             sum(seconds(value) for name in ("files", "mpi", "other") for value in row[name].values()))
    return found


def access(found, name):
    rows = [row for row in found["files"] if os.path.basename(row["path"]) == name]
    same(f"rows of {name}", 1, len(rows))
    return rows[0]


def pattern(**numbers):
    return dict(dict.fromkeys(("consecutive", "strided", "forward", "backward", "first", "unknown", "unaligned"), 0), **numbers)


def common(found, name, direction):
    """{size: calls} of a layer, whose sizes are all told apart."""
    layer, = (row for row in found["layers"] if row["layer"] == name)
    sizes = layer["common_sizes"]
    rows = sizes[direction]["most"]
    same(f"sizes of {name} are exact", [True, len(rows)], [sizes["exact"], sizes[direction]["different"]])
    same(f"order of sizes of {name}", sorted(rows, key=lambda row: (-row["calls"], row["size"])), rows)
    same(f"calls by size of {name}", sum(layer["write_sizes" if direction == "written" else "read_sizes"].values()), sum(row["calls"] for row in rows))
    return {row["size"]: row["calls"] for row in rows}


def check_known(trace, threads):
    found = compare_with_records(trace)
    written = {4096: 10, 200000: 1, 500: 2, **({64: 4 * threads} if threads else {})}
    same("sizes written", written, common(found, "posix", "written"))
    same("sizes read", {100: 5}, common(found, "posix", "read"))
    same("sizes of stdio", [{1000: 1}, {300: 2, 100: 1}], [common(found, "stdio", direction) for direction in ("written", "read")])
    want = {"data": dict(opens=1, reads=5, writes=11, bytes_read=500, bytes_written=240960, errors=0, ranks=1,
                         read_sizes={"100-1K": 5}, write_sizes={"1K-10K": 10, "100K-1M": 1}, metadata=5, syncs=1, asks=2, seeks=0,
                         read_pattern=pattern(first=1, forward=1, strided=3, unaligned=4),
                         write_pattern=pattern(first=1, consecutive=10)),
            "lines": dict(opens=1, reads=3, writes=1, bytes_read=700, bytes_written=1000, errors=0, seeks=1,
                          read_sizes={"100-1K": 3}, write_sizes={"1K-10K": 1}, write_pattern=pattern(first=1),
                          read_pattern=pattern(first=1, consecutive=2, unaligned=3)),
            "none": dict(opens=0, reads=0, writes=0, bytes_read=0, bytes_written=0, errors=5, metadata=5),
            "child": dict(opens=1, writes=2, bytes_written=1000)}
    want.update({f"of.{i}": dict(opens=1, writes=4, bytes_written=256, write_sizes={"0-100": 4}) for i in range(threads)})
    for name, numbers in want.items():
        row = access(found, name)
        same(name, numbers, {key: row[key] for key in numbers})
        same(f"class of {name}", "data", row["class"])
    rank, = found["ranks"]
    same("bytes of the rank", [1200, 243960 - 1000 + 256 * threads],
         [sum(row[key] for row in found["files"] if row["class"] == "data") for key in ("bytes_read", "bytes_written")])
    same("bytes of its files", [1200, 242960 + 256 * threads], [rank["bytes_read"], rank["bytes_written"]])
    parent, child = found["processes"]
    same("the child's parent", (-1, 0, "", 0, 1, "fork"), (parent["parent"], parent["depth"], parent["started"], child["parent"], child["depth"], child["started"]))
    same("calls of both", rank["calls"], parent["calls"] + child["calls"])
    for key, place in (("files", "files"), ("other", "other")):
        same(f"{key} of both", sum(map(seconds, rank[place].values())), seconds(parent[key]) + seconds(child[key]))
    for state, time in found["overlap"]["children"].items():
        same(f"{state} of the child", time, child["overlap"][state])
    compare_with_records(trace, "--functions", "pwrite,open")
    compare_with_records(trace, "--time", "0s..0.0001s")


def check_mpi(trace, ranks):
    found = compare_with_records(trace)
    functions = {row["function"]: row for row in found["functions"]}
    for name, calls, read, written in (("MPI_Send", 5, 0, 5000), ("MPI_Irecv", 5, 0, 0), ("MPI_Wait", 5, 5000, 0),
                                       ("MPI_Barrier", 2, 0, 0), ("MPI_File_write_at_all", 1, 0, 300000),
                                       ("MPI_File_read_at", 2, 2000, 0)):
        row = functions[name]
        same(name, [calls * ranks, read * ranks, written * ranks], [row["calls"], row["bytes_read"], row["bytes_written"]])
    same("operations", ["collective", "completion", "point-to-point", "write"],
         [functions[name]["operation"] for name in ("MPI_Barrier", "MPI_Wait", "MPI_Send", "MPI_File_write_at_all")])
    same("messages", {(rank, (rank + 1) % ranks): (5, 5000) for rank in range(ranks)},
         {(row["from"], row["to"]): (row["calls"], row["bytes"]) for row in found["messages"]})
    world = [row for row in found["communicators"] if row["name"] == "MPI_COMM_WORLD"]
    same("MPI_COMM_WORLD", [(ranks, 5000 * ranks + 64)], [(row["size"], row["sent"]) for row in world])
    same("sizes sent", {1000: 5 * ranks}, {size: calls for size, calls in common(found, "mpi", "written").items() if size == 1000})
    same("sizes of MPI-IO", [{300000: ranks}, {1000: 2 * ranks}], [common(found, "mpiio", direction) for direction in ("written", "read")])
    same("matched", [5 * ranks, 0], [found["mpi_waits"][key] for key in ("messages", "unmatched")])
    conflicts = [row for row in found["conflicts"]["files"] if row["path"].endswith("/shared")]
    # bytes are read behind MPI_File_sync, a barrier and MPI_File_sync
    same("verdicts on shared", [("fine", "fine", "violated", "fine")], [tuple(row["verdicts"].values()) for row in conflicts])
    shared = access(found, "shared")
    same("ranks of shared", ranks, shared["ranks"])
    same("bytes written of shared", 300000 * ranks, shared["bytes_written"])
    same("reads of shared", pattern(first=ranks, forward=ranks, unaligned=ranks), shared["read_pattern"])
    layers = {row["layer"]: row for row in shared["layers"]}
    same("bytes of mpiio", [2000 * ranks, 300000 * ranks], [layers["mpiio"]["bytes_read"], layers["mpiio"]["bytes_written"]])
    same("bytes written of posix", 300000 * ranks, layers["posix"]["bytes_written"])
    same("ranks", ranks, len(found["ranks"]))
    one = of_json(trace, "--ranks", "1")
    same("calls of rank 1", found["ranks"][1]["calls"], sum(row["calls"] for row in one["functions"]))


def check_csv(trace):
    found = of_json(trace)
    for table in ("layers", "functions", "ranks", "files", "errors"):
        rows = list(csv.DictReader(io.StringIO(summary(trace, "--csv", "--table", table).decode())))
        same(f"rows of {table}", len(found[table]), len(rows))
        for want, got in zip(found[table], rows):
            for key in ("calls", "bytes_written", "path", "function", "layer"):
                if key in want:
                    same(f"{key} of {table}", str(want[key]), got[key])
            same(f"time of {table}", seconds(want["time"]), recompute.ns(got["time"]))
    sizes = list(csv.DictReader(io.StringIO(summary(trace, "--csv", "--table", "sizes").decode())))
    same("sizes", sum(sum(row["write_sizes"].values()) for row in found["layers"]), sum(int(row["writes"]) for row in sizes))


def check_text(trace):
    text = summary(trace).decode()
    for line in text.splitlines():
        if len(line) > 130:
            sys.exit(f"check_summary.py: a wide line: {line}")
    for title in ("time by layer", "functions", "files of data", "calls by bytes", "where transfers", "failed calls"):
        if not any(line.startswith(title) for line in text.splitlines()):
            sys.exit(f"check_summary.py: no {title!r} in\n{text}")
    if len(text.splitlines()) > 60:
        sys.exit("check_summary.py: more than a screen")


def main():
    check_known(sys.argv[1], int(sys.argv[2]))
    check_csv(sys.argv[1])
    check_text(sys.argv[1])
    if len(sys.argv) > 3:
        check_mpi(sys.argv[3], int(sys.argv[4]))


main()
