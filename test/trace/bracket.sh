#!/bin/sh
# SPDX-License-Identifier: MIT
# Every [tstart, tend] of the trace lies between the program's own readings of the clock around
# the call: by the CPU's counter, and by the clock that stands in where there is no counter to be
# trusted. BRACKET_PAUSE=60 puts a minute of sleep into the middle.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

# try NAME TOLERANCE KIND VARIABLE...: times are right to so many ns, by that clock ("": any)
try()
{
	name=$1 tolerance=$2 kind=$3
	shift 3
	RECORDER_TRACES_DIR=$name env "$@" "$TEST_BIN/trace/bracket" "${BRACKET_PAUSE:-1}" >"$name.out" ||
		fail "$name: exit status $?"
	"${PYTHON:-python3}" "$TOP_SRCDIR/test/trace/check.py" bracket "$name" "$name.out" "$kind" "$tolerance" ||
		fail "$name: times"
	recorder check "$name" >"$name.check" 2>&1 || fail "$name: $(cat "$name.check")"
}

try counter 0 "" LD_PRELOAD="$RECORDER_SO"
# the clock tells every ns, so what is stored is rounded to the resolution
for resolution in 1 10 1000; do
	try clock-$resolution $((resolution - 1)) monotonic RECORDER_TEST_WITHOUT=counter \
		RECORDER_QUIET=1 RECORDER_TIME_RESOLUTION=${resolution}ns \
		LD_PRELOAD="$TEST_BIN/.libs/librecorder_hooked.so"
done
