#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 600
# Random SIGKILLs of writers with four threads that two long-lived ranks fork, all in one trace, and of ranks themselves: every write that
# returned is there once, before and after repair, and every trace is readable. SOAK_KILLS, SOAK_JOBS: how often.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
[ -x "$TEST_BIN/soak/ranks" ] || skip "built without MPI"
need_mpiexec

kills=${SOAK_KILLS:-100}
jobs=${SOAK_JOBS:-3}
ranks=$TEST_BIN/soak/ranks
verify=$TEST_BIN/crash/verify

verified()
{
	"$verify" trace progress >verdict || { tail -n 20 verdict; fail "$1"; }
	recorder repair -q trace >repaired 2>&1 || { cat repaired; fail "$1: repair"; }
	"$verify" trace progress >verdict || { tail -n 20 verdict; fail "$1: after repair"; }
	recorder check -q trace >checked 2>&1 || { cat checked; fail "$1: check"; }
}

memory_dir
live=$memory
RECORDER_TRACES_DIR=trace
RECORDER_LIVE_DIR=$live
export RECORDER_TRACES_DIR RECORDER_LIVE_DIR
run_ranks()
{
	LD_PRELOAD="$RECORDER_SO" run_mpi 2 "$ranks" "$@"
}

run_ranks children data progress $((kills / 2)) >output 2>&1 || { cat output; fail "the ranks failed"; }
verified "$kills children killed"
streams=$(recorder info --csv trace | sed 1d | wc -l) # what killed processes leave counts as live: some may be in the node's file
[ "$streams" -ge $((kills * 9 / 10)) ] || fail "only $streams streams of $kills children"
cat verdict

n=0
while [ $n -lt "$jobs" ]; do
	rm -rf trace progress data.*
	run_ranks self data progress 1 >output 2>&1 && fail "the job was to be killed"
	verified "job $n"
	n=$((n + 1))
done
[ -z "$(ls "$live")" ] || fail "live files are left"
echo "$jobs jobs with a killed rank"
