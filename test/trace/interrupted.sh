#!/bin/sh
# SPDX-License-Identifier: MIT
# A signal handler comes at each step of sealing a ring and of writing definitions, in the thread that is at it: nothing hangs,
# no call is lost or there twice.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

hooked=$TOP_BUILDDIR/test/.libs/librecorder_hooked.so
places="seal encoded defined definitions-written definitions-flushed written recycling recycled publishing published"

# one PLACE:N
one()
{
	rm -rf trace files
	timeout -s KILL 20 env RECORDER_TEST_SIGNAL="$1" RECORDER_TRACES_DIR=trace LD_PRELOAD="$hooked" \
		"$TEST_BIN/trace/interrupted" >made || fail "$1: exit status $?"
	made=$(tail -n 1 made)
	recorder check -q trace || fail "$1: recorder check"
	for call in open write close unlink; do
		expect_eq "$made" "$(recorder2text --functions $call trace | wc -l)" "$1: $call"
	done
	interrupted=$((interrupted + (made > 4000)))
}

interrupted=0
for place in $places; do
	for n in 1 2 5; do
		one "$place:$n"
	done
done
[ "$interrupted" -ge 24 ] || fail "only $interrupted of 30 runs were interrupted"
