/* SPDX-License-Identifier: MIT */
/*
 * progress.h - what writing threads keep outside of the trace: who they are and how far they came.
 *
 * A file that all of them map, one entry a thread: it tells after a kill which writes had returned.
 */
#ifndef RECORDER_TEST_PROGRESS_H
#define RECORDER_TEST_PROGRESS_H

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define WRITE_SIZE 8
#define WRITE_PLACES 4096 /* offsets go round */

struct progress {
	_Atomic uint64_t thread; /* pid << 32 | tid, 0: it did not begin */
	_Atomic uint64_t done;   /* writes that have returned */
};

static inline uint64_t progress_thread(uint32_t pid, uint32_t tid)
{
	return (uint64_t)pid << 32 | tid;
}

static inline off_t progress_offset(uint64_t number)
{
	return (off_t)(number % WRITE_PLACES * WRITE_SIZE);
}

/* Maps a file of `count` entries, new or there already; NULL: it cannot be done. */
static inline struct progress *progress_map(const char *path, size_t count)
{
	int fd = open(path, O_RDWR | O_CREAT, 0600);
	void *map;

	if (fd < 0 || ftruncate(fd, (off_t)(count * sizeof(struct progress))))
		return NULL;
	map = mmap(NULL, count * sizeof(struct progress), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		   0);
	close(fd);
	return map == MAP_FAILED ? NULL : map;
}

/* Runs so many threads of `work`, which never ends, each with its number; the calling one is number 0. Returns if they cannot be made. */
static inline void progress_run(unsigned threads, void *(*work)(void *number))
{
	pthread_t thread;

	for (uintptr_t i = 1; i < threads; i++)
		if (pthread_create(&thread, NULL, work, (void *)i))
			return;
	work(NULL);
}

/* Writes to the file `name` until it is killed. */
static inline void progress_write(const char *name, struct progress *entry)
{
	int fd = open(name, O_RDWR | O_CREAT, 0600);

	if (fd < 0)
		exit(2);
	atomic_store(&entry->thread, progress_thread((uint32_t)getpid(), (uint32_t)gettid()));
	for (uint64_t i = 0;; i++) {
		if (pwrite(fd, "8 bytes", WRITE_SIZE, progress_offset(i)) != WRITE_SIZE)
			exit(2);
		atomic_store_explicit(&entry->done, i + 1, memory_order_release);
	}
}

#endif
