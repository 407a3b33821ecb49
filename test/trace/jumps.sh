#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# A signal handler jumps out of the recorder at each of its instructions in turn, in the main thread of processes and in other threads: the calls
# that come after it are all recorded, and what was recorded before is still there, once. So it is where the handler ends the process.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

jumps=$TEST_BIN/trace/jumps

records()
{
	recorder2text --functions "$1" trace 2>text.err | wc -l
}

lost()
{
	recorder info --json trace >info.json 2>info.err || fail "recorder info"
	info_number lost
}

# run CASE...: sets jumped, began, returned, checked
run()
{
	rm -rf trace dir
	what="$*"
	(RECORDER_TRACES_DIR=trace LD_PRELOAD=$RECORDER_SO timeout -s KILL 120 "$jumps" "$@" >made)
	status=$?
	[ $status != 77 ] || skip "no single steps on this CPU"
	[ $status = 0 ] || fail "$what: exit status $status"
	read -r jumped began returned checked <made
	recorder check -q trace >check.out 2>&1 || {
		cat check.out
		fail "$what: recorder check"
	}
}

# Each call of pread is there. Of those that were jumped out of each is there, or counted as lost, or had not begun for the recorder.
expect_mended()
{
	writes=$(records pwrite)
	lost=$(lost)
	expect_eq "$checked" "$(records pread)" "$what: calls after jumps"
	[ "$writes" -ge "$returned" ] || fail "$what: $writes of $returned finished calls"
	[ "$lost" -gt 0 ] && [ "$lost" -le "$jumped" ] || fail "$what: $lost lost by $jumped jumps"
}

for who in child thread; do
	run write $who
	[ "$jumped" -gt 50 ] || fail "only $jumped jumps out of pwrite"
	expect_mended
	[ $((writes + lost)) -le "$began" ] || fail "$who: $writes calls and $lost lost are more than $began"
	for kind in settle characters; do
		run $kind $who
		[ "$jumped" -gt 200 ] || fail "only $jumped jumps out of $kind"
		expect_mended
	done
done

for kind in write settle; do
	run $kind end
	[ "$jumped" -gt 50 ] || fail "only $jumped ends in $kind"
	writes=$(records pwrite)
	[ "$writes" -ge "$returned" ] && [ "$writes" -le "$began" ] || fail "$what: $writes calls, $began began and $returned returned"
	expect_eq "$checked" "$(records pread)" "$what: calls before the end"
	expect_eq 0 "$(lost)" "$what: lost"
done

# out of the definition of a file nobody can be brought back in order, but nobody is held up either
for who in child thread; do
	rm -rf trace dir
	(RECORDER_TRACES_DIR=trace LD_PRELOAD=$RECORDER_SO timeout -s KILL 60 "$jumps" open $who >made) || fail "open $who: exit status $?"
	read -r jumped _ _ checked <made
	[ "$jumped" -gt 40 ] && [ "$checked" -gt "$jumped" ] || fail "open $who: $jumped jumps, $checked calls after them"
done
