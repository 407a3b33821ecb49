#!/bin/sh
# SPDX-License-Identifier: MIT
# Where is it stuck: a deadlock of 8 ranks with one of them at a FIFO, live by pid; then one is killed, and the
# trace says the same.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need_mpicc
need python3

cat >stuck.c <<'END'
#include <mpi.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Each rank waits for the next one, rank 5 for a request and rank 6 for two, but rank 2 for somebody who writes
 * into a FIFO.
 */
int main(int argc, char **argv)
{
	int rank, size, value, other;
	MPI_Request requests[2];
	char c;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (rank == 2) {
		mkfifo("fifo", 0600);
		return (int)read(open("fifo", O_RDWR), &c, 1);
	}
	if (rank == 5) {
		MPI_Irecv(&value, 1, MPI_INT, 6, 7, MPI_COMM_WORLD, requests);
		MPI_Wait(requests, MPI_STATUS_IGNORE);
	}
	if (rank == 6) {
		MPI_Irecv(&value, 1, MPI_INT, 7, 7, MPI_COMM_WORLD, requests);
		MPI_Irecv(&other, 1, MPI_INT, 7, 8, MPI_COMM_WORLD, requests + 1);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
	MPI_Recv(&value, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return 0;
}
END
"$MPICC" -w -o stuck stuck.c || fail "cannot compile"

recorder run -q -o trace -- "$MPIEXEC" -n 8 ./stuck >/dev/null 2>&1 &
run=$!
trap 'kill $run 2>/dev/null; test_cleanup' EXIT

# The calls of each rank as the JSON has them, with what must be true of their seconds.
places()
{
	python3 -c '
import json, os, sys
where = json.load(sys.stdin)
for group in where["groups"]:
    for thread in group["threads"]:
        assert thread["seconds"] >= float(sys.argv[1]), thread
        print(thread["rank"], group["calls"], group["peer"], os.path.basename(group["file"]),
              "alive" if group["alive"] else "dead")' "$1" | sort -n
}

expected()
{
	for rank in 0 1 3 4 7; do
		echo "$rank MPI_Recv $(((rank + 1) % 8))  $1"
	done
	echo "5 MPI_Wait 6  $1"
	echo "6 MPI_Waitall 7  $1"
	echo "2 read -1 fifo $1"
}

expected alive | sort -n >want
all_are_stuck()
{
	recorder where -q --json $run | places 0 | cmp -s want -
}
until_ all_are_stuck
sleep 1
recorder where -q --json $run | places 1 | diff want - || fail "live, by the pid of recorder run"
recorder where $run | grep -q 'rank 2 in read(.*file .*/fifo' || fail "text: $(recorder where $run)"
recorder where $run | grep -q 'rank 5 in MPI_Wait(request=[0-9]*: MPI_Irecv(source=6, tag=7, comm=MPI_COMM_WORLD)), peer rank 6' ||
	fail "a request: $(recorder where $run)"
recorder where $run | grep -q 'MPI_Waitall(request=[0-9]*: MPI_Irecv(source=7, tag=7, .*), request=[0-9]*: MPI_Irecv(source=7, tag=8' ||
	fail "two requests: $(recorder where $run)"

# one of its ranks alone
victim=$(recorder where -q --csv $run | awk -F, '$2 == 3 { print $3 }')
expect_eq "3 MPI_Recv 4  alive" "$(recorder where -q --json "$victim" | places 1)" "live, by the pid of a rank"

kill -KILL "$victim"
wait $run
trap test_cleanup EXIT
expected dead | sort -n | diff - "$(recorder where -q --json trace | places 1 >got; echo got)" || fail "dead, by directory"
recorder check -q trace || fail "check of a trace with killed ranks"
# under mpirun the first rank says it, once
expect_eq "" "$(OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1 recorder where -q --json trace)" "the second rank of two"
OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0 recorder where -q --json trace | places 1 | diff got - || fail "the first rank of two"

recorder where 999999999 2>/dev/null && fail "a process that is not there"
recorder where $$ 2>/dev/null && fail "a process that is not recorded"
exit 0
