#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 900
# SOAK_COMMS communicators, made and freed: the memory of the ranks does not grow by more than it does without the recorder.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need_mpi

count=${SOAK_COMMS:-20000}

# run OUT [VARIABLE=VALUE...]
run()
{
	out=$1
	shift
	run_mpi 2 env "$@" "$TEST_BIN/soak/comms" "$count" >"$out" 2>err || fail "$out: exit status $?: $(cat err)"
	read -r early late <"$out"
	grown=$((late - early))
}

run bare A=B
bare=$grown
# rings as large as they will ever be: how soon they grow depends on how busy the machine is
run traced RECORDER_BUFFER_SIZE=64k LD_PRELOAD="$RECORDER_SO" RECORDER_TRACES_DIR="$PWD/trace"
[ $((grown - bare)) -lt 512 ] || fail "resident memory grew from $early to $late KiB, without the recorder by $bare"
recorder check -q --strict trace || fail "recorder check"
expect_eq $((2 * ((count + 2) / 3 + (count + 1) / 3 + count / 3))) \
	"$(recorder2text -q --functions 'MPI_Comm_dup,MPI_Comm_split' trace | wc -l)" "records"
echo "$count communicators: memory grew by $grown KiB, without the recorder by $bare"
