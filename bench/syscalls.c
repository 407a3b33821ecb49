/* SPDX-License-Identifier: MIT */
/*
 * syscalls.c - what system calls take, for who has them recorded from outside (recorder system), and beside such.
 *
 * syscalls cost FILE: CPU time of a small pwrite(2), median of slices; and when main() began, on CLOCK_MONOTONIC.
 * syscalls function FILE: CPU time of a call of be_called(), median of slices.
 * syscalls flood FILE CALLS: as many pwrites in each of two processes at once; how many were made in a second.
 * syscalls cheap FILE CALLS: the same of getppid(2), the least that a system call can do.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"
#include "record/opaque.h"

#define FLOODING 2

static const struct plan plan = {501, 1, 1000};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void run_pwrite(void *data, unsigned calls)
{
	int fd = *(int *)data;

	while (calls-- > 0)
		if (pwrite(fd, "12345678", 8, 0) != 8)
			die("pwrite");
}

static void run_getppid(void *data, unsigned calls)
{
	(void)data;
	while (calls-- > 0)
		if (syscall(SYS_getppid) < 0)
			die("getppid");
}

static void cost(int fd, double begun)
{
	struct variant variant = {run_pwrite, &fd, 0, 0};

	measure(&variant, 1, &plan);
	report("begun", begun);
	report("call", variant.ns);
}

/* What recorder system -t be_called looks at. */
static OPAQUE int be_called(int number)
{
	return number + 1;
}

static void run_function(void *data, unsigned calls)
{
	int *number = data;

	while (calls-- > 0)
		*number = be_called(*number);
}

static void cost_of_function(void)
{
	static const struct plan few = {101, 1, 50};
	int number = 0;
	struct variant variant = {run_function, &number, 0, 0};

	measure(&variant, 1, &few);
	report("function", variant.ns);
}

static void flood(void (*run)(void *data, unsigned calls), int fd, unsigned calls)
{
	double begin = now();
	pid_t children[FLOODING];
	int status;

	for (int i = 0; i < FLOODING; i++) {
		children[i] = fork();
		if (children[i] == -1)
			die("fork");
		if (children[i] == 0) {
			run(&fd, calls);
			_exit(0);
		}
	}
	for (int i = 0; i < FLOODING; i++)
		if (waitpid(children[i], &status, 0) == -1 || status != 0)
			die("a child");
	report("rate", (double)calls * FLOODING / (now() - begin));
}

int main(int argc, char **argv)
{
	double begun = now();
	int fd;

	if (argc < 3)
		return 2;
	fd = open(argv[2], O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd == -1)
		die(argv[2]);
	if (!strcmp(argv[1], "cost"))
		cost(fd, begun);
	else if (!strcmp(argv[1], "function"))
		cost_of_function();
	else if (argc == 4)
		flood(!strcmp(argv[1], "cheap") ? run_getppid : run_pwrite, fd,
		      (unsigned)strtoul(argv[3], NULL, 10));
	close(fd);
	unlink(argv[2]);
	return 0;
}
