/* SPDX-License-Identifier: MIT */
/*
 * filtered.h - which calls of a program are not looked at: by conditions that are asked for now, or by those that `recorder filter` made the trace with,
 * which says them in its metadata. What follows calls from the first one on, as positions in files and numbers of messages, cannot do so then.
 */
#ifndef RECORDER_ANALYSIS_FILTERED_H
#define RECORDER_ANALYSIS_FILTERED_H

#include <recorder/reader.h>

enum filtered {
	FILTERED_CALLS = 1 << 0, /* by function, level, thread, duration, caller */
	FILTERED_LAYERS = 1 << 1,
	FILTERED_FILES = 1 << 2,
	FILTERED_BEGIN = 1 << 3, /* what was before a time */
};

/* What is left out, as a set of these. */
unsigned filtered_by(const struct reader *trace, const struct reader_filter *filter);

#endif
