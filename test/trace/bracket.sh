#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 240
# Every [tstart, tend] of the trace lies between the program's own readings of the clock around
# the call. BRACKET_PAUSE=60 puts a minute of sleep into the middle.
. "${TOP_SRCDIR:?}/test/lib.sh"

RECORDER_TRACES_DIR=trace preload "$TEST_BIN/trace/bracket" "${BRACKET_PAUSE:-1}" >output ||
	fail "exit status $?"
"${PYTHON:-python3}" "$TOP_SRCDIR/test/trace/check.py" bracket trace output || fail "times"
