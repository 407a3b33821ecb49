#!/bin/sh
# SPDX-License-Identifier: MIT
# Where the traces of many runs go that were all told the same directory: each into one of its own, all processes of a run into the same, which they find
# without looking at all the thousand runs before it.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need strace
RECORDER_TRACES_DIR=$PWD/runs
export RECORDER_TRACES_DIR
before=1000

# VARIABLE=VALUE ... runs cat with these, which is to look at few of the runs before it.
expect_few_looks()
{
	env "$@" strace -f -o calls -E LD_PRELOAD="$RECORDER_SO" cat /dev/null 2>notes || fail "cat gives $?: $(cat notes)"
	looks=$(grep -c 'runs[.0-9]*/recorder\.gm' calls)
	[ "$looks" -gt 0 ] && [ "$looks" -lt 40 ] || fail "$looks looks at $before runs"
}

# STREAMS DIRECTORY WHAT
expect_streams()
{
	expect_eq "$1" "$(find "$2" -name '*.rec' | wc -l)" "streams in $2, $3"
}

preload cat /dev/null || fail "cat gives $?"
expect_streams 1 runs "of the first run"
number=2
while [ $number -le $before ]; do
	mkdir runs.$number
	cp runs/recorder.gm runs.$number
	number=$((number + 1))
done

preload cat /dev/null 2>notes || fail "cat gives $?: $(cat notes)"
expect_eq "recorder: $PWD/runs holds another run; this one is in $PWD/runs.$((before + 1))" "$(cat notes)" "what is said"
expect_streams 1 runs.$((before + 1)) "behind $before runs"

# the children of a shell, at once, and others of the same run, later
preload sh -c 'for i in 1 2 3 4 5 6 7 8; do cat /dev/null & done; wait' 2>notes || fail "sh gives $?: $(cat notes)"
expect_streams 17 runs.$((before + 2)) "of a shell and its children"
for i in 1 2 3 4 5 6 7 8; do
	RECORDER_RUN_ID=together preload cat /dev/null 2>notes.$i &
done
wait
expect_few_looks RECORDER_RUN_ID=together
expect_streams 9 runs.$((before + 3)) "of processes that share a name of a run"

# a run that is not the last one, and a place that became free
expect_few_looks RECORDER_VERBOSE=0
expect_streams 1 runs.$((before + 4)) "of the last run"
RECORDER_RUN_ID=together preload cat /dev/null 2>notes || fail "cat gives $?"
expect_streams 10 runs.$((before + 3)) "of a run that goes on"
rm -r runs.2 runs.500
preload cat /dev/null 2>notes || fail "cat gives $?"
[ "$(find runs.2 runs.500 runs.$((before + 5)) -name '*.rec' 2>/dev/null | wc -l)" -eq 1 ] ||
	fail "a run goes neither into a free place nor behind the last"

# a relative one is so for children that begin elsewhere, too, whatever the folder is called
mkdir -p 'of 100%e/elsewhere'
cd 'of 100%e' || fail "no folder"
RECORDER_TRACES_DIR=here/trace preload sh -c 'cd elsewhere && cat /dev/null && ls >/dev/null && cat /dev/null' 2>notes || fail "sh gives $?: $(cat notes)"
expect_streams 4 here/trace "of a shell and its children elsewhere"
expect_eq ./here/trace "$(find . -name recorder.gm -printf '%h\n')" "traces"
exit 0
