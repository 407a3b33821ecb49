/* SPDX-License-Identifier: MIT */
/*
 * forks.c - CPU time of a forked child that makes four calls, in a process with many libraries, as programs of Python are.
 *
 * forks LIBRARY COPIES FORKS: loads so many copies of LIBRARY, which it makes in the working directory. Reports the median of the children.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "measure.h"

static char *read_whole(const char *path, size_t *size)
{
	int file = open(path, O_RDONLY);
	struct stat status;
	char *bytes;

	if (file < 0 || fstat(file, &status))
		die(path);
	*size = (size_t)status.st_size;
	bytes = allocate(*size);
	if (read(file, bytes, *size) != (ssize_t)*size)
		die(path);
	close(file);
	return bytes;
}

static void load_copy(const char *bytes, size_t size, unsigned number)
{
	char path[64];
	int file;

	snprintf(path, sizeof(path), "./copy.%u.so", number);
	file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0700);
	if (file < 0 || write(file, bytes, size) != (ssize_t)size || close(file))
		die(path);
	if (!dlopen(path, RTLD_NOW | RTLD_LOCAL))
		die(path);
}

static void work(void)
{
	char bytes[64];
	int file = open("/dev/null", O_RDWR);

	if (file < 0 || write(file, bytes, 0) || read(file, bytes, sizeof(bytes)))
		_exit(1);
	close(file);
	_exit(0);
}

/* Of one child, in microseconds. */
static double fork_once(void)
{
	pid_t pid = fork();

	if (pid == 0)
		work();
	if (pid < 0)
		die("fork");
	return child_time(pid);
}

int main(int argc, char **argv)
{
	unsigned copies = argc == 4 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
	unsigned forks = argc == 4 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;
	double *children;
	size_t size;
	char *bytes;

	if (!forks)
		return 2;
	bytes = read_whole(argv[1], &size);
	for (unsigned i = 0; i < copies; i++)
		load_copy(bytes, size, i);
	free(bytes);
	children = allocate(forks * sizeof(*children));
	for (unsigned i = 0; i < forks; i++)
		children[i] = fork_once();
	report("child", median(children, forks));
	free(children);
	return 0;
}
