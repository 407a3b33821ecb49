#!/bin/sh
# SPDX-License-Identifier: MIT
# A running process is paused, resumed and flushed: by recorder ctl, by RECORDER_PAUSED, by itself.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

# Waits for CMD... to succeed, five seconds at most.
await()
{
	for _ in $(seq 100); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.05
	done
	fail "waited for: $*"
}

offsets()
{
	recorder2text --functions pwrite "$1" 2>/dev/null | sed 's/.*offset=\([0-9]*\).*/\1/'
}

gaps()
{
	offsets "$1" | awk 'NR > 1 && $1 != last + 1 { n++ } { last = $1 } END { print n + 0 }'
}

steps=$TEST_BIN/control/steps

# begun paused, then resumed, paused and resumed by recorder ctl
RECORDER_PAUSED=1 RECORDER_TRACES_DIR=trace preload "$steps" &
pid=$!
await recorder ctl "$pid" status
recorder ctl "$pid" status | grep -q " paused " || fail "not begun paused"
sleep 0.2
expect_eq 0 "$(offsets trace | wc -l)" "records while paused"
recorder ctl "$pid" resume >/dev/null || fail "resume"
await eval '[ "$(offsets trace | wc -l)" -gt 20 ]'
recorder ctl -q "$pid" pause || fail "pause"
sleep 0.3
before=$(offsets trace | wc -l)
sleep 0.2
expect_eq "$before" "$(offsets trace | wc -l)" "records after a pause"
recorder ctl "$pid" resume >/dev/null
await eval '[ "$(offsets trace | wc -l)" -gt $((before + 20)) ]'

# flushed: the .rec grows though no ring is full
size=$(cat trace/*.rec | wc -c)
recorder ctl "$pid" flush >/dev/null || fail "flush"
await eval '[ "$(cat trace/*.rec | wc -c)" -gt '"$size"' ]'
: >stop
wait $pid || fail "exit status of the program"
rm stop
recorder check -q trace || fail "recorder check"
expect_eq 1 "$(gaps trace)" "gaps"
recorder info trace | grep -q "paused" || fail "recorder info does not tell of the pauses"

# by the program itself
RECORDER_TRACES_DIR=own preload "$steps" self || fail "exit status of the program"
expect_eq "$(seq 0 99; seq 200 399)" "$(offsets own)" "records around recorder_pause()"
"$steps" self || fail "the program without the recorder"

recorder ctl 999999999 pause 2>/dev/null && fail "no such process"
recorder ctl $$ nonsense 2>/dev/null
expect_eq 2 $? "status for a wrong request"
exit 0
