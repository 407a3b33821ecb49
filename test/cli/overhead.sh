#!/bin/sh
# SPDX-License-Identifier: MIT
# What recorder info says that recording took: more for more records, less than the program took in all, nothing of a program
# whose end is not in the trace.
. "${TOP_SRCDIR:?}/test/lib.sh"
need python3

# overhead TRACE: of it in ns, and 1 if it and the CPU time are as they must be
overhead()
{
	recorder info --json "$1" | python3 -c '
import json, sys
info = json.load(sys.stdin)
stream = info["streams"][0]
sane = 0 < info["overhead"] < info["cpu"] and info["overhead"] == stream["overhead"] and info["cpu"] == stream["cpu"]
print(round(info["overhead"] * 1e9), int(sane))'
}

head -c 100000 /dev/zero >input
recorder run -q -o few -- dd if=input of=output bs=1 count=1000 2>/dev/null || fail "dd"
recorder run -q -o many -- dd if=input of=output bs=1 count=100000 2>/dev/null || fail "dd"
overhead few >few.out || fail "no overhead"
overhead many >many.out || fail "no overhead"
read -r few sane <few.out
expect_eq 1 "$sane" "overhead of few calls: $few ns"
read -r many sane <many.out
expect_eq 1 "$sane" "overhead of many calls: $many ns"
# a reading of the clock takes over a nanosecond, a record more than two of them
[ $((many - few)) -gt $((99000 * 2 * 2)) ] || fail "198,000 more calls are $((many - few)) ns"
recorder info many | grep -q '^overhead   about 0\.[0-9]* s, [0-9.]* % of the [0-9.]* s of CPU time that 1 stream took$' ||
	fail "$(recorder info many)"

recorder run -q -o killed -- sh -c 'cat input >/dev/null; kill -9 $$' 2>/dev/null
recorder info --json killed | python3 -c '
import json, sys
info = json.load(sys.stdin)
dead = [stream for stream in info["streams"] if not stream["clean"] or stream["reason"] == "repaired"]
sys.exit(not dead or any("overhead" in stream for stream in dead))' || fail "overhead of a killed process"
