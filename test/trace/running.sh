#!/bin/sh
# SPDX-License-Identifier: MIT
# A trace read while it is being written is a consistent prefix: of each thread the offsets from 0
# to the latest, each once, whatever the instant; and it only grows.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

RECORDER_TRACES_DIR=trace RECORDER_BUFFER_SIZE=64K preload "$TEST_BIN/trace/threads" 40000 10 >output &
program=$!
while ! ls trace/*.lm >/dev/null 2>&1; do
	kill -0 "$program" 2>/dev/null || fail "the program ended before its trace began"
	sleep 0.01
done
# libreader: field 2 is the thread
for name in first second third; do
	recorder2text trace >$name 2>problems || fail "recorder2text: $(cat problems)"
	sed -n 's/^[^ ]* \([0-9]*\) .* pwrite(.*offset=\([0-9]*\)) = 0$/\1 \2/p' $name |
		awk '$2 != next_[$1]++ { print "thread", $1, "offset", $2; bad = 1; exit }
			END { print NR, "records"; exit bad }' || fail "recorder2text: not a prefix"
done
"${PYTHON:-python3}" "$TOP_SRCDIR/test/trace/check.py" prefix trace 50 || fail "not a prefix"
wait "$program" || fail "exit status $?"
"${PYTHON:-python3}" "$TOP_SRCDIR/test/trace/check.py" threads 40000 trace output || fail "threads"
