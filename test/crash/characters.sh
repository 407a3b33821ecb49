#!/bin/sh
# SPDX-License-Identifier: MIT
# Kills threads in the middle of runs of characters, at random moments and between the stores by which a run goes on, and compares what the
# trace says with what the threads know to have finished. CRASH_RUNS: how often in all.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

runs=${CRASH_RUNS:-40}
hooked=$TOP_BUILDDIR/test/.libs/librecorder_hooked.so
characters=$TEST_BIN/crash/characters
memory_dir
live=$memory

# Each thread's characters, all of them in the trace and at most one that had not returned; times that can be. Of runs of several places few calls
# are timed, each of which may end in the same step of the clock; not all of them do.
compare()
{
	recorder2text -q trace >text || return 1
	"$characters" progress | awk '
		NR == FNR {
			if (!/ (fputc|fgetc|ungetc)\(/)
				next
			found = match($0, / repeat=[0-9]+/)
			count[$2] += found ? substr($0, RSTART + 8, RLENGTH - 8) : 1
			busy = match($0, / busy=[0-9.]+/) ? substr($0, RSTART + 6, RLENGTH - 6) + 0 : 0
			runs += found
			all_busy += busy
			if ($4 < $3 || busy > $4 - $3 + 1e-8 || (found && busy == 0 && / fputc\(/))
				print "a run that took", $4 - $3, "was busy for", busy ": " $0
			next
		}
		count[$1] != $2 && count[$1] != $2 + 1 {
			print "thread", $1, "had", $2, "characters, the trace has", count[$1] + 0
		}
		END {
			if (runs > 100 && all_busy == 0)
				print runs, "runs, busy for no time at all"
		}' text - >wrong
	[ ! -s wrong ]
}

# one PLACE:N or SECONDS, THREADS
one()
{
	rm -rf trace data.* progress
	case $1 in
	*:*)
		timeout -s KILL 5 env RECORDER_TEST_KILL="$1" LD_PRELOAD="$hooked" \
			RECORDER_TRACES_DIR=trace RECORDER_LIVE_DIR="$live" \
			"$characters" data progress "$2" 2>/dev/null
		;;
	*)
		timeout -s KILL "$1" env LD_PRELOAD="$RECORDER_SO" \
			RECORDER_TRACES_DIR=trace RECORDER_LIVE_DIR="$live" \
			"$characters" data progress "$2" 2>/dev/null
		;;
	esac
	[ -s progress ] || return 0 # killed before it began
	compare || { cat wrong; fail "after a kill at $1"; }
	case $1 in
	*:*)
		"${PYTHON:-python3}" "$TOP_SRCDIR/test/format/readers_agree.py" trace >agree || {
			cat agree
			fail "the readers differ after a kill at $1"
		}
		;;
	esac
	recorder repair -q trace >repaired 2>&1 || { cat repaired; fail "repair after a kill at $1"; }
	compare || { cat wrong; fail "after repair of a kill at $1"; }
	recorder check -q trace >checked || { cat checked; fail "check after a kill at $1"; }
}

n=0
while [ $n -lt "$runs" ]; do
	for place in repeating repeated; do
		[ $n -lt "$runs" ] || break
		one "$place:$((n * 7 + 1))" $((n / 2 % 2 * 3 + 1))
		one "0.$(printf %03d $((20 + n * 7 % 180)))" $((n / 2 % 2 * 3 + 1))
		n=$((n + 2))
	done
done
echo "$n kills, each character that was finished found"
