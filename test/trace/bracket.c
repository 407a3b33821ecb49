/* SPDX-License-Identifier: MIT */
/*
 * bracket [PAUSE]: two threads read CLOCK_MONOTONIC before and after each of their calls, and tell
 * "tid before after" in ns; in the middle they sleep PAUSE seconds. Each [tstart, tend] of the
 * trace must lie inside.
 */
#include "expect.h"

#include <pthread.h>
#include <time.h>

#define THREADS 2
#define CALLS 400

struct bracket {
	long long before, after;
};

static unsigned pause_seconds;
static struct bracket brackets[THREADS][CALLS];
static int tids[THREADS];

static long long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void rest(unsigned seconds, long ns)
{
	struct timespec time = {seconds, ns};

	nanosleep(&time, NULL);
}

static void *work(void *argument)
{
	long thread = (long)argument;
	char byte = 'x';
	int fd = creat(thread ? "one" : "two", 0600);

	tids[thread] = (int)syscall(SYS_gettid);
	for (int i = 0; i < CALLS; i++) {
		struct bracket *bracket = &brackets[thread][i];

		if (i == CALLS / 2)
			rest(pause_seconds, 1000);
		if (i % 16 == 0)
			rest(0, 1000000);
		bracket->before = now();
		if (pwrite(fd, &byte, 1, i) != 1)
			abort();
		bracket->after = now();
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	pause_seconds = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, (void *)i))
			abort();
	for (long i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < THREADS; i++)
		for (int k = 0; k < CALLS; k++)
			expect("%d %lld %lld", tids[i], brackets[i][k].before,
			       brackets[i][k].after);
	return expect_end();
}
