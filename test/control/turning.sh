#!/bin/sh
# SPDX-License-Identifier: MIT
# A process that closes segments faster than they can be read: what is read of it while it runs is its records from the first one on,
# each once, and nothing is said to be missing or damaged, also where more files are read than are kept open.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

env LD_PRELOAD="$RECORDER_SO" RECORDER_TRACES_DIR=trace RECORDER_BUFFER_SIZE=16k RECORDER_ROTATE=16k \
	"$TEST_BIN/storage/writes" data 1000000000 &
program=$!
trap 'kill -KILL $program; wait $program; test_cleanup' EXIT
segments_are()
{
	[ "$(find trace -name '*-s*.rec' | wc -l)" -ge "$1" ]
}

before=0
for count in 1 50 200 700; do
	until_ segments_are $count
	recorder check -q trace >said 2>&1 || fail "recorder check beyond $count segments: $(head said)"
	recorder2text -q trace >text 2>said || fail "recorder2text: $(cat said)"
	[ ! -s said ] || fail "recorder2text beyond $count segments: $(head said)"
	expect_eq "" "$(sort text | uniq -d | head -n 1)" "a record that is there twice"
	lines=$(wc -l <text)
	[ "$lines" -gt "$before" ] || fail "$lines records after $before"
	before=$lines
done
kill -0 $program || fail "the program has ended"
kill -KILL $program
wait $program
trap test_cleanup EXIT
recorder check -q trace >said 2>&1 || fail "recorder check in the end: $(head said)"
[ "$(recorder2text -q trace | wc -l)" -ge "$before" ] || fail "fewer records in the end"
