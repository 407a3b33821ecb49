/* SPDX-License-Identifier: MIT */
/*
 * callkinds.h - what a record counts as where calls are added up: most are a call or some equal ones, those of kind `sum` stand for many in an interval, and some go on beside the
 * thread that began them (doc/system.md), so that their time is none of the call's that they lie in.
 */
#ifndef RECORDER_TOOLS_CALLKINDS_H
#define RECORDER_TOOLS_CALLKINDS_H

#include <stdbool.h>

#include <recorder/reader.h>

struct call_kinds;

struct call_count {
	uint64_t
		calls; /* 0: it counts nowhere, the trace has the calls that it sums up as records of their own */
	int64_t time;  /* ns, of all */
	int64_t bytes; /* of all; 0: none */
	bool sum;      /* where the calls were made is not known, nor what they lie in */
	bool aside;    /* takes no time off the call that it lies in, and nothing lies in it */
};

/* Of the functions of a trace, which must outlive it. NULL: ENOMEM. */
struct call_kinds *call_kinds_new(const struct reader *trace);
void call_kinds_free(struct call_kinds *kinds);
struct call_count call_kinds_count(const struct call_kinds *kinds,
				   const struct recorder_record *record);

#endif
