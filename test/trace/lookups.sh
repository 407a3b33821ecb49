#!/bin/sh
# SPDX-License-Identifier: MIT
# What handlers call while the recorder looks for the real function of another call is in the trace.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

i=0
while [ $i -lt 5 ]; do
	rm -rf trace data link other another fifo
	RECORDER_TRACES_DIR=trace preload "$TEST_BIN/trace/lookups" >calls || fail "exit status $?"
	expect_eq "$(cat calls)" "$(recorder2text -q --functions pwrite trace | grep -c 'offset=')" "calls of the handler"
	[ "$(recorder2text -q trace | grep -vc pwrite)" -gt 30 ] || fail "not what was done"
	i=$((i + 1))
done
