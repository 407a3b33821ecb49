/* SPDX-License-Identifier: MIT */
/*
 * overhead.h - what recording takes of the program's CPU time: an estimate that stands in the LM.
 *
 * What is rare and dear is timed where it is done: starting, opening the stream and rings, sealing (by the CPU clock of the thread: other
 * programs may come between), defining files (by stamps: that clock would be too dear). What a call takes is not, for timing it would cost
 * as much again: it is the number of records by what one takes in a loop of nothing, which is measured at the end, or OVERHEAD_TIMES of it. Calls that were only
 * counted (counted.h) take one OVERHEAD_COUNTED-th of that. Not in it: loading the library, calls that are filtered out, and what the end itself takes.
 */
#ifndef RECORDER_RECORD_OVERHEAD_H
#define RECORDER_RECORD_OVERHEAD_H

#include <stdint.h>

#include "record/clock.h"

/* Where what is recorded is a system call or as long the caches are the kernel's, and a record takes twice what it takes in a loop of nothing. Of calls that come faster, as polls
 * do, it takes once that. */
#define OVERHEAD_TIMES 2u
#define OVERHEAD_DENSE 250u /* ns from one to the next */
#define OVERHEAD_COUNTED 10u

/* CPU time of this thread, ns, around what takes long; none of it inside of another. */
int64_t overhead_begin(void);
void overhead_end(int64_t begin);
/* What was done between two stamps, which takes microseconds: where it seems to take much longer, something else was done as well. */
void overhead_between(uint64_t start, uint64_t end);
/* So many records of one thread, which made them within `span` ticks. */
void overhead_records(uint32_t count, uint64_t span);

/* ns until now. */
uint64_t overhead_estimate(const struct anchor *now);

/* A child has nothing of its parent's. */
void overhead_forked(void);

#endif
