/* SPDX-License-Identifier: MIT */
/*
 * start.c - CPU time of starting and ending a program that does nothing, without and with the recorder.
 *
 * start RUNS PRELOAD PROGRAM: runs PROGRAM in turns with and without LD_PRELOAD=PRELOAD; the rest of the environment, which
 * tells the recorder what it needs, is the same.
 */
#include <errno.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"

/* CPU time of one run, in microseconds. */
static double run_once(char *program, char **environment)
{
	char *argv[] = {program, NULL};
	pid_t pid;

	errno = posix_spawn(&pid, program, NULL, NULL, argv, environment);
	if (errno)
		die(program);
	return child_time(pid);
}

/* The environment, with one variable more. */
static char **environment_with(char **environment, char *variable)
{
	size_t count = 0;
	char **copy;

	while (environment[count])
		count++;
	copy = allocate((count + 2) * sizeof(*copy));
	for (size_t i = 0; i < count; i++)
		copy[i] = environment[i];
	copy[count] = variable;
	return copy;
}

int main(int argc, char **argv, char **environment)
{
	unsigned runs = argc == 4 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
	double *bare, *traced;
	char preload[4096];
	char **with;

	if (!runs)
		return 2;
	snprintf(preload, sizeof(preload), "LD_PRELOAD=%s", argv[2]);
	with = environment_with(environment, preload);
	bare = allocate(runs * sizeof(*bare));
	traced = allocate(runs * sizeof(*traced));
	for (unsigned i = 0; i < runs; i++) {
		bare[i] = run_once(argv[3], environment);
		traced[i] = run_once(argv[3], with);
	}
	report("bare", median(bare, runs));
	report("traced", median(traced, runs));
	free(with);
	free(bare);
	free(traced);
	return 0;
}
