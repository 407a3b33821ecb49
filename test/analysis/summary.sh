#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder summary: numbers of a program that is known, and the same as from the records one by one; of damaged traces valid JSON.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3

RECORDER_TRACES_DIR=$PWD/known.trace preload "$TEST_BIN/analysis/known" 3 || fail "known: exit status $?"
set -- known.trace 3
if [ -x "$TEST_BIN/analysis/known_mpi" ]; then
	need_mpiexec
	recorder run -q -o mpi.trace -- "$MPIEXEC" -n 4 "$TEST_BIN/analysis/known_mpi" || fail "known_mpi: exit status $?"
	set -- "$@" mpi.trace 4
fi
python3 "$TOP_SRCDIR/test/analysis/check_summary.py" "$@" || fail "see above"

for trace in *.trace; do
	"$TEST_BIN/analysis/api" "$trace" || fail "api of $trace"
done

# any threads, one file
recorder pack -q -o known.rtrace known.trace || fail "pack"
recorder summary --json known.trace | grep -v '"dir"' >want
recorder summary --json known.rtrace | grep -v '"dir"' >got
cmp want got || fail "a packed trace has another summary"

# nothing there, and too much asked for
RECORDER_TRACES_DIR=$PWD/none.trace RECORDER_LAYERS=mpi preload "$TEST_BIN/analysis/known" 0 || fail "none: exit status $?"
if [ -d none.trace ]; then
	recorder summary none.trace >/dev/null || fail "of an empty trace: exit status $?"
	recorder summary --json none.trace | python3 -m json.tool >/dev/null || fail "of an empty trace: not JSON"
fi
recorder summary --ranks 17 --json known.trace | python3 -c 'import json, sys; assert json.load(sys.stdin)["functions"] == []' ||
	fail "of no rank: not empty"
recorder summary --ranks x known.trace >/dev/null 2>err && fail "--ranks x is taken"
expect_eq 2 "$(recorder summary --csv --table nothing known.trace >/dev/null 2>&1; echo $?)" "status of a table that is not there"
