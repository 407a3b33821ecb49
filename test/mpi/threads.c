/* SPDX-License-Identifier: MIT */
/* Many threads make and complete requests at once, with MPI_THREAD_MULTIPLE. Exit 77: this MPI cannot. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

#define THREADS 4
#define ROUNDS 500
#define BATCH 8

static int rank, size;

/* Each thread sends to itself, with tags of its own. */
static void *work(void *argument)
{
	int base = *(int *)argument * BATCH, values[BATCH], one = 1;
	MPI_Request requests[2 * BATCH];

	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < BATCH; i++) {
			MPI_Irecv(&values[i], 1, MPI_INT, rank, base + i, MPI_COMM_WORLD,
				  &requests[i]);
			MPI_Isend(&one, 1, MPI_INT, i % 2 ? rank : MPI_PROC_NULL, base + i,
				  MPI_COMM_WORLD, &requests[BATCH + i]);
			if (i % 2 == 0)
				MPI_Send(&one, 1, MPI_INT, rank, base + i, MPI_COMM_WORLD);
		}
		MPI_Waitall(2 * BATCH, requests, MPI_STATUSES_IGNORE);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	int provided, numbers[THREADS];

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	if (provided < MPI_THREAD_MULTIPLE) {
		MPI_Finalize();
		return 77;
	}
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, work, &numbers[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	MPI_Finalize();
	return 0;
}
