/* SPDX-License-Identifier: MIT */
/*
 * call_counts.h - how many calls of each function the process has recorded, and dropped as too short (RECORDER_MIN_DURATION): for its final metadata.
 *
 * There is room for every number that a function can have, most of which no process ever meets. So groups of functions that were counted are marked, and pages
 * of memory in which nobody counted are never touched: neither at the end nor in the child of a fork.
 */
#ifndef RECORDER_RECORD_CALL_COUNTS_H
#define RECORDER_RECORD_CALL_COUNTS_H

#include <stdint.h>

struct call_count {
	unsigned function;
	uint64_t recorded; /* in sealed chunks */
	uint64_t dropped;
};

/* By any thread, at the same time. Numbers beyond those of functions are not counted. */
void call_counts_record(uint16_t function, uint64_t calls);
void call_counts_drop(uint16_t function);
/* One that was recorded was not, after all. */
void call_counts_take_back(uint16_t function);

/* All begin at zero again: in the child of a fork, and where a segment was closed with what it states (segment.h). */
void call_counts_clear(void);

/* Each function of which some were recorded or dropped, in the order of their numbers. */
void call_counts_each(void (*each)(void *data, const struct call_count *count), void *data);

#endif
