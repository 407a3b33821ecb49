/* SPDX-License-Identifier: MIT */
/*
 * threads N [PACE]: four threads make N calls each. Thread t writes (nothing, to be quick) to its
 * own file at offset i in its i-th call; it rests a millisecond after each PACE calls. The program
 * tells the thread ids: "t tid".
 */
#include "expect.h"

#include <pthread.h>
#include <time.h>

#define THREADS 4

static long count, pace;
static int tids[THREADS];

static void *work(void *argument)
{
	long thread = (long)argument;
	char name[16], byte = 'x';
	int fd;

	tids[thread] = (int)syscall(SYS_gettid);
	snprintf(name, sizeof(name), "file%ld", thread);
	fd = creat(name, 0600);
	for (long i = 0; i < count; i++) {
		if (pwrite(fd, &byte, 0, i) != 0)
			abort();
		if (pace && i % pace == 0)
			nanosleep(&(struct timespec){0, 1000000}, NULL);
	}
	close(fd);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	count = argc > 1 ? atol(argv[1]) : 1000;
	pace = argc > 2 ? atol(argv[2]) : 0;
	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, (void *)i))
			abort();
	for (long i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < THREADS; i++)
		expect("%d %d", i, tids[i]);
	return expect_end();
}
