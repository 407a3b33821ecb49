/* SPDX-License-Identifier: MIT */
/*
 * ring.c - ring STEPS: ranks that pass a number around, STEPS times; then rank 0 tells how long MPI_Finalize took, in ms, from when all
 * ranks were about to call it. Recorded or not.
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

#include "measure.h"

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	long steps = argc == 2 ? strtol(argv[1], NULL, 10) : -1;
	int rank, ranks, out = 0, in = 0;
	double begin;

	if (steps < 0)
		return 2;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (long i = 0; i < steps; i++)
		MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % ranks, 0, &in, 1, MPI_INT,
			     (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	PMPI_Barrier(MPI_COMM_WORLD);
	begin = now_ms();
	MPI_Finalize();
	if (rank == 0)
		report("finalize", now_ms() - begin);
	return 0;
}
