#!/bin/sh
# SPDX-License-Identifier: MIT
# RECORDER_MODE=flight: whatever ends the process, its latest records are there up to the last call, within the size or the time that
# was asked for; those before are counted. RECORDER_ROTATE by time keeps all.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
latest=$TEST_BIN/control/latest
# shellcheck disable=SC3045
ulimit -c 0
leave_segv

# TRACE COUNT LEAST OTHERS: the latest calls without a gap, at least LEAST of COUNT, the others counted; OTHERS are no writes
latest_are_there()
{
	recorder check -q "$1" || fail "$1: $(recorder check "$1")"
	recorder2text -q --functions pwrite "$1" | sed 's/.*offset=\([0-9]*\).*/\1/' |
		awk -v count="$2" -v least="$3" 'NR > 1 && $1 != last + 1 { print last, "is followed by", $1; bad = 1 } { last = $1 }
			END { if (bad || last != count - 1 || NR < least) { print NR, "records up to", last; exit 1 } }' >said ||
		fail "$1: $(cat said)"
	recorder info -q --json "$1" >info.json
	expect_eq $(($2 + $4)) $(($(info_number records) + $(info_number lost))) "$1: records and losses"
}

for end in exit:0 kill:137 segv:139 abort:134; do
	rm -f data
	RECORDER_MODE=flight RECORDER_MAX_SIZE=200k RECORDER_BUFFER_SIZE=64k recorder run -q -o "${end%:*}" -- "$latest" 1000000 0 "${end%:*}"
	expect_eq "${end#*:}" $? "status of ${end%:*}"
	others=1
	[ "${end%:*}" != abort ] || others=2
	latest_are_there "${end%:*}" 1000000 5000 $others
	[ "$(info_number lost)" -gt 0 ] || fail "${end%:*}: nothing was dropped"
	[ "$(cat "${end%:*}"/*.rec | wc -c)" -le 300000 ] || fail "${end%:*}: too large"
done

# by time: some 2,000 ms, of which three or four times 200 are kept
RECORDER_MODE=flight RECORDER_ROTATE=200ms RECORDER_BUFFER_SIZE=64k recorder run -q -o seconds -- "$latest" 40000 20 kill
expect_eq 137 $? "status of the timed one"
latest_are_there seconds 40000 2000 1
[ "$(info_number lost)" -gt 0 ] || fail "seconds: nothing was dropped"
[ "$(find seconds -name '*.rec' | wc -l)" -le 4 ] || fail "seconds: too many segments"

# rotated by time alone nothing is dropped
RECORDER_ROTATE=200ms RECORDER_BUFFER_SIZE=64k recorder run -q -o rotated -- "$latest" 40000 20 exit || fail "rotated: status $?"
latest_are_there rotated 40000 40000 1
[ "$(find rotated -name '*-s*.rec' | wc -l)" -ge 2 ] || fail "rotated: no segments"
recorder check -q --strict rotated || fail "rotated: not complete"
exit 0
