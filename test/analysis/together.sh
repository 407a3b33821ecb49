#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder summary and recorder findings say the same however many ranks of a launcher or threads of -j share the work.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need_mpiexec
need_openmpi

RECORDER_TRACES_DIR=$PWD/one.trace preload "$TEST_BIN/analysis/known" 3 || fail "known: exit status $?"
recorder run -q -o eight.trace -- "$MPIEXEC" -n 8 "$TEST_BIN/analysis/known_mpi" || fail "known_mpi: exit status $?"
"${PYTHON:-python3}" "$TOP_SRCDIR/test/analysis/phases.py" steps.trace || fail "phases.py: exit status $?"

for trace in one.trace eight.trace steps.trace; do
	for verb in summary findings; do
		recorder $verb --json $trace >want || fail "$verb $trace: exit status $?"
		for ranks in 1 2 3 7; do
			"$MPIEXEC" -n $ranks "$TOP_BUILDDIR/tools/recorder" $verb --json -j 2 $trace >got ||
				fail "$ranks ranks, $verb of $trace: exit status $?"
			cmp want got || fail "$ranks ranks say something else in $verb of $trace"
		done
	done
done
expect_eq "" "$(find . -name '.*' -type f)" "left behind"

# what is wrong is said once
: >eight.trace/recorder.gm
"$MPIEXEC" -n 3 "$TOP_BUILDDIR/tools/recorder" summary eight.trace >/dev/null 2>err
expect_eq 1 "$(sort err | uniq -c | sort -rn | awk 'NR == 1 { print $1 }')" "times that a warning is said: $(cat err)"
