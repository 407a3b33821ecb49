#!/bin/sh
# SPDX-License-Identifier: MIT
# Ranks killed under a bare preload: the passive library in the launcher, or in the daemons that it starts, completes their streams
# at its end. Nothing stays in memory, the trace says where each rank was and for how long, and the launcher's status is its own.
# timeout: 300
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need_mpicc
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
"$MPICC" -w -I"$TOP_SRCDIR/test" -o stuck stuck.c || fail "cannot compile"

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

case $MPI_KIND in
openmpi)
	ended=3 patience=0 lost=
	# (to Open MPI's shared memory it is the same one)
	nodes="--mca btl tcp,self --mca plm_rsh_agent $PWD/rsh -H localhost:2,127.0.0.9:2"
	;;
*)
	# hydra tells of the first rank that it hears of, be it one that it killed itself; or that it lost a daemon. After MPI_Abort it
	# ends before its daemons
	ended="3 $mpi_killed" patience=600 lost=255
	nodes="-launcher ssh -launcher-exec $PWD/rsh -hosts 127.0.0.8:2,127.0.0.9:2"
	;;
esac

# WHAT: no live file is left when the launcher and its daemons are gone
nothing_left()
{
	tries=0
	until [ $tries -ge $patience ] || [ -z "$(ls "$live")" ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
	expect_eq "" "$(ls "$live")" "live files, $1"
}

# STATUSES TRACE MODE [OPTION OF THE LAUNCHER...]
one()
{
	want=$1 trace=$2 mode=$3
	shift 3
	LD_PRELOAD=$RECORDER_SO RECORDER_LIVE_DIR=$live RECORDER_TRACES_DIR=trace RECORDER_PROGRAMS=stuck \
		"$MPIEXEC" "$@" -n 4 ./stuck "$mode" >out 2>&1
	status=$?
	case " $want " in
	*" $status "*) ;;
	*) fail "status of the launcher, $mode: $status, not $want: $(cat out)" ;;
	esac
	grep 'recorder: ' out | grep -v ' holds another run; ' && fail "notes, $mode"
	nothing_left "$mode"
	recorder check --strict "$trace" >said || fail "check after $mode: $(cat said)"
}

# the others are killed by the launcher soon after rank 1
survivors="0 MPI_Recv 1
2 MPI_Recv 3
3 MPI_Recv 0"
one "$mpi_killed" trace kill
expect_eq "$survivors" "$(places trace 1.9 8)" "where, after SIGKILL"
recorder where trace | grep -q '^rank 1 died in no recorded call' || fail "where: $(recorder where trace)"
recorder check trace | grep -q 'rank 1 pid .* died: ' || fail "check: $(recorder check trace)"

# MPI_Abort ends its process itself, in order
one 5 trace.2 abort
expect_eq "$survivors" "$(places trace.2 1.9 8)" "where, after MPI_Abort"

# a process that ends by itself behind our back
one "$ended" trace.3 exit
expect_eq "$survivors" "$(places trace.3 1.9 8)" "where, after exit_group"

# one is killed from outside, inside of a call
LD_PRELOAD=$RECORDER_SO RECORDER_LIVE_DIR=$live RECORDER_TRACES_DIR=outside \
	"$MPIEXEC" -n 4 ./stuck recv >out 2>&1 &
run=$!
all_are_stuck()
{
	[ "$(recorder where -q --csv $run | grep -c MPI_Recv)" = 4 ]
}
until_ all_are_stuck
sleep 1
kill -KILL "$(recorder where -q --csv $run | awk -F, '$2 == 2 { print $3 }')"
wait $run
expect_eq "$mpi_killed" $? "status of the launcher, a rank killed from outside"
nothing_left "a rank killed from outside"
expect_eq "0 MPI_Recv 1
1 MPI_Recv 2
2 MPI_Recv 3
3 MPI_Recv 0" "$(places outside 1 8)" "where, a rank killed from outside"
# Open MPI gives the others a second: the time of death is that of each, not that of mpirun
[ "$MPI_KIND" != openmpi ] || recorder where -q --csv outside | python3 -c '
import csv, sys
seconds = {row["rank"]: float(row["seconds"]) for row in csv.DictReader(sys.stdin)}
assert seconds["2"] < min(seconds["0"], seconds["1"], seconds["3"]) - 0.3, seconds' || fail "times of death"

# a second node: its ranks belong to a daemon there
cat >rsh <<'END'
#!/bin/sh
[ "$1" != -x ] || shift
shift
exec sh -c "$*"
END
chmod +x rsh
# (what MPICH tells its nodes has no name of the run)
[ "$MPI_KIND" = openmpi ] || export RECORDER_RUN_ID=nodes
# shellcheck disable=SC2086 # words
one "$mpi_killed $lost" trace.4 kill $nodes
unset RECORDER_RUN_ID
expect_eq "$survivors" "$(places trace.4 1.9 8)" "where, with daemons"

# a main thread that has ended is no rank that has: the others are waited for
cat >half.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include "bare.h"
#include <unistd.h>

static void *late(void *unused)
{
	sleep(1);
	bare(SYS_kill, getpid(), 9);
	return unused;
}

int main(void)
{
	pthread_t thread;

	fclose(fopen("half.file", "w"));
	pthread_create(&thread, NULL, late, NULL);
	bare(SYS_exit, 0);
}
END
cat >mpirun.c <<'END'
#include <unistd.h>

int main(int argc, char **argv)
{
	if (fork() == 0)
		execv(argv[1], argv + 1);
	usleep(300000);
	return 7;
}
END
cc -w -I"$TOP_SRCDIR/test" -o half half.c -lpthread && cc -w -o mpirun mpirun.c || fail "cannot compile"
LD_PRELOAD=$RECORDER_SO RECORDER_LIVE_DIR=$live RECORDER_TRACES_DIR=half.trace ./mpirun ./half
expect_eq 7 $? "status of a launcher that does not wait"
expect_eq "" "$(ls "$live")" "live files of half a process"
recorder check --strict half.trace >said || fail "check of half a process: $(cat said)"

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
