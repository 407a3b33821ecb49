#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 1800
# SOAK_RECORDS calls (a day's worth in the long form) through a ring of 64 KiB: the memory of the process stays what it is,
# and all that was made is in the trace or was dropped as asked.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

calls=${SOAK_RECORDS:-5000000}
RECORDER_BUFFER_SIZE=64k RECORDER_ROTATE=4m RECORDER_KEEP=2 RECORDER_TRACES_DIR=trace \
	preload "$TEST_BIN/soak/calls" "$calls" >memory || fail "exit status $?"
read -r early late <memory
[ $((late - early)) -lt 512 ] || fail "resident memory grew from $early to $late KiB"
recorder check -q trace || fail "recorder check"
recorder info --json trace >info.json 2>/dev/null
stored=$(info_number records)
lost=$(info_number lost)
expect_eq $((calls + 1)) $((stored + lost)) "records and what rotation dropped"
echo "$calls calls, resident memory $early KiB and at the end $late KiB"
