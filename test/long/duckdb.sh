#!/bin/sh
# SPDX-License-Identifier: MIT
# DuckDB, from npm, reads what recorder2parquet writes: rows, sums, strings, nulls and times are those of recorder2sqlite.
. "${TOP_SRCDIR:?}/test/lib.sh"
need node nodejs
need npm
need python3
[ -x "$TOP_BUILDDIR/tools/recorder2sqlite" ] || skip "built without SQLite"
npm install --prefix . --no-audit --no-fund --ignore-scripts @duckdb/node-api@1.5.6-r.1 >npm.log 2>&1 ||
	npm install --prefix . --no-audit --no-fund --ignore-scripts @duckdb/node-api >npm.log 2>&1 || {
	cat npm.log
	skip "DuckDB cannot be fetched with npm"
}
cat >ask.mjs <<'END'
import { DuckDBInstance } from "@duckdb/node-api";
const connection = await (await DuckDBInstance.create(":memory:")).connect();
const result = await connection.runAndReadAll(process.argv[2]);
for (const row of result.getRows())
	console.log(row.map(value => value === null ? "" : String(value)).join("|"));
END

python3 "$TOP_SRCDIR/test/cli/sample.py" sample && python3 "$TOP_SRCDIR/test/sql/made.py" made || fail "no traces"
RECORDER_TRACES_DIR=$PWD/known preload "$TEST_BIN/analysis/known" 3 || fail "known: exit status $?"
for trace in sample made known; do
	recorder2parquet -q $trace && recorder2sqlite -q $trace || fail "$trace"
	for query in 'count(*), sum(calls), sum(bytes), count(errno), min(tstart), max(tend), sum(self), count(parent), count(args), sum("offset")' \
		'DISTINCT function, layer, operation' 'id, path, errno, ret, note, args' 'rank, peer, tag, sent, received, comm_name'; do
		node ask.mjs "SELECT $query FROM '$trace.parquet'" | sort >got || fail "$trace: DuckDB: $query"
		python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]):
    print(*("" if value is None or isinstance(value, float) else value for value in row), sep="|")' "$trace.sqlite" "SELECT $query FROM calls" |
			sort >want || fail "$trace: $query"
		cmp want got || fail "$trace: $query: $(diff want got | head)"
	done
done
