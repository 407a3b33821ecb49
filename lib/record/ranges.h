/* SPDX-License-Identifier: MIT */
/*
 * ranges.h - ranges of addresses and what lies there: files that the program has mapped.
 *
 * Any thread may add and look, also in a signal handler that interrupted the same: no lock is taken, and a slot that somebody is writing is passed over.
 *
 *	group:   low, high | slot slot slot ...      what lies in its slots lies between low and high
 *
 * Programs have mapped thousands of files at once, and what is looked for lies in one or two ranges. So slots are in groups, of which most are passed over by a look at their bounds.
 * A range goes into the group whose bounds are nearest. Bounds only widen: a place that became free is taken by what comes to lie near it, as the kernel fills the gaps.
 */
#ifndef RECORDER_RECORD_RANGES_H
#define RECORDER_RECORD_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct range {
	uintptr_t start, end;
	int64_t offset; /* of its start in the file */
	uint32_t file;  /* 0: not known */
};

/* Zeros: there are none. */
struct ranges;

size_t ranges_size(void);
/* One that overlaps no other one. If there are too many already it is not kept. */
void ranges_add(struct ranges *ranges, const struct range *range);
/* Takes [start, end) out of all: of one that goes beyond, up to two are left. */
void ranges_cut(struct ranges *ranges, uintptr_t start, uintptr_t end);

/* May change the file, and returns whether it did. */
typedef bool range_visit(struct range *range, void *data);

/* Those that overlap [start, end), in no order. */
void ranges_each(struct ranges *ranges, uintptr_t start, uintptr_t end, range_visit *visit,
		 void *data);

#endif
