/* SPDX-License-Identifier: MIT */
/*
 * patience.h - waiting for another thread that is about to be done, for a second or so in all: first by giving it the processor, then by
 * sleeping, as on a busy machine it may not run for a while.
 */
#ifndef RECORDER_RECORD_PATIENCE_H
#define RECORDER_RECORD_PATIENCE_H

#include <stdbool.h>
#include <time.h>

#include "record/sys.h"

#define PATIENCE_YIELDS 1000
#define PATIENCE_SLEEPS 1000 /* of a millisecond */

/* Zeroed memory is new patience. */
struct patience {
	unsigned waits;
};

/* Waits once. False: it has been long enough. */
static inline bool patience_wait(struct patience *patience)
{
	static const struct timespec millisecond = {0, 1000000};

	if (patience->waits++ < PATIENCE_YIELDS)
		sys_sched_yield();
	else
		sys_nanosleep(&millisecond);
	return patience->waits < PATIENCE_YIELDS + PATIENCE_SLEEPS;
}

#endif
