#!/bin/sh
# SPDX-License-Identifier: MIT
# Kills a process of four writing threads, at random moments and at each step of sealing a ring, and
# compares the trace with what the threads know to have finished; every other one with summed times. Who does not come by a place is killed after a second.
# CRASH_RUNS: how often in all.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

runs=${CRASH_RUNS:-100}
hooked=$TOP_BUILDDIR/test/.libs/librecorder_hooked.so
writer=$TEST_BIN/crash/writer
verify=$TEST_BIN/crash/verify
places="seal encoded defined definitions-written written recycling recycled publishing published holding held keeping"

# What is killed before it has anything to show leaves its live files: they go with the test.
memory_dir
live=$memory

# one PLACE:N or SECONDS...: a run that ends in a kill
one()
{
	rm -rf trace data.* progress
	case $1 in
	*:*)
		timeout -s KILL 1 env RECORDER_TEST_KILL="$1" LD_PRELOAD="$hooked" \
			RECORDER_TIMING="$timing" RECORDER_TRACES_DIR=trace RECORDER_LIVE_DIR="$live" \
			"$writer" data progress 4 2>/dev/null
		;;
	*)
		timeout -s KILL "$1" env LD_PRELOAD="$RECORDER_SO" \
			RECORDER_TIMING="$timing" RECORDER_TRACES_DIR=trace RECORDER_LIVE_DIR="$live" \
			"$writer" data progress 4 2>/dev/null
		;;
	esac
	[ -s progress ] || return 0 # killed before it began
	"$verify" trace progress >verdict || { cat verdict; fail "after a kill at $1"; }
	recorder repair -q trace >repaired 2>&1 || { cat repaired; fail "repair after a kill at $1"; }
	"$verify" trace progress >verdict || { cat verdict; fail "after repair of a kill at $1"; }
}

n=0
while [ $n -lt "$runs" ]; do
	for place in $places; do
		[ $n -lt "$runs" ] || break
		[ $(((n / 2 + n / 24) % 2)) = 0 ] && timing=stamps || timing=summary
		case $place in
		holding | held | keeping) timing=summary ;; # others never come there
		esac
		one "$place:$((n / 24 + 1))"
		one "0.$(printf %03d $((20 + n * 7 % 180)))"
		n=$((n + 2))
	done
done
echo "$n kills, each completed write found once"
