/* SPDX-License-Identifier: MIT */
/*
 * regions.h - what a program says of itself: regions, instants, counters, spans; behind include/recorder/recorder.h.
 *
 * A region is a call like any other on the thread's open-call stack, of a function that the program has named (named.h). Two things are different. It begins and ends in two
 * calls of ours, so no frame of a wrapper tells when the program has left it: a region is left when the call around it is, and ends when one around it ends. And arguments come
 * while it is open: its record grows, which only the innermost open call can - or one with nothing but regions inside, which move -, and becomes one of another function.
 *
 * Nothing here may harm the program: what ends without having begun, or in another thread, or in a child of fork(), is counted and does nothing.
 */
#ifndef RECORDER_RECORD_REGIONS_H
#define RECORDER_RECORD_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "format/kinds.h"

struct recorder_site;

/* Each: 0 or a negative errno as recorder.h says. `caller`: the address that the call returns to. */
int region_begin(struct recorder_site *site, uintptr_t caller);
int region_end(struct recorder_site *site);
/* How many regions the thread has open inside of its innermost one of that site; 0 also where that is not recorded. */
int region_inside(struct recorder_site *site);
/* It ends and is not stored; what was called in it is. */
int region_cancel(struct recorder_site *site);
/* Whether those of that site are recorded: not filtered out, nor paused. */
bool region_is_recorded(struct recorder_site *site);

struct region_argument {
	const char *key;
	enum kind kind;   /* int, uint, double or string */
	uint64_t bits;    /* of a number */
	const char *text; /* of a string */
};

/* Of the innermost open call, if that is a region. */
int region_set(const struct region_argument *argument);
/* Of the thread's innermost region of that site, which others may be inside of. */
int region_set_of(struct recorder_site *site, const struct region_argument *argument);
/* Something without duration: `result` is instant, counter, span_begin, span_end or metadata; `argument` NULL: it has none. */
int region_mark(struct recorder_site *site, enum kind result,
		const struct region_argument *argument, uintptr_t caller);

/* Ends that had no begin. */
uint64_t regions_unmatched(void);
/* In a forked child: they are the parent's. */
void regions_forked(void);

#endif
