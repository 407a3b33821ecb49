#!/bin/sh
# SPDX-License-Identifier: MIT
# A folder that is listed while files are made in it: what the listing has not told of, as it tells of what came after it, is found.
. "${TOP_SRCDIR:?}/test/lib.sh"

RECORDER_TRACES_DIR=trace RECORDER_ROTATE=4k preload "$TEST_BIN/storage/writes" data 3000 || fail "writes: $?"
[ "$(find trace -name '*-s*.lm' | wc -l)" -ge 2 ] || fail "few segments"
all=$("$TEST_BIN/read/listed" trace none) || fail "exit status $?"
expect_eq "0 left out, 3001 records, complete 1" "$all" "all files"
for file in trace/*.lm trace/recorder.gm; do
	said=$("$TEST_BIN/read/listed" trace "${file#trace/}") || fail "$file: exit status $?"
	expect_eq "1${all#0}" "$said" "without $file"
done
