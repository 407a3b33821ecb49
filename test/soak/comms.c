/* SPDX-License-Identifier: MIT */
/*
 * comms COUNT: makes and frees that many communicators, in each of the ways that matter: duplicates of the world, duplicates of
 * duplicates, splits. Prints the resident memory (KiB) after a tenth of them and at the end, of rank 0.
 */
#include <mpi.h>

#include "resident.h"

static void make(long number)
{
	static MPI_Comm chain = MPI_COMM_NULL;
	MPI_Comm comm;

	switch (number % 3) {
	case 0:
		MPI_Comm_dup(MPI_COMM_WORLD, &comm);
		break;
	case 1:
		MPI_Comm_dup(chain == MPI_COMM_NULL ? MPI_COMM_WORLD : chain, &comm);
		if (chain != MPI_COMM_NULL)
			MPI_Comm_free(&chain);
		chain = comm;
		return;
	default:
		MPI_Comm_split(MPI_COMM_WORLD, number % 2, 0, &comm);
	}
	MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 0, early = 0;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (long i = 0; i < count; i++) {
		make(i);
		if (i == count / 10)
			early = resident();
	}
	if (rank == 0 && resident_report(early))
		return 1;
	MPI_Finalize();
	return 0;
}
