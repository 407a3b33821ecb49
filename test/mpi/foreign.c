/* SPDX-License-Identifier: MIT */
/* An MPI program for any MPI: messages, requests at once and one by one, statuses wanted and ignored, objects made and freed. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define COUNT 40

static void check(int right, const char *what)
{
	if (right)
		return;
	fprintf(stderr, "wrong: %s\n", what);
	abort();
}

static void exchange(MPI_Comm comm, int rank, int size)
{
	int in[COUNT], out[COUNT], done[COUNT], count, next = (rank + 1) % size;
	MPI_Request requests[2 * COUNT], *request = malloc(sizeof(*request));
	MPI_Status statuses[2 * COUNT];

	for (int i = 0; i < COUNT; i++) {
		out[i] = rank * 1000 + i;
		MPI_Irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, i, comm, &requests[i]);
		MPI_Isend(&out[i], 1, MPI_INT, next, i, comm, &requests[COUNT + i]);
	}
	MPI_Waitall(2 * COUNT, requests, statuses);
	for (int i = 0; i < COUNT; i++) {
		check(in[i] == (rank + size - 1) % size * 1000 + i, "message");
		check(statuses[i].MPI_TAG == i, "tag of a status");
		check(statuses[i].MPI_SOURCE == (rank + size - 1) % size, "source of a status");
		check(requests[i] == MPI_REQUEST_NULL, "request");
	}
	for (int i = 0; i < 4; i++)
		MPI_Irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, i, comm, &requests[i]);
	for (int i = 0; i < 4; i++) {
		MPI_Isend(&out[i], 1, MPI_INT, next, i, comm, request);
		MPI_Wait(request, MPI_STATUS_IGNORE);
	}
	for (int i = 0; i < 4; i += count)
		MPI_Waitsome(4, requests, &count, done, MPI_STATUSES_IGNORE);
	free(request);
}

int main(int argc, char **argv)
{
	int rank, size, sum = 0, fd;
	MPI_Datatype pair;
	MPI_Comm dup, half;
	MPI_Group group;
	char name[64];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_dup(MPI_COMM_WORLD, &dup);
	MPI_Comm_split(dup, rank % 2, rank, &half);
	MPI_Comm_group(half, &group);
	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_commit(&pair);
	for (int i = 0; i < 20; i++)
		exchange(dup, rank, size);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, dup);
	check(sum == size * (size - 1) / 2, "sum");
	MPI_Type_free(&pair);
	MPI_Group_free(&group);
	MPI_Comm_free(&half);
	MPI_Comm_free(&dup);
	snprintf(name, sizeof(name), "foreign.%d", rank);
	fd = open(name, O_CREAT | O_WRONLY, 0644);
	for (int i = 0; i < 20; i++)
		check(pwrite(fd, &i, sizeof(i), 4 * i) == sizeof(i), "pwrite");
	close(fd);
	if (argc > 1 && rank == 1)
		MPI_Abort(MPI_COMM_WORLD, 5);
	MPI_Finalize();
	return 0;
}
