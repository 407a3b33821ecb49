/* SPDX-License-Identifier: MIT */
/*
 * file_results.h - the files of an analysis, each with the layers and the ranks that worked on it.
 *
 * A transfer by MPI-IO shows again as calls of posix below it: what a file's bytes are is what the lowest layer says that moved any.
 */
#ifndef RECORDER_ANALYSIS_FILE_RESULTS_H
#define RECORDER_ANALYSIS_FILE_RESULTS_H

#include "analysis/results.h"

/* Whether a use is at the height that counts of its file. */
bool file_results_count(const struct tables *tables, const struct use_row *use,
			enum layer_height height);
/* 0 or -ENOMEM. */
int file_results_make(struct results *results, const struct tables *tables);

#endif
