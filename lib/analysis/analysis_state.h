/* SPDX-License-Identifier: MIT */
/*
 * analysis_state.h - what an analysis (recorder/analysis.h) consists of: what is known before, the sums of what was read, and what is made of them.
 */
#ifndef RECORDER_ANALYSIS_ANALYSIS_STATE_H
#define RECORDER_ANALYSIS_ANALYSIS_STATE_H

#include <recorder/analysis.h>

#include "analysis/judging.h"
#include "analysis/results.h"

struct analysis {
	struct analysis_options options;
	struct facts facts;
	struct tables tables;
	struct results results; /* none before it has run, nor findings */
	struct judging judging;
};

#endif
