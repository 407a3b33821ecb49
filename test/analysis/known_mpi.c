/* SPDX-License-Identifier: MIT */
/*
 * known_mpi.c - a known number of calls of MPI and MPI-IO on each rank: two barriers, 5 messages of 1,000 bytes to the next rank in a ring, a broadcast of 64
 * bytes, and a collective write of 300,000 bytes to one file, "shared", that all have open; 2 reads of 1,000 bytes each from it by every rank for itself.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(call)                                                                                 \
	do {                                                                                       \
		if ((call) != MPI_SUCCESS) {                                                       \
			fprintf(stderr, "%s failed\n", #call);                                     \
			MPI_Abort(MPI_COMM_WORLD, 1);                                              \
		}                                                                                  \
	} while (0)

#define BLOCK 300000

static char block[BLOCK];

static void send_around(int rank, int size)
{
	char received[1000];

	for (int i = 0; i < 5; i++) {
		MPI_Request request;

		MUST(MPI_Irecv(received, 1000, MPI_CHAR, (rank + size - 1) % size, i,
			       MPI_COMM_WORLD, &request));
		MUST(MPI_Send(block, 1000, MPI_CHAR, (rank + 1) % size, i, MPI_COMM_WORLD));
		MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
	}
}

static void write_together(int rank)
{
	MPI_File file;

	MUST(MPI_File_open(MPI_COMM_WORLD, "shared", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
			   &file));
	MUST(MPI_File_write_at_all(file, (MPI_Offset)rank * BLOCK, block, BLOCK, MPI_CHAR,
				   MPI_STATUS_IGNORE));
	MUST(MPI_File_sync(file));
	MUST(MPI_Barrier(MPI_COMM_WORLD));
	MUST(MPI_File_sync(file));
	for (int i = 0; i < 2; i++)
		MUST(MPI_File_read_at(file, (MPI_Offset)i * 50000, block, 1000, MPI_CHAR,
				      MPI_STATUS_IGNORE));
	MUST(MPI_File_close(&file));
}

int main(int argc, char **argv)
{
	int rank, size;

	MUST(MPI_Init(&argc, &argv));
	MUST(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
	MUST(MPI_Comm_size(MPI_COMM_WORLD, &size));
	memset(block, rank, sizeof(block));
	MUST(MPI_Barrier(MPI_COMM_WORLD));
	send_around(rank, size);
	MUST(MPI_Bcast(block, 64, MPI_CHAR, 0, MPI_COMM_WORLD));
	write_together(rank);
	MUST(MPI_Finalize());
	return 0;
}
