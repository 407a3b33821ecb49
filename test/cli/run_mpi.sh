#!/bin/sh
# SPDX-License-Identifier: MIT
# Three ways to record a job give equal traces: recorder run around the launcher, inside it, and the bare preload.
# timeout: 300
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need_mpicc
need python3

cat >ring.c <<'END'
#include <mpi.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int rank, size, from = -1, fd;
	char name[32];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < 50; i++)
		MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 3, &from, 1, MPI_INT,
			     (rank + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	snprintf(name, sizeof(name), "ring.%d", rank);
	fd = open(name, O_CREAT | O_RDWR | O_TRUNC, 0644);
	for (int i = 0; i < 20; i++)
		if (pwrite(fd, &i, sizeof(i), 4 * i) != sizeof(i))
			return 1;
	close(fd);
	MPI_Finalize();
	return from != (rank + size - 1) % size;
}
END
"$MPICC" -o ring ring.c || fail "cannot compile"

# Level 0 calls of the program: what MPI does inside has no fixed number.
calls()
{
	recorder2text -q --levels 0 "$1" | grep -E ' mpi |ring\.[0-9]' | cut -d' ' -f1,5- |
		sed 's/fd=[0-9]*/fd=N/; s/ = [0-9]* "/ = N "/' | sort
}

run_mpi 4 recorder run -q -o inside -- ./ring || fail "inside"
recorder run -q -o around -- "$MPIEXEC" -n 4 ./ring || fail "around"
# shellcheck disable=SC2046 # words
recorder run -q -o mixed -- "$MPIEXEC" $(mpi_option SOME thing) -n 4 ./ring ||
	fail "with a variable of the user's"
LD_PRELOAD=$RECORDER_SO RECORDER_QUIET=1 RECORDER_TRACES_DIR=bare \
	"$MPIEXEC" -n 4 ./ring || fail "bare preload"

for trace in inside around mixed bare; do
	expect_eq "4 True" "$(recorder info -q --json $trace | python3 -c '
import json, sys
info = json.load(sys.stdin)
print(info["ranks"], info["complete"])')" "ranks of $trace, complete"
	calls $trace >$trace.calls
	cmp inside.calls $trace.calls || fail "$trace has other calls: $(diff inside.calls $trace.calls | head -n 5)"
	recorder check -q $trace || fail "check of $trace"
done
expect_eq 200 "$(grep -c MPI_Sendrecv inside.calls)" "MPI_Sendrecv"
expect_eq 80 "$(grep -c pwrite inside.calls)" "pwrite"
expect_eq "" "$(find . -maxdepth 1 -type d -name '*.2')" "second directories"

# the job's status comes through
recorder run -q -o bad -- "$MPIEXEC" -n 2 sh -c 'exit 3' 2>/dev/null
expect_eq 3 $? "status of the launcher"
exit 0
