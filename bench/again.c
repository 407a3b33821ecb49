/* SPDX-License-Identifier: MIT */
/*
 * again.c - programs that do the same again and again: again writes FILE CALLS writes and seeks in turn, one behind the other; again names FILE CALLS opens, looks at
 * and closes one of four files in turn, and asks for it by name; again checkpoints FILE CALLS opens a file, writes it in 10,000 pieces and closes it, again and again. On stdout the CPU time of it, in ns.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "measure.h"

#define FILES 4
#define PIECES 10000
#define PATH_SIZE 256

static int open_file(const char *path)
{
	int file = open(path, O_WRONLY | O_CREAT, 0600);

	if (file < 0)
		die(path);
	return file;
}

static void write_and_seek(const char *path, long calls)
{
	static const char bytes[8];
	int file = open_file(path);

	for (long i = 0; i < calls; i += 2) {
		if (pwrite(file, bytes, sizeof(bytes), 8 * i) < 0)
			die("pwrite");
		lseek(file, 16 * i, SEEK_SET);
	}
	close(file);
}

static void look_at_files(const char *path, long calls)
{
	char names[FILES][PATH_SIZE];
	struct stat status;

	for (int i = 0; i < FILES; i++)
		snprintf(names[i], PATH_SIZE, "%.200s.%d", path, i);
	for (long i = 0; i < calls; i += 4) {
		const char *name = names[i / 4 % FILES];
		int file = open_file(name);

		if (fstat(file, &status) || close(file) || access(name, W_OK))
			die(name);
	}
}

static void write_checkpoints(const char *path, long calls)
{
	static const char bytes[8];

	for (long i = 0; i < calls; i += PIECES + 2) {
		int file = open_file(path);

		for (long k = 0; k < PIECES; k++)
			if (pwrite(file, bytes, sizeof(bytes), 8 * k) < 0)
				die("pwrite");
		close(file);
	}
}

int main(int argc, char **argv)
{
	long calls = argc == 4 ? strtol(argv[3], NULL, 10) : -1;
	int64_t begin;

	if (calls < 0)
		return 2;
	begin = cpu_now();
	if (!strcmp(argv[1], "writes"))
		write_and_seek(argv[2], calls);
	else if (!strcmp(argv[1], "names"))
		look_at_files(argv[2], calls);
	else if (!strcmp(argv[1], "checkpoints"))
		write_checkpoints(argv[2], calls);
	else
		return 2;
	report("cpu", (double)(cpu_now() - begin));
	return 0;
}
