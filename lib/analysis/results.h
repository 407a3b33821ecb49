/* SPDX-License-Identifier: MIT */
/*
 * results.h - the tables in the form in which they are given out: rows in an order of their own, files with what is known when all calls have been seen.
 */
#ifndef RECORDER_ANALYSIS_RESULTS_H
#define RECORDER_ANALYSIS_RESULTS_H

#include "analysis/conflict_results.h"
#include "analysis/phase_results.h"
#include "analysis/tables.h"
#include "analysis/wait_results.h"

struct file_result {
	struct analysis_file file;
	uint32_t uses_begin, uses_end;     /* in results.uses */
	uint32_t shares_begin, shares_end; /* in results.shares */
	enum layer_height height;          /* of the uses that count, HEIGHT_NONE: of all */
};

struct results {
	struct analysis_layer *layers;
	struct analysis_size *sizes; /* by layer and direction, each from `size_begins` on */
	unsigned *size_begins;
	struct analysis_function *functions;
	struct analysis_error *errors;
	struct analysis_rank *ranks;
	struct analysis_overlap (*overlaps)[ANALYSIS_PLACES]; /* by rank */
	struct analysis_overlap *overlap_bins;
	struct analysis_process *processes; /* parents before children */
	unsigned process_count;
	struct analysis_filesystem *filesystems;
	struct analysis_bin *filesystem_bins; /* of each as many as the series have */
	struct analysis_burst *bursts;
	struct analysis_rhythm rhythms[ANALYSIS_DIRECTIONS];
	struct file_result *files;
	struct use_row **uses; /* by file and layer */
	struct analysis_file_rank *shares;
	struct analysis_bin *bins; /* of each layer as many as the series have */
	int64_t *heat;             /* by group, in it by use, in it by bin */
	struct analysis_comm *comms;
	struct analysis_message *messages;
	struct analysis_site *sites;
	unsigned site_count;
	struct wait_results waits;
	struct conflict_results conflicts;
	struct phase_results phases;
	unsigned function_count, error_count, file_count, comm_count, message_count;
	unsigned filesystem_count, burst_count;
};

/* `tables` must outlive the results and change no more. 0 or -ENOMEM; then they are to be released, too. */
int results_make(struct results *results, const struct tables *tables);
void results_release(struct results *results);
/* Times of states as they are given out. */
struct analysis_overlap results_overlap(const int64_t time[OVERLAP_STATES]);

#endif
