#!/bin/sh
# SPDX-License-Identifier: MIT
# A timer's handler jumps out of calls, and out of the recorder, at any moment; rings are small, so that it is often about to seal one. All calls
# after the jumps are recorded, and what was recorded before is there, once. Out of the definition of a file it is not safe to jump: what the thread calls then may be
# lost, but it goes on.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

for who in main thread; do
	for setting in RECORDER_BUFFER_SIZE=4k RECORDER_FLUSH=1ms RECORDER_ROTATE=8k; do
		rm -rf trace
		(RECORDER_TRACES_DIR=trace LD_PRELOAD=$RECORDER_SO timeout -s KILL 60 env RECORDER_BUFFER_SIZE=16k "$setting" \
			"$TEST_BIN/trace/alarms" $who 3000 >made) || fail "$who, $setting: exit status $?"
		read -r began returned checked <made
		recorder check -q trace >said 2>&1 || fail "$who, $setting: $(cat said)"
		recorder2text -q trace >text || fail "$who, $setting: recorder2text"
		recorder info -q --json trace >info.json
		lost=$(info_number lost)
		writes=$(grep -c ' pwrite(' text)
		expect_eq "$checked" "$(grep -c ' pread(' text)" "$who, $setting: calls after jumps"
		[ "$writes" -ge "$returned" ] && [ $((writes + lost)) -le "$began" ] ||
			fail "$who, $setting: $writes calls and $lost lost of $began, $returned of which returned"
	done
done

# The jump after which nothing is mended any more may be one out of the middle of storing a record: one run in twenty ends so.
for who in main thread main thread main thread main thread; do
	rm -rf trace file.*
	(RECORDER_TRACES_DIR=trace LD_PRELOAD=$RECORDER_SO timeout -s KILL 60 "$TEST_BIN/trace/alarms" $who 2000 names >made) ||
		fail "$who, names: exit status $?"
	read -r began returned checked <made
	recorder check -q trace >said 2>&1 || fail "$who, names: $(cat said)"
	recorder info -q --json trace >info.json
	[ $(($(info_number records) + $(info_number lost))) -ge "$checked" ] || fail "$who, names: calls are not accounted for"
done
