/* SPDX-License-Identifier: MIT */
/*
 * conflict_results.h - touches of several ranks that overlap, and what consistency models say of them.
 *
 * Work is bounded: after CONFLICT_STEPS comparisons, or CONFLICT_HITS conflicts, what is left of a trace is not compared, and its files are not `exact`.
 */
#ifndef RECORDER_ANALYSIS_CONFLICT_RESULTS_H
#define RECORDER_ANALYSIS_CONFLICT_RESULTS_H

#include "analysis/tables.h"

#define CONFLICT_STEPS (1u << 26)
#define CONFLICT_HITS (1u << 20)

struct conflict_results {
	struct analysis_rank_conflict *pairs;
	struct analysis_shared_file *files;
	uint32_t pair_count, pair_room, file_count, file_room;
};

/* 0 or -ENOMEM; then they are to be released, too. */
int conflict_results_make(struct conflict_results *results, const struct tables *tables);
void conflict_results_release(struct conflict_results *results);

#endif
