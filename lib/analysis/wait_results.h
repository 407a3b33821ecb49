/* SPDX-License-Identifier: MIT */
/*
 * wait_results.h - halves that have found each other, and who waited for whom.
 */
#ifndef RECORDER_ANALYSIS_WAIT_RESULTS_H
#define RECORDER_ANALYSIS_WAIT_RESULTS_H

#include "analysis/tables.h"

struct wait_results {
	struct analysis_matching matching;
	struct analysis_comm_wait *comms;
	struct analysis_rank_wait *ranks; /* all of them */
	struct analysis_wait_pair *pairs;
	unsigned comm_count, pair_count;
};

/* 0 or -ENOMEM; then they are to be released, too. */
int wait_results_make(struct wait_results *results, const struct tables *tables);
void wait_results_release(struct wait_results *results);

#endif
