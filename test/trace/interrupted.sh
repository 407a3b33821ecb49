#!/bin/sh
# SPDX-License-Identifier: MIT
# files: memory
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
	expect_eq "$((made > 4000 ? 5 : 0))" "$(recorder2text --functions access,chmod,rename,truncate,rmdir trace | wc -l)" \
		"$1: calls of the handler alone"
	interrupted=$((interrupted + (made > 4000)))
}

interrupted=0
for place in $places; do
	for n in 1 2 5; do
		one "$place:$n"
	done
done
# The first ones come before main(). What the handler itself defines stands behind the entry that is not complete.
for place in definition-reserved definition-begun; do
	for n in 20 100 1000; do
		one "$place:$n"
		[ $n != 20 ] || # it takes definitions only from what stands before a chunk
			quietly "${PYTHON:-python3}" "$TOP_SRCDIR/test/format/readers_agree.py" trace || fail "$place:$n: the readers do not agree"
	done
done
# A handler does not wait for the definition that it has interrupted itself: once would be 200 times.
if command -v strace >/dev/null; then
	rm -rf trace files
	RECORDER_FLUSH=1ms RECORDER_TRACES_DIR=trace RECORDER_TEST_SIGNAL=definition-reserved:1000 timeout -s KILL 100 \
		strace -f -qq -e trace=sched_yield -e signal=none -o waits env LD_PRELOAD="$hooked" "$TEST_BIN/trace/interrupted" >made ||
		fail "under strace: exit status $?"
	expect_eq 5500 "$(tail -n 1 made)" "calls under strace"
	[ "$(wc -l <waits)" -lt 200 ] || fail "$(wc -l <waits) times waited for what a handler has interrupted"
else
	[ -z "${CI:-}" ] || fail "'strace' is missing"
fi
[ "$interrupted" -ge 30 ] || fail "only $interrupted of 36 runs were interrupted"
