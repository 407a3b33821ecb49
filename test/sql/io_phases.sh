#!/bin/sh
# SPDX-License-Identifier: MIT
# The view io_phases has the bursts of recorder summary --json, of jobs that are made up and of a real one.
. "${TOP_SRCDIR:?}/test/lib.sh"
need python3
[ -x "$TOP_BUILDDIR/tools/recorder2sqlite" ] || skip "built without SQLite"

python3 "$TOP_SRCDIR/test/analysis/overlap.py" overlap.trace checkpoints.trace || fail "no made-up jobs"
cp "$TOP_SRCDIR/test/sql/heat.rtrace" "$TOP_SRCDIR/test/tour/mended.rtrace" .
for trace in overlap.trace checkpoints.trace heat.rtrace mended.rtrace; do
	recorder summary -q --json $trace >want.json || fail "no summary of $trace"
	recorder sql -q --csv $trace 'SELECT * FROM io_phases' >got.csv || fail "no io_phases of $trace"
	python3 - $trace <<'END' || fail "see above"
import csv
import json
import sys

want = [(row["direction"], round(row["begin"] * 1e9), round(row["end"] * 1e9), row["bytes"]) for row in json.load(open("want.json"))["bursts"]]
with open("got.csv", encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
got = [(row["direction"], round(float(row["begin_s"]) * 1e9), round(float(row["end_s"]) * 1e9), int(row["bytes"])) for row in rows]
assert got and got == want, f"{sys.argv[1]}: {got}, not {want}"
assert all(int(row["ranks"]) >= 1 for row in rows), rows
if sys.argv[1] == "checkpoints.trace":
    assert [(row["direction"], row["ranks"]) for row in rows] == [("reads", "1")] + [("writes", "1")] * 5, rows
END
done
# nothing is moved: none
recorder sql -q --csv --functions stat heat.rtrace 'SELECT count(*) FROM io_phases' >none.csv || fail "io_phases of nothing"
expect_eq 0 "$(tail -n 1 none.csv)" "io_phases where nothing is moved"
