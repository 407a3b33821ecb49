#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder info --entropy: the same as computed in another way from the same times; less for coarser ones.
. "${TOP_SRCDIR:?}/test/lib.sh"
need python3

# floor TRACE: in bytes, and the records
floor()
{
	recorder info --json --entropy "$1" | python3 -c '
import json, sys
entropy = json.load(sys.stdin)["entropy"]
print("%.3f %d" % (entropy["floor"], entropy["records"]))'
}

head -c 3000 /dev/zero >input
recorder run -q -o fine -- dd if=input of=output bs=1 count=3000 2>/dev/null || fail "dd"
RECORDER_TIME_RESOLUTION=1us recorder run -q -o coarse -- dd if=input of=output bs=1 count=3000 2>/dev/null || fail "dd"
for trace in fine:10 coarse:1000; do
	recorder2text --callsites "${trace%:*}" >lines || fail "no text"
	expect_eq "$(python3 "$TOP_SRCDIR/test/cli/time_entropy.py" "${trace#*:}" <lines)" "$(floor "${trace%:*}")" "entropy of $trace"
done
[ "$(floor coarse | sed 's/\..*//')" -lt "$(floor fine | sed 's/\..*//')" ] || fail "coarse times have no less entropy"
recorder info --entropy fine | grep -q '^entropy    of the times, in units of 10 ns: [0-9]* bytes, [0-9.]* a record; the trace is [0-9.]* times as large$' ||
	fail "$(recorder info --entropy fine)"
