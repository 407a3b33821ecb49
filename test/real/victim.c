/* SPDX-License-Identifier: MIT */
/* Each rank makes known calls on its own file and ring, then waits for what never comes. */
#include <mpi.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define WRITES 1000

int main(int argc, char **argv)
{
	int rank, size, fd, from;
	char name[32];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	snprintf(name, sizeof(name), "data.%d", rank);
	fd = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0644);
	for (int i = 0; i < WRITES + rank; i++)
		if (pwrite(fd, &i, sizeof(i), (off_t)i * 4) != sizeof(i))
			return 1;
	MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 3, &from, 1, MPI_INT,
		     (rank + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (rank == 0)
		MPI_Barrier(MPI_COMM_WORLD);
	else
		MPI_Recv(&from, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
