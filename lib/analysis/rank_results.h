/* SPDX-License-Identifier: MIT */
/*
 * rank_results.h - what each rank did, how long it ran, and what it did at the same time (overlap.h).
 */
#ifndef RECORDER_ANALYSIS_RANK_RESULTS_H
#define RECORDER_ANALYSIS_RANK_RESULTS_H

#include "analysis/results.h"

/* Behind the files, whose bytes are those of ranks, and in front of the bursts, which look at the bins. 0 or -ENOMEM. */
int rank_results_make(struct results *results, const struct tables *tables);

#endif
