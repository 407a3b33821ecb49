/* SPDX-License-Identifier: MIT */
/*
 * offset_results.h - offset by time and offset by rank of a file: what the grids of its uses that count have together.
 */
#ifndef RECORDER_ANALYSIS_OFFSET_RESULTS_H
#define RECORDER_ANALYSIS_OFFSET_RESULTS_H

#include "analysis/results.h"

/* 0 or -ENOMEM; grid->cells is to be freed. */
int offset_results_make(struct analysis_grid *grid, const struct tables *tables,
			const struct results *results, const struct file_result *file,
			enum analysis_axis axis);

#endif
