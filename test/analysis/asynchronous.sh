#!/bin/sh
# SPDX-License-Identifier: MIT
# Bytes of asynchronous I/O are those that aio_return() told, on the file, in the direction and at the offset of the request.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3

RECORDER_TRACES_DIR=$PWD/aio.trace preload "$TEST_BIN/analysis/asynchronous" || fail "asynchronous: exit status $?"
recorder summary -q --json aio.trace >aio.json || fail "no summary"
python3 - <<'END' || fail "see above"
import json
found = json.load(open("aio.json"))

def same(what, want, got):
    assert want == got, f"{what}: {got}, not {want}"

data, = (row for row in found["files"] if row["path"].endswith("/data"))
posix, = (row for row in found["layers"] if row["layer"] == "posix")
functions = {row["function"]: row for row in found["functions"]}
same("bytes of the file", (1300, 10128), (data["bytes_read"], data["bytes_written"]))
same("calls that submit", (4, 11), (data["reads"], data["writes"]))
same("sizes of the file", ({"100-1K": 4}, {"0-100": 2, "1K-10K": 10}), (data["read_sizes"], data["write_sizes"]))
for direction, want in (("read", {500: 2, 200: 1, 100: 1}), ("written", {1000: 10, 64: 2})):
    same(f"sizes {direction}", want, {row["size"]: row["calls"] for row in posix["common_sizes"][direction]["most"]})
same("aio_return", (1300, 10128), (functions["aio_return"]["bytes_read"], functions["aio_return"]["bytes_written"]))
same("those that only submit", 0, sum(functions[name][key] for name in ("aio_read", "aio_write", "lio_listio") for key in ("bytes_read", "bytes_written")))
want = dict(first=1, consecutive=9 + 1, forward=1, strided=0, backward=0, unknown=0, unaligned=11)
same("where writes begin", want, data["write_pattern"])
same("bytes of the rank", (1300, 10128), (found["ranks"][0]["bytes_read"], found["ranks"][0]["bytes_written"]))
END
