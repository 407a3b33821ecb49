/* SPDX-License-Identifier: MIT */
/*
 * state_times.h - how long a process was in each of the states of overlap.h, as they come: in all, by bin of time, and by phase.
 */
#ifndef RECORDER_ANALYSIS_STATE_TIMES_H
#define RECORDER_ANALYSIS_STATE_TIMES_H

#include "analysis/overlap.h"
#include "analysis/phases.h"
#include "analysis/series.h"

/* Of one stream that is being read; zeroed but for where times are added to: nothing came yet. */
struct state_times {
	struct series *series;
	struct overlap_row *process;
	struct phase_watch *phase;
	struct overlap_bin bin; /* that is being filled */
	unsigned number;        /* of it */
};

/* The bin in which a sweep may put times together by itself. NULL: it must not, as phases are to see them. */
struct overlap_bin *state_times_bin(struct state_times *times);
/* An overlap_taker of a struct state_times. */
void state_times_take(void *data, unsigned state, int64_t begin, int64_t end);
/* Adds what is in the last bin: no more times come. */
void state_times_end(struct state_times *times);

#endif
