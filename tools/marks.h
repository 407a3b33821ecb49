/* SPDX-License-Identifier: MIT */
/*
 * marks.h - what a program says without that it takes time, as viewers have it: instants, counters, begin and end of what goes on across threads, and what is true of the process.
 * So are sums of calls. Such records are no calls.
 */
#ifndef RECORDER_TOOLS_MARKS_H
#define RECORDER_TOOLS_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#include <recorder/reader.h>

#include "outputs.h"

enum mark {
	MARK_NONE, /* a call */
	MARK_INSTANT,
	MARK_COUNTER,
	MARK_SPAN_BEGIN,
	MARK_SPAN_END,
	MARK_METADATA,
	MARK_SUM, /* of many calls, sumvalues.h */
};

/* By function id; NULL: out of memory. Free it. */
uint8_t *marks_of(const struct reader *trace);

/* The name of the function, or the one that it had no number for, which is its first argument. Returns its size. */
size_t mark_name(const struct out_events *events, const struct recorder_record *record,
		 const char **name);
/* The value of a counter or of metadata as JSON, `null` if it is not known. */
void mark_value(struct out_events *events, const struct recorder_record *record);
/* Whether a counter has several values, as those that samplers write: its arguments. */
bool mark_is_sample(const struct out_events *events, const struct recorder_record *record);
/* ,"id2":{"local":"0x7"} of a span: ids are those of the process. */
void mark_id(struct out_events *events, const struct recorder_record *record);

#endif
