/* SPDX-License-Identifier: MIT */
/* sumvalues.h - what a record of kind `sum` says, doc/format.md section 4: calls of one function and file in one interval. */
#ifndef RECORDER_ANALYSIS_SUMVALUES_H
#define RECORDER_ANALYSIS_SUMVALUES_H

#include <stdbool.h>
#include <stdint.h>

#include <recorder/reader.h>

struct sum_values {
	int64_t begin, interval; /* ns since the trace's start; ns */
	int64_t count, time;     /* calls; ns in them */
	int64_t bytes;           /* if has_bytes */
	int64_t queue;           /* ns of `time` in the queue of a disk, if has_queue */
	bool has_bytes, has_queue;
};

bool sum_is(const struct reader_function_info *function);
/* Whether it is one, and the trace has not the calls as well that it has sums of. */
bool sum_is_alone(const struct reader *trace, const struct reader_function_info *function);
/* What a record lacks, or has of another class, is 0. */
struct sum_values sum_values_of(const struct reader *trace, const struct recorder_record *record);

#endif
