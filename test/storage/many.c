/* SPDX-License-Identifier: MIT */
/*
 * many.c - threads that write, and hold what they have until all are done.
 *
 * many DIR THREADS WRITES [MEGABYTES]: that many 8-byte writes in each thread, and meanwhile a file of that many MiB in DIR, which
 * must find its space. Prints how many of the threads' writes were good; exit 1 if any was not.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *dir;
static uint64_t writes;
static _Atomic uint64_t good;
static pthread_barrier_t begin, end;

static void *write_file(void *argument)
{
	uint64_t number = (uintptr_t)argument, state = number;
	char name[4096];
	int fd;

	snprintf(name, sizeof(name), "%s/of.%u", dir, (unsigned)number);
	fd = open(name, O_CREAT | O_RDWR, 0600);
	pthread_barrier_wait(&begin);
	for (uint64_t i = 0; i < writes; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		good += pwrite(fd, &i, 8, (off_t)(state >> 54)) == 8;
	}
	pthread_barrier_wait(&end);
	close(fd);
	return NULL;
}

static int fill(unsigned megabytes)
{
	static char block[1 << 20];
	char name[4096];
	int fd, bad = 0;

	snprintf(name, sizeof(name), "%s/large", dir);
	fd = open(name, O_CREAT | O_WRONLY, 0600);
	for (unsigned i = 0; i < megabytes; i++)
		bad |= write(fd, block, sizeof(block)) != sizeof(block);
	close(fd);
	return bad;
}

int main(int argc, char **argv)
{
	unsigned threads = argc > 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
	pthread_t *all = calloc(threads + 1, sizeof(*all));
	int bad;

	if (!threads || !all)
		return 2;
	dir = argv[1];
	writes = strtoull(argv[3], NULL, 10);
	pthread_barrier_init(&begin, NULL, threads + 1);
	pthread_barrier_init(&end, NULL, threads + 1);
	for (uintptr_t i = 0; i < threads; i++)
		if (pthread_create(&all[i], NULL, write_file, (void *)i))
			return 2;
	pthread_barrier_wait(&begin);
	bad = fill(argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 0);
	pthread_barrier_wait(&end);
	for (unsigned i = 0; i < threads; i++)
		pthread_join(all[i], NULL);
	printf("%u\n", (unsigned)good);
	return bad || good != threads * writes;
}
