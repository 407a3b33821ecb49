/* SPDX-License-Identifier: MIT */
/*
 * many.c - programs that have many of something at once.
 *
 * many mappings COUNT FILE: maps a file COUNT times, and reports as "pair" what one more mmap and its munmap take then, in ns of CPU time.
 * many threads COUNT FILE: makes COUNT threads, one after the other, each of which opens the file.
 * many files COUNT FILE: writes and reads a block of each of COUNT files, FILE with a number behind it, and removes it.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "measure.h"

#define PAGE 4096
#define PAIRS 2000

/* Mappings of the same rights would become one. */
static void *map(int fd, unsigned number)
{
	void *page = mmap(NULL, PAGE, number % 2 ? PROT_READ : PROT_NONE, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED)
		die("mmap");
	return page;
}

static void map_many(unsigned count, const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT, 0600);
	int64_t begin;

	if (fd < 0 || ftruncate(fd, PAGE))
		die(path);
	for (unsigned i = 0; i < count; i++)
		map(fd, i);
	begin = cpu_now();
	for (unsigned i = 0; i < PAIRS; i++)
		munmap(map(fd, i), PAGE);
	report("pair", (double)(cpu_now() - begin) / PAIRS);
}

static void *open_file(void *path)
{
	close(open(path, O_RDWR | O_CREAT, 0600));
	return NULL;
}

static void start_many(unsigned count, char *path)
{
	pthread_t thread;

	for (unsigned i = 0; i < count; i++)
		if (pthread_create(&thread, NULL, open_file, path) || pthread_join(thread, NULL))
			die("a thread");
}

static void use_many(unsigned count, const char *path)
{
	char name[4096], block[PAGE] = "";

	for (unsigned i = 0; i < count; i++) {
		int fd;

		snprintf(name, sizeof(name), "%s%u", path, i);
		fd = open(name, O_RDWR | O_CREAT, 0600);
		if (fd < 0 || pwrite(fd, block, PAGE, 0) != PAGE ||
		    pread(fd, block, PAGE, 0) != PAGE)
			die(name);
		close(fd);
		unlink(name);
	}
}

int main(int argc, char **argv)
{
	unsigned count;

	if (argc != 4)
		return 2;
	count = (unsigned)strtoul(argv[2], NULL, 10);
	if (!strcmp(argv[1], "mappings"))
		map_many(count, argv[3]);
	else if (!strcmp(argv[1], "threads"))
		start_many(count, argv[3]);
	else if (!strcmp(argv[1], "files"))
		use_many(count, argv[3]);
	else
		return 2;
	return 0;
}
