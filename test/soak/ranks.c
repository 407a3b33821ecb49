/* SPDX-License-Identifier: MIT */
/*
 * ranks.c - ranks that live long, and what they start and kill.
 *
 *	ranks children DATA PROGRESS COUNT   each rank forks COUNT processes, one after the other, that write with four
 *	                                     threads until it kills them, 1 to 40 ms after their first write; one in 16 maybe before it
 *	ranks self DATA PROGRESS 1           each rank writes with four threads until the last one kills itself
 *
 * PROGRESS has 4 entries a writing process, in the order of ranks and children (test/crash/progress.h).
 */
#include "../crash/progress.h"

#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#define THREADS 4

static const char *data;
static struct progress *entries; /* of the process that writes */
static int rank, size;

static void *write_on(void *argument)
{
	uintptr_t number = (uintptr_t)argument;
	char name[4096];

	snprintf(name, sizeof(name), "%s.%d.%u", data, rank, (unsigned)number);
	progress_write(name, &entries[number]);
	return NULL;
}

static void start_threads(uintptr_t first)
{
	pthread_t thread;

	for (uintptr_t i = first; i < THREADS; i++)
		if (pthread_create(&thread, NULL, write_on, (void *)i))
			exit(2);
}

static void pause_randomly(unsigned *seed)
{
	struct timespec time = {0, 1000000 + rand_r(seed) % 39000000};

	nanosleep(&time, NULL);
}

/* Until a thread has written, for two seconds: on a busy machine that takes longer than the pause. */
static void await_write(struct progress *own)
{
	struct timespec time = {0, 1000000};
	uint64_t done = 0;

	for (unsigned tries = 0; !done && tries < 2000; tries++) {
		for (unsigned i = 0; i < THREADS; i++)
			done += atomic_load(&own[i].done);
		nanosleep(&time, NULL);
	}
}

static void one_child(struct progress *own, unsigned *seed)
{
	pid_t child = fork();

	if (child < 0)
		exit(2);
	if (child == 0) {
		entries = own;
		start_threads(1);
		write_on(NULL);
	}
	if (rand_r(seed) % 16 > 0)
		await_write(own);
	pause_randomly(seed);
	kill(child, SIGKILL);
	if (waitpid(child, NULL, 0) != child)
		exit(2);
}

int main(int argc, char **argv)
{
	size_t count = argc > 4 ? strtoul(argv[4], NULL, 10) : 0;
	struct progress *progress;
	unsigned seed;

	if (count == 0)
		return 2;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	seed = (unsigned)(time(NULL) * 16 + rank);
	data = argv[2];
	progress = progress_map(argv[3], (size_t)size * count * THREADS);
	if (!progress)
		return 2;
	progress += (size_t)rank * count * THREADS;
	MPI_Barrier(MPI_COMM_WORLD);
	if (!strcmp(argv[1], "children")) {
		for (size_t i = 0; i < count; i++)
			one_child(progress + i * THREADS, &seed);
	} else {
		entries = progress;
		start_threads(0);
		pause_randomly(&seed);
		pause_randomly(&seed);
		if (rank == size - 1)
			raise(SIGKILL);
		pause();
	}
	MPI_Finalize();
	return 0;
}
