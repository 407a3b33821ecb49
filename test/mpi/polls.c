/* SPDX-License-Identifier: MIT */
/*
 * polls.c - polls that find nothing, counted by who makes them.
 *
 *	polls count	two ranks: each way to poll, until what rank 1 sends is there
 *	polls turns	one rank that asks from the same place for one thing and for another, in runs of all lengths
 *	polls threads	threads that poll at once
 *	polls forever FILE	a thread that polls until it is killed; how often is in FILE, see crash/progress.h
 *
 * Prints, for each thread and function, "TID FUNCTION polls-that-found-nothing polls-that-did".
 */
#include "../crash/progress.h"

#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TAG 5
#define THREADS 3
#define NOTHING 400 /* polls before anything can be there */

struct way {
	const char *name;
	int (*poll)(MPI_Request *request, MPI_Status *status); /* whether it found something */
	bool probes;
};

static int value;

static int test(MPI_Request *request, MPI_Status *status)
{
	int flag;

	MPI_Test(request, &flag, status);
	return flag;
}

static int testall(MPI_Request *request, MPI_Status *status)
{
	int flag;

	MPI_Testall(1, request, &flag, status);
	return flag;
}

static int testany(MPI_Request *request, MPI_Status *status)
{
	int flag, index;

	MPI_Testany(1, request, &index, &flag, status);
	return flag;
}

static int testsome(MPI_Request *request, MPI_Status *status)
{
	int count, index;

	MPI_Testsome(1, request, &count, &index, status);
	return count > 0;
}

static int get_status(MPI_Request *request, MPI_Status *status)
{
	int flag;

	MPI_Request_get_status(*request, &flag, status);
	if (flag)
		MPI_Wait(request, MPI_STATUS_IGNORE);
	return flag;
}

static int iprobe(MPI_Request *request, MPI_Status *status)
{
	int flag;

	(void)request;
	MPI_Iprobe(1, TAG, MPI_COMM_WORLD, &flag, status);
	if (flag)
		MPI_Recv(&value, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return flag;
}

static int improbe(MPI_Request *request, MPI_Status *status)
{
	MPI_Message message;
	int flag;

	(void)request;
	MPI_Improbe(1, TAG, MPI_COMM_WORLD, &flag, &message, status);
	if (flag)
		MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
	return flag;
}

static const struct way ways[] = {
	{"MPI_Test", test, false},
	{"MPI_Testall", testall, false},
	{"MPI_Testany", testany, false},
	{"MPI_Testsome", testsome, false},
	{"MPI_Iprobe", iprobe, true},
	{"MPI_Improbe", improbe, true},
	{"MPI_Request_get_status", get_status, false},
};

#define WAYS (sizeof(ways) / sizeof(ways[0]))

static void ask(const struct way *way)
{
	MPI_Request request = MPI_REQUEST_NULL;
	int nothing = 0, go = 1;
	MPI_Status status;

	if (!way->probes)
		MPI_Irecv(&value, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &request);
	for (;;) {
		if (way->poll(&request, &status))
			break;
		if (++nothing == NOTHING)
			MPI_Send(&go, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD);
	}
	printf("%d %s %d 1\n", gettid(), way->name, nothing);
}

static void answer(void)
{
	int go;

	MPI_Recv(&go, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Send(&go, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
}

static void count(void)
{
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (size_t i = 0; i < WAYS; i++)
		rank == 0 ? ask(&ways[i]) : answer();
}

/* Which of two the poll is for; both often. */
static int turn(int i)
{
	return i * i % 7 < 3 || i % 100 > 60;
}

/* Two requests that nothing completes, and two tags that nobody sends. Prints how often each was asked for. */
static void poll_in_turns(void)
{
	int count[2] = {0, 0}, received[2], index, flag;
	MPI_Request requests[2];

	for (int i = 0; i < 2; i++)
		MPI_Irecv(&received[i], 1, MPI_INT, 0, TAG + i, MPI_COMM_SELF, &requests[i]);
	for (int i = 0; i < 10 * NOTHING; i++)
		count[turn(i)]++;
	for (int i = 0; i < 10 * NOTHING; i++)
		MPI_Test(&requests[turn(i)], &flag, MPI_STATUS_IGNORE);
	for (int i = 0; i < 10 * NOTHING; i++)
		MPI_Iprobe(0, TAG + 2 + turn(i), MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
	for (int i = 0; i < 10 * NOTHING; i++)
		MPI_Testany(1 + turn(i), requests, &index, &flag, MPI_STATUS_IGNORE);
	for (int i = 0; i < 2; i++) {
		MPI_Cancel(&requests[i]);
		MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
		printf("MPI_Test request=%d, %d\n", i + 1, count[i]);
		printf("MPI_Iprobe tag=%d, %d\n", TAG + 2 + i, count[i]);
		printf("MPI_Testany count=%d, %d\n", i + 1, count[i]);
	}
}

static void *poll_in_thread(void *argument)
{
	int *flags = argument, flag;

	for (int i = 0; i < NOTHING; i++) {
		MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
		*flags += flag;
	}
	printf("%d MPI_Iprobe %d 0\n", gettid(), NOTHING);
	return NULL;
}

static int poll_in_threads(void)
{
	pthread_t threads[THREADS];
	int flags[THREADS] = {0};

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, poll_in_thread, &flags[i]))
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return flags[0] + flags[1] + flags[2];
}

static int poll_forever(const char *path)
{
	struct progress *progress = progress_map(path, 1);
	int flag;

	if (!progress)
		return 1;
	atomic_store(&progress->thread, progress_thread((uint32_t)getpid(), (uint32_t)gettid()));
	for (uint64_t i = 0;; i++) {
		MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
		atomic_store_explicit(&progress->done, i + 1, memory_order_release);
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	int provided, status = 0;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	if (!strcmp(mode, "threads"))
		status = provided < MPI_THREAD_MULTIPLE ? 77 : poll_in_threads();
	else if (!strcmp(mode, "forever"))
		status = poll_forever(argv[2]);
	else if (!strcmp(mode, "turns"))
		poll_in_turns();
	else
		count();
	MPI_Finalize();
	return status;
}
