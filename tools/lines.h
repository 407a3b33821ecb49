/* SPDX-License-Identifier: MIT */
/*
 * lines.h - lines of .pfw whose text is mostly that of a line before: calls of one function that differ in times and numbers
 * alone (struct event_shape). Only what differs is written anew; the rest is copied.
 *
 * Lines go by function, place, file and what is no number. A call that none of them suits is written by the caller, who may have its line kept for the next ones.
 */
#ifndef RECORDER_TOOLS_LINES_H
#define RECORDER_TOOLS_LINES_H

#include "events.h"

struct lines;

/* NULL: out of memory. */
struct lines *lines_new(void);
void lines_free(struct lines *lines);

/* There is no line any more. */
void lines_forget(struct lines *lines);

/* Writes the line of a record on that lane, with this number. False: there is none like it. */
bool lines_put(struct lines *lines, struct out_events *events, const struct recorder_record *record,
	       uint32_t tid, uint64_t number);

/*
 * Begins to keep a line: what the caller writes to events->output goes to it. Up to the time stamp it is the first part, behind the duration the
 * second one. False: lines of this function or this one cannot be kept.
 */
bool lines_keep(struct lines *lines, struct out_events *events,
		const struct recorder_record *record, uint32_t tid);
/* The first part is written, and the second one comes. */
void lines_divide(struct lines *lines);
/* Where the numbers of the second part may be changed, see event_shape_args(); < 0: the line is not kept. */
void lines_kept(struct lines *lines, struct out_events *events,
		const struct recorder_record *record, const char *const *places, int count);

#endif
