#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# RECORDER_TIMING=summary of ranks that do the same again and again, whose requests and tags count on: the trace does not grow with how often (but for a chunk or
# two until a loop is held), and has the calls that one with stamps has. What grows is looked at with STEADY_RANKS, of which one sends to itself: two wait for each other, for as long as other
# programs of the machine like, at each of many exchanges.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need_mpicc
need_openmpi
ranks=${STEADY_RANKS:-1}
RECORDER_BUFFER_SIZE=512k
export RECORDER_BUFFER_SIZE

cat >rounds.c <<'END'
#include <mpi.h>
#include <stdlib.h>

static int left, right;

static void exchange(int tag)
{
	double in[2], out[2] = {1, 2};
	MPI_Request requests[4];
	MPI_Status statuses[4];

	MPI_Irecv(&in[0], 1, MPI_DOUBLE, left, tag, MPI_COMM_WORLD, &requests[0]);
	MPI_Irecv(&in[1], 1, MPI_DOUBLE, right, 7, MPI_COMM_WORLD, &requests[1]);
	MPI_Isend(&out[0], 1, MPI_DOUBLE, right, tag, MPI_COMM_WORLD, &requests[2]);
	MPI_Isend(&out[1], 1, MPI_DOUBLE, left, 7, MPI_COMM_WORLD, &requests[3]);
	MPI_Waitall(4, requests, statuses);
}

/* argv: how many calls about, exchanges in a turn */
int main(int argc, char **argv)
{
	int rank, size, exchanges = atoi(argv[2]), turns = atoi(argv[1]) / (5 * exchanges + 2);
	double one = 1, sum;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	left = (rank + size - 1) % size;
	right = (rank + 1) % size;
	for (int i = 0; i < turns; i++) {
		double begin = MPI_Wtime();

		if (begin < 0)
			MPI_Abort(MPI_COMM_WORLD, 3);
		for (int k = 0; k < exchanges; k++)
			exchange(100 + i * exchanges % 1000000 + k);
		MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return argc == 0;
}
END
"$MPICC" -O1 -o rounds rounds.c || fail "cannot compile"

# NAME TIMING RANKS CALLS EXCHANGES
record()
{
	rm -rf "$1"
	RECORDER_TIMING=$2 quietly recorder run -q --layers mpi -o "$1" -- "$MPIEXEC" -n "$3" ./rounds "$4" "$5" ||
		fail "$3 ranks, $4 calls, $5 exchanges a turn: ended with $?"
	quietly recorder check "$1" || fail "recorder check of $3 ranks, $4 calls, $5 exchanges a turn"
}

# recorder2text of a rank without times, also those that it asked for
calls()
{
	recorder2text --rank 0 "$1" | cut -d ' ' -f 5- | sed -e 's/MPI_Wtime() = .*/MPI_Wtime()/'
}

# turns of some calls, and turns that are longer than a ring
for exchanges in 8 2000; do
	record summed summary 2 60000 $exchanges
	record stamped stamps 2 60000 $exchanges
	calls summed >summed.calls
	calls stamped | cmp - summed.calls || fail "$exchanges exchanges a turn: other calls with RECORDER_TIMING=summary"
	[ "$(grep -c MPI_Waitall summed.calls)" -gt 9000 ] || fail "$exchanges exchanges a turn: too few calls"
	expect_eq "MPI_Wtime() = nan" "$(recorder2text summed | grep -o 'MPI_Wtime.*' | sort -u)" "what is kept of the time"
	recorder2text --plain summed >first.text
	"${PYTHON:-python3}" "$TOP_SRCDIR/test/decode.py" --plain summed >second.text || fail "decode.py"
	cmp first.text second.text || fail "$exchanges exchanges a turn: the two readers differ"
	record few summary $ranks 60000 $exchanges
	record many summary $ranks 600000 $exchanges
	few=$(cat few/*.rec | wc -c) many=$(cat many/*.rec | wc -c)
	echo "$exchanges exchanges a turn: $few bytes of 60,000 calls a rank, $many of 600,000"
	[ "$many" -lt $((few + 7500 * ranks)) ] || fail "$exchanges exchanges a turn: $few bytes of few calls, $many of many"
done
