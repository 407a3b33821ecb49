/* SPDX-License-Identifier: MIT */
/*
 * loop.c - the loop that other tracers are measured by: loop FILE CALLS makes CALLS small writes, one behind the other; loop FILE CALLS
 * FILES opens and closes one of so many files in turn, CALLS times. On stdout the CPU time of it, in ns.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "measure.h"

#define PATH_SIZE 256

static int open_file(const char *path)
{
	int file = open(path, O_WRONLY | O_CREAT, 0600);

	if (file < 0)
		die(path);
	return file;
}

static void write_often(const char *path, long calls)
{
	static const char bytes[8];
	int file = open_file(path);

	for (long i = 0; i < calls; i++)
		if (pwrite(file, bytes, sizeof(bytes), i % 4096 * 8) < 0)
			die("pwrite");
	close(file);
}

static void open_often(const char *path, long calls, long files)
{
	char name[PATH_SIZE];

	for (long i = 0; i < calls; i++) {
		snprintf(name, sizeof(name), "%.200s.%ld", path, i % files);
		close(open_file(name));
	}
}

int main(int argc, char **argv)
{
	long calls = argc >= 3 ? strtol(argv[2], NULL, 10) : -1;
	long files = argc == 4 ? strtol(argv[3], NULL, 10) : 0;
	int64_t begin;

	if (calls < 0 || files < 0 || argc > 4)
		return 2;
	begin = cpu_now();
	if (files)
		open_often(argv[1], calls, files);
	else
		write_often(argv[1], calls);
	report("cpu", (double)(cpu_now() - begin));
	return 0;
}
