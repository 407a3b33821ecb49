/* SPDX-License-Identifier: MIT */
/*
 * writer.c - threads that write until they are killed, and keep outside of the trace how far each came.
 *
 * writer DATA PROGRESS THREADS: thread t pwrites 8 bytes at offsets 0, 8, 16 ... of DATA.t; PROGRESS holds, for each
 * thread, its tid and the number of calls that have returned, as two 64-bit numbers in a shared mapping.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define THREADS_MAX 64

struct progress {
	_Atomic uint64_t tid;
	_Atomic uint64_t done;
};

static struct progress *progress;
static const char *data;

static void *write_on(void *argument)
{
	uintptr_t number = (uintptr_t)argument;
	char name[4096];
	int fd;

	snprintf(name, sizeof(name), "%s.%u", data, (unsigned)number);
	fd = open(name, O_RDWR | O_CREAT, 0600);
	if (fd < 0)
		exit(2);
	atomic_store(&progress[number].tid, (uint64_t)gettid());
	for (uint64_t i = 0;; i++) {
		if (pwrite(fd, "8 bytes", 8, (off_t)(i % 4096 * 8)) != 8)
			exit(2);
		atomic_store_explicit(&progress[number].done, i + 1, memory_order_release);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned threads = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;
	pthread_t thread;
	int fd;

	if (threads < 1 || threads > THREADS_MAX)
		return 2;
	data = argv[1];
	fd = open(argv[2], O_RDWR | O_CREAT, 0600);
	if (fd < 0 || ftruncate(fd, THREADS_MAX * (off_t)sizeof(struct progress)))
		return 2;
	progress = mmap(NULL, THREADS_MAX * sizeof(struct progress), PROT_READ | PROT_WRITE,
			MAP_SHARED, fd, 0);
	if (progress == MAP_FAILED)
		return 2;
	for (uintptr_t i = 1; i < threads; i++)
		if (pthread_create(&thread, NULL, write_on, (void *)i))
			return 2;
	write_on(NULL);
	return 0;
}
