/* SPDX-License-Identifier: MIT */
/*
 * call_results.h - calls by function, by the error with which they failed, and by the place in the program that made them; what took longest or failed most comes first.
 */
#ifndef RECORDER_ANALYSIS_CALL_RESULTS_H
#define RECORDER_ANALYSIS_CALL_RESULTS_H

#include "analysis/results.h"

/* 0 or -ENOMEM. */
int call_results_make(struct results *results, const struct tables *tables);

#endif
