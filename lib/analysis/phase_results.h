/* SPDX-License-Identifier: MIT */
/*
 * phase_results.h - epochs with their steps, and in each what every process did.
 */
#ifndef RECORDER_ANALYSIS_PHASE_RESULTS_H
#define RECORDER_ANALYSIS_PHASE_RESULTS_H

#include "analysis/phases.h"

struct phase_results {
	struct analysis_phase *phases;
	struct analysis_phase *processes;
	unsigned *begins; /* where the processes of a phase begin, and behind the last one */
	unsigned count;
};

/* 0 or -ENOMEM; then they are to be released, too. */
int phase_results_make(struct phase_results *results, const struct phases *phases);
void phase_results_release(struct phase_results *results);

#endif
