/* SPDX-License-Identifier: MIT */
/*
 * out_columns.h - calls and block requests as tables, one line each, with the columns of the bpftrace scripts that trace_visuals reads: recorder2text --columns.
 *
 * A line of names, then the values with a blank between. TIMESTAMP is CLOCK_MONOTONIC in ns at the end, as bpftrace's nsecs; LAT and QLAT are ns; RET is an error's negative number where there is one. "-" is
 * what is not known or a call does not have. Blanks, backslashes and what is not printable in ASCII are escaped as in C.
 */
#ifndef RECORDER_TOOLS_OUT_COLUMNS_H
#define RECORDER_TOOLS_OUT_COLUMNS_H

#include "output.h"
#include "walk.h"

struct column_table;

struct out_columns {
	/* Set by the caller. */
	struct output *output;
	const struct column_table *table;
	const struct reader *trace;
	int64_t *to_mono;     /* by stream: what is added to times */
	const uint8_t *shown; /* by function */
};

/* The table of that name, "read" or "read:explore"; NULL: there is none. */
const struct column_table *column_table(const char *name);
/* All names, with blanks between. */
extern const char column_table_names[];

extern const struct walk_ops out_columns_ops;
void out_columns_release(struct out_columns *columns);

#endif
