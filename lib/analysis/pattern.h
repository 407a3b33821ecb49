/* SPDX-License-Identifier: MIT */
/*
 * pattern.h - how the transfers of a process on a file follow each other.
 */
#ifndef RECORDER_ANALYSIS_PATTERN_H
#define RECORDER_ANALYSIS_PATTERN_H

#include <stdbool.h>

#include <recorder/analysis.h>

/* The transfer before. Zeroed: there was none. */
struct pattern_track {
	int64_t begin, end, distance; /* distance: of its begin from the one before it; 0 none */
	bool there;
	bool opened; /* the file, since then */
};

/* A transfer of `calls` calls in a row that moved `bytes` together, from `begin`; POSITION_UNKNOWN. `block`: what they should be aligned to. */
void pattern_take(struct analysis_pattern *pattern, struct pattern_track *track, int64_t begin,
		  int64_t bytes, uint32_t calls, uint32_t block);
void pattern_add(struct analysis_pattern *into, const struct analysis_pattern *from);

#endif
