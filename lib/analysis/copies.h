/* SPDX-License-Identifier: MIT */
/*
 * copies.h - calls that read one file and write another (ANALYSIS_COPY): which one is which, and where in them. They count as a read of the first and a write of the
 * second.
 */
#ifndef RECORDER_ANALYSIS_COPIES_H
#define RECORDER_ANALYSIS_COPIES_H

#include <stdbool.h>

#include <recorder/analysis.h>

/* Arguments of a function by number; COPY_NO_ARG: there is none. */
struct copy_facts {
	unsigned from, from_offset, to, to_offset;
};

#define COPY_NO_ARG (~0u)
#define COPY_NO_FILE UINT32_MAX /* as the id of one: none has it */

/* Of a call: ids of files in its stream or COPY_NO_FILE, and where in them, POSITION_UNKNOWN. */
struct copy_call {
	uint32_t from, to;
	int64_t from_begin, to_begin;
};

struct copy_facts copy_facts_of(const struct reader_function_info *function);
/* False: it is none. */
bool copy_of(const struct copy_facts *facts, const struct recorder_record *record,
	     struct copy_call *copy);

#endif
