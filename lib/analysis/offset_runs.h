/* SPDX-License-Identifier: MIT */
/*
 * offset_runs.h - transfers that go on where the one before ended, as one, before they count in the grids of offsets.h.
 *
 * Files are mostly read and written from begin to end. As long as that goes on in one column of time the grids get one transfer of all these bytes, which
 * adds to their cells what the parts of it would have added.
 */
#ifndef RECORDER_ANALYSIS_OFFSET_RUNS_H
#define RECORDER_ANALYSIS_OFFSET_RUNS_H

#include "analysis/offsets.h"

#define OFFSET_RUNS 8u /* of uses and directions in turns; a power of two */

struct offset_run {
	uint32_t use;
	int64_t column;                  /* where the column of time begins that it lies in */
	struct offset_transfer transfer; /* bytes 0: none */
};

/* Zeroed: none. */
struct offset_runs {
	struct offset_run list[OFFSET_RUNS];
	int64_t begin, end; /* of the column of the call that came last; equal: none */
};

/* 0 or -ENOMEM. */
int offset_runs_take(struct offset_runs *runs, struct offset_grids *grids,
		     const struct facts *facts, uint32_t use,
		     const struct offset_transfer *transfer);
/* Counts what has come together. 0 or -ENOMEM. */
int offset_runs_end(struct offset_runs *runs, struct offset_grids *grids,
		    const struct facts *facts);

#endif
