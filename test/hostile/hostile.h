/* SPDX-License-Identifier: MIT */
/*
 * hostile.h - what the hostile programs have in common. Their stdout is to be the same with and without the recorder; on
 * stderr they tell how many calls of pwrite they made, all of which are to be in the trace or counted as lost.
 */
#ifndef RECORDER_TEST_HOSTILE_H
#define RECORDER_TEST_HOSTILE_H

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REPORT 2 /* the descriptor that is left for the report */

static _Atomic unsigned long calls;

static inline void put(int fd, off_t offset)
{
	calls++;
	(void)!pwrite(fd, "x", 1, offset);
}

static inline void puts_many(int fd, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		put(fd, i);
}

/* With write(2) alone: stdio may be gone. */
static inline void report(int fd)
{
	char text[64];
	int length = snprintf(text, sizeof(text), "calls %lu\n", calls);

	if (write(fd, text, (size_t)length) != length)
		_exit(9);
}

struct hostile_case {
	const char *name;
	int (*run)(void);
};

static inline int run_case(const struct hostile_case *cases, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(cases[i].name, name))
			return cases[i].run();
	fprintf(stderr, "no case %s\n", name);
	return 2;
}

#define RUN_CASE(cases, name) run_case(cases, sizeof(cases) / sizeof((cases)[0]), name)

#endif
