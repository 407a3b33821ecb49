/* SPDX-License-Identifier: MIT */
/*
 * clocks.c - messages between all ranks for some time, with the time of this machine around each call.
 *
 * clocks DIR SECONDS [LATE]: DIR/RANK gets a line for each MPI_Send and MPI_Recv, CLOCK_MONOTONIC before and after it. The last rank
 * comes to MPI_Finalize LATE seconds after the others.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define PAUSE_NS 5000000

static long long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int argc, char **argv)
{
	const struct timespec pause = {0, PAUSE_NS};
	double seconds = argc > 2 ? strtod(argv[2], NULL) : 1;
	int rank, size, rounds, got;
	char path[4096];
	FILE *truth;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	snprintf(path, sizeof(path), "%s/%d", argv[1], rank);
	truth = fopen(path, "w");
	if (!truth)
		return 1;
	rounds = (int)(seconds * 1e9 / PAUSE_NS);
	for (int round = 0; round < rounds; round++) {
		int away = size > 1 ? 1 + round % (size - 1) : 0;
		long long times[4];

		times[0] = now();
		MPI_Send(&round, 1, MPI_INT, (rank + away) % size, round, MPI_COMM_WORLD);
		times[1] = now();
		times[2] = now();
		MPI_Recv(&got, 1, MPI_INT, (rank + size - away) % size, round, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		times[3] = now();
		fprintf(truth, "MPI_Send %lld %lld\nMPI_Recv %lld %lld\n", times[0], times[1],
			times[2], times[3]);
		if (round % 8 == 7)
			MPI_Barrier(MPI_COMM_WORLD);
		nanosleep(&pause, NULL);
	}
	fclose(truth);
	if (argc > 3 && rank == size - 1)
		usleep((useconds_t)(strtod(argv[3], NULL) * 1e6));
	MPI_Finalize();
	return 0;
}
