#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# What MPI programs do that is rare, odd or wrong: as without the recorder, and recorded with its meaning.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need_mpi
# MPICH crashes where Open MPI refuses
need_openmpi

check="${PYTHON:-python3} $TOP_SRCDIR/test/mpi/check.py"

# plain NAME PROGRAM [ARGUMENT...] and traced NAME ...: in the folders NAME/plain and NAME/work
plain()
{
	mkdir -p "$1/plain" && cd "$1/plain" || return 1
	plain_name=$1
	program=$TEST_BIN/mpi/$2
	shift 2
	run_mpi "${ranks:-4}" "$program" "$@" >"$test_dir/$plain_name/err" 2>&1
}

traced()
{
	mkdir -p "$1/work" && cd "$1/work" || return 1
	RECORDER_TRACES_DIR=$test_dir/$1/trace
	export RECORDER_TRACES_DIR
	traced_name=$1
	program=$TEST_BIN/mpi/$2
	shift 2
	run_mpi "${ranks:-4}" -x LD_PRELOAD="$RECORDER_SO" "$program" "$@" \
		>>"$test_dir/$traced_name/err" 2>&1
}

# What MPI refuses: the same errors with the recorder, each handler called as often, and each of them in the trace.
bad_input()
{
	(plain bad badinput) && (traced bad badinput) || return 1
	cd "$test_dir/bad" && : >err
	for rank in 0 1 2 3; do
		diff plain/said.$rank work/said.$rank >>err || return 1
		sed -n 's/^\(MPI_[A-Za-z_]*\).*: class \([1-9][0-9]*\), .*/\1 \2/p' plain/said.$rank >want
		$check failures trace $rank >got 2>>err && diff want got >>err || return 1
	done
	[ -s want ]
}

# A communicator that was freed: Open MPI crashes, in the call of the program.
freed()
{
	leave_segv
	for way in plain traced; do
		# who is killed leaves live files, which go with the test
		RECORDER_LIVE_DIR=$test_dir
		export RECORDER_LIVE_DIR
		($way dies badinput freed)
		grep -o 'Signal: .*\|libmpi.so[^[]*MPI_[A-Za-z_]*' dies/err | sort -u >dies/$way.signals
	done
	cd dies && cmp plain.signals traced.signals >>err 2>&1 && [ -s plain.signals ] &&
		recorder2text --functions MPI_Comm_size --ranks 0 trace |
		grep -q 'MPI_Comm_size(comm=comm#[0-9]*, size=?) = ? in_flight'
}

echo 1..2
(bad_input)
report $? "what MPI refuses fails as without the recorder, and is recorded with its error" bad/err
(freed)
report $? "a call that crashes MPI crashes it, and is in flight" dies/err
