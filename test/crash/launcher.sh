#!/bin/sh
# SPDX-License-Identifier: MIT
# Ranks killed under a bare preload: the passive library in mpirun, or in the daemon that it starts, completes their streams at
# its end. Nothing stays in memory, the trace says where each rank was and for how long, and the launcher's status is its own.
# timeout: 300
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need_mpi
need mpicc libopenmpi-dev
need mpirun openmpi-bin
need python3

cat >stuck.c <<'END'
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include "bare.h"
#include <unistd.h>

/* Rank 1 ends as told, two seconds after the others began to wait; MPI_Recv(): it waits, too. */
int main(int argc, char **argv)
{
	int rank, value;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 1 && strcmp(argv[1], "recv")) {
		sleep(2);
		if (!strcmp(argv[1], "kill"))
			bare(SYS_kill, getpid(), 9);
		if (!strcmp(argv[1], "exit"))
			syscall(SYS_exit_group, 3);
		MPI_Abort(MPI_COMM_WORLD, 5);
	}
	MPI_Recv(&value, 1, MPI_INT, (rank + 1) % 4, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return 0;
}
END
mpicc -w -I"$TOP_SRCDIR/test" -o stuck stuck.c || fail "cannot compile"

# What is left when the test fails goes with it; the default place would not.
memory_dir
live=$memory

# RANK CALL PEER of each group's threads, if each was in it for at least $2 and less than $3 seconds
places()
{
	recorder where -q --json "$1" | python3 -c '
import json, sys
for group in json.load(sys.stdin)["groups"]:
    assert not group["alive"], group
    for thread in group["threads"]:
        low, high = float(sys.argv[1]), float(sys.argv[2])
        assert low <= thread["seconds"] < high and not thread["at_least"], thread
        print(thread["rank"], group["calls"], group["peer"])' "$2" "$3" | sort -n
}

# STATUS TRACE MODE [MPIRUN-OPTION...]
one()
{
	want=$1 trace=$2 mode=$3
	shift 3
	LD_PRELOAD=$RECORDER_SO RECORDER_LIVE_DIR=$live RECORDER_TRACES_DIR=trace RECORDER_PROGRAMS=stuck \
		mpirun --allow-run-as-root --oversubscribe "$@" -np 4 ./stuck "$mode" >out 2>&1
	expect_eq "$want" $? "status of mpirun, $mode: $(cat out)"
	grep 'recorder: ' out | grep -v ' holds another run; ' && fail "notes, $mode"
	expect_eq "" "$(ls "$live")" "live files after $mode"
	recorder check --strict "$trace" >said || fail "check after $mode: $(cat said)"
}

# the others are killed by mpirun soon after rank 1
survivors="0 MPI_Recv 1
2 MPI_Recv 3
3 MPI_Recv 0"
one 137 trace kill
expect_eq "$survivors" "$(places trace 1.9 8)" "where, after SIGKILL"
recorder where trace | grep -q '^rank 1 died in no recorded call' || fail "where: $(recorder where trace)"
recorder check trace | grep -q 'rank 1 pid .* died: ' || fail "check: $(recorder check trace)"

# MPI_Abort ends its process itself, in order
one 5 trace.2 abort
expect_eq "$survivors" "$(places trace.2 1.9 8)" "where, after MPI_Abort"

# a process that ends by itself behind our back
one 3 trace.3 exit
expect_eq "$survivors" "$(places trace.3 1.9 8)" "where, after exit_group"

# one is killed from outside, inside of a call
LD_PRELOAD=$RECORDER_SO RECORDER_LIVE_DIR=$live RECORDER_TRACES_DIR=outside \
	mpirun --allow-run-as-root --oversubscribe -np 4 ./stuck recv >out 2>&1 &
run=$!
tries=0
until [ "$(recorder where -q --csv $run 2>/dev/null | grep -c MPI_Recv)" = 4 ]; do
	tries=$((tries + 1))
	[ $tries -lt 300 ] || fail "the ranks never got stuck: $(recorder where $run)"
	sleep 0.1
done
sleep 1
kill -KILL "$(recorder where -q --csv $run | awk -F, '$2 == 2 { print $3 }')"
wait $run
expect_eq 137 $? "status of mpirun, a rank killed from outside"
expect_eq "" "$(ls "$live")" "live files, a rank killed from outside"
expect_eq "0 MPI_Recv 1
1 MPI_Recv 2
2 MPI_Recv 3
3 MPI_Recv 0" "$(places outside 1 8)" "where, a rank killed from outside"
# Open MPI gives the others a second: the time of death is that of each, not that of mpirun
recorder where -q --csv outside | python3 -c '
import csv, sys
seconds = {row["rank"]: float(row["seconds"]) for row in csv.DictReader(sys.stdin)}
assert seconds["2"] < min(seconds["0"], seconds["1"], seconds["3"]) - 0.3, seconds' || fail "times of death"

# a second node: its ranks belong to an orted
cat >rsh <<'END'
#!/bin/sh
shift
exec sh -c "$*"
END
chmod +x rsh
# (to Open MPI's shared memory it is the same one)
one 137 trace.4 kill --mca btl tcp,self --mca plm_rsh_agent "$PWD/rsh" -H localhost:2,127.0.0.9:2
expect_eq "$survivors" "$(places trace.4 1.9 8)" "where, with an orted"

# the launcher is told of its own children only: no SIGCHLD of ours
if command -v strace >/dev/null; then
	cat >mpiexec.c <<'END'
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		execv(argv[1], argv + 1);
	waitpid(pid, &status, 0);
	return waitpid(-1, &status, 0) == -1 ? 7 : 1;
}
END
	cc -w -o mpiexec mpiexec.c || fail "cannot compile"
	strace -o calls -E LD_PRELOAD="$RECORDER_SO" -E RECORDER_LIVE_DIR="$live" -E RECORDER_TRACES_DIR=own \
		./mpiexec "$(command -v sh)" -c 'echo some >file; kill -KILL $$'
	expect_eq 7 $? "status of a launcher"
	expect_eq 1 "$(grep -c '^--- SIGCHLD' calls)" "SIGCHLD"
	expect_eq "" "$(ls "$live")" "live files of a launcher of our own"
	recorder check --strict own >said || fail "check of own: $(cat said)"
fi
exit 0
