/* SPDX-License-Identifier: MIT */
/*
 * known.c - does a known number of things with files in the working directory: known THREADS. What it does check_summary.py knows.
 *
 *	data      created; 10 pwrite of 4,096 bytes, 1 of 200,000, 5 pread of 100, fsync, 2 stat
 *	lines     fwrite of 1,000 bytes, 3 fread of 300 (the last one gives 100: 700 read), in stdio
 *	none      3 open that fail, and 2 access
 *	of.N      by thread N alone: 4 write of 64 bytes
 *	child     by a child process: 2 write of 500 bytes
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MUST(condition)                                                                            \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			perror(#condition);                                                        \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

static char block[200000];

static void with_data(void)
{
	int fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0644);
	struct stat status;

	MUST(fd >= 0);
	for (int i = 0; i < 10; i++)
		MUST(pwrite(fd, block, 4096, (off_t)i * 4096) == 4096);
	MUST(pwrite(fd, block, 200000, 10 * 4096) == 200000);
	for (int i = 0; i < 5; i++)
		MUST(pread(fd, block, 100, (off_t)i * 10000) == 100);
	MUST(fsync(fd) == 0);
	MUST(close(fd) == 0);
	MUST(stat("data", &status) == 0 && status.st_size == 10 * 4096 + 200000);
	MUST(stat("data", &status) == 0);
}

static void with_lines(void)
{
	FILE *file = fopen("lines", "w+");

	MUST(file);
	MUST(fwrite(block, 1, 1000, file) == 1000);
	MUST(fseek(file, 300, SEEK_SET) == 0);
	MUST(fread(block, 1, 300, file) == 300);
	MUST(fread(block, 1, 300, file) == 300);
	MUST(fread(block, 1, 300, file) == 100);
	MUST(fclose(file) == 0);
}

static void with_none(void)
{
	for (int i = 0; i < 3; i++)
		MUST(open("none", O_RDONLY) == -1 && errno == ENOENT);
	for (int i = 0; i < 2; i++)
		MUST(access("none", R_OK) == -1 && errno == ENOENT);
}

static void write_some(const char *path, unsigned times, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	MUST(fd >= 0);
	while (times-- > 0)
		MUST(write(fd, block, size) == (ssize_t)size);
	MUST(close(fd) == 0);
}

static void *with_own(void *name)
{
	write_some(name, 4, 64);
	return NULL;
}

static void by_threads(unsigned count)
{
	pthread_t threads[16];
	char names[16][16];

	for (unsigned i = 0; i < count; i++) {
		snprintf(names[i], sizeof(names[i]), "of.%u", i);
		MUST(pthread_create(&threads[i], NULL, with_own, names[i]) == 0);
	}
	for (unsigned i = 0; i < count; i++)
		MUST(pthread_join(threads[i], NULL) == 0);
}

static void by_child(void)
{
	pid_t child = fork();
	int status;

	MUST(child >= 0);
	if (child == 0) {
		write_some("child", 2, 500);
		exit(0);
	}
	MUST(waitpid(child, &status, 0) == child && status == 0);
}

int main(int argc, char **argv)
{
	with_data();
	with_lines();
	with_none();
	by_threads(argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) % 16 : 0);
	by_child();
	return 0;
}
