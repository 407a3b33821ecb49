#!/bin/sh
# SPDX-License-Identifier: MIT
# Ends of MPI programs: without MPI_Finalize, without MPI_Init, the launcher itself killed. Each byte that
# a rank wrote is a record, and no live file is left.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need_mpicc

cat >ends.c <<'END'
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char name[32];
	char *told = getenv("OMPI_COMM_WORLD_RANK");
	int fd, rank = atoi(told ? told : getenv("PMI_RANK"));

	if (strcmp(argv[1], "never"))
		MPI_Init(&argc, &argv);
	snprintf(name, sizeof(name), "marks.%d", rank);
	fd = open(name, O_CREAT | O_WRONLY | O_APPEND, 0600);
	for (int i = 0; i < 10 + rank; i++)
		write(fd, "x", 1);
	if (!strcmp(argv[1], "unfinished"))
		MPI_Barrier(MPI_COMM_WORLD); /* the first that ends is the end of the others */
	while (!strcmp(argv[1], "forever")) {
		write(fd, "x", 1);
		usleep(1000);
	}
	_exit(strcmp(argv[1], "never") ? 7 : 0);
}
END
"$MPICC" -w -o ends ends.c || fail "cannot compile"
memory_dir
live=$memory
RECORDER_LIVE_DIR=$live
export RECORDER_LIVE_DIR

# MODE: the records of each rank are those of its file
counted()
{
	expect_eq "" "$(ls "$live")" "live files, $1"
	recorder check -q "$1" >said || fail "$1: $(cat said)"
	for rank in 0 1 2; do
		# when the launcher is gone the rank is ended, at any instant: a call may be in flight, its byte not yet written
		records=$(recorder2text -q --ranks $rank --functions write --files "*/marks.$rank" "$1" |
			grep -c 'marks\.')
		size=$(wc -c <marks.$rank)
		[ "$1" = forever ] && [ "$records" = $((size + 1)) ] ||
			[ "$records" = "$size" ] || fail "$1: rank $rank has $records records of $size"
	done
	rm -f marks.*
}

run()
{
	recorder run -q -o "$1" -- "$MPIEXEC" -n 3 ./ends "$1" >out 2>&1
}

run never
expect_eq 0 $? "status without MPI_Init: $(cat out)"
counted never
run unfinished
status=$?
# hydra may tell of one that it killed
[ "$MPI_KIND" = openmpi ] || [ $status != "$mpi_killed" ] || status=7
expect_eq 7 $status "status without MPI_Finalize"
counted unfinished

# the launcher is killed: its ranks notice it and end, and recorder run sees to what they left
run forever &
run=$!
for rank in 0 1 2; do
	until_ [ -s marks.$rank ]
done
for pid in $(ps -e -o pid=,ppid=,comm= | awk -v run="$run" -v launcher="${MPIEXEC##*/}" '
	{ parent[$1] = $2; name[$1] = $3 }
	END { for (p in name) if (name[p] == launcher) { a = p; while (a > 1 && a != run) a = parent[a]; if (a == run) print p } }'); do
	launcher=$pid
done
kill -KILL "$launcher"
wait $run
expect_eq 137 $? "status of recorder run, the launcher killed"
counted forever
