#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 600
# Four threads write 4 x 250,000 records: each offset is there once, none lost, torn or twice,
# in its thread and at its level. THREADS_CALLS: how many each (make check-soak: 1,000,000).
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

calls=${THREADS_CALLS:-250000}
[ -z "${SANITIZERS:-}" ] || calls=20000
RECORDER_TRACES_DIR=trace preload "$TEST_BIN/trace/threads" "$calls" >output ||
	fail "exit status $?"
"${PYTHON:-python3}" "$TOP_SRCDIR/test/trace/check.py" threads "$calls" trace output ||
	fail "threads"
