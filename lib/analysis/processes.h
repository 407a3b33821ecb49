/* SPDX-License-Identifier: MIT */
/*
 * processes.h - the tree of processes: who started whom, by fork or by executing another program, and what each did.
 */
#ifndef RECORDER_ANALYSIS_PROCESSES_H
#define RECORDER_ANALYSIS_PROCESSES_H

#include "analysis/results.h"

/* 0 or -ENOMEM. */
int processes_make(struct results *results, const struct tables *tables);

#endif
