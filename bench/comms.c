/* SPDX-License-Identifier: MIT */
/* comms.c - comms COUNT: makes so many communicators, one after the other, and meets in each of them. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	MPI_Comm comm;

	if (argc != 2)
		return 2;
	MPI_Init(&argc, &argv);
	for (unsigned long i = strtoul(argv[1], NULL, 10); i > 0; i--) {
		MPI_Comm_dup(MPI_COMM_SELF, &comm);
		MPI_Barrier(comm);
		MPI_Comm_free(&comm);
	}
	MPI_Finalize();
	return 0;
}
