/* SPDX-License-Identifier: MIT */
/*
 * tables.h - what one thread of an analysis has counted. Tables of several are added up in any order, with the same result.
 */
#ifndef RECORDER_ANALYSIS_TABLES_H
#define RECORDER_ANALYSIS_TABLES_H

#include "analysis/common_sizes.h"
#include "analysis/facts.h"
#include "analysis/failures.h"
#include "analysis/file_table.h"
#include "analysis/halves.h"
#include "analysis/messages.h"
#include "analysis/moved.h"
#include "analysis/phases.h"
#include "analysis/series.h"
#include "analysis/sites.h"
#include "analysis/sketch.h"
#include "analysis/touches.h"

struct function_row {
	struct analysis_sums sums;
	int64_t least, most, most_in_files;
	struct sketch *times; /* NULL: no calls */
};

/* What calls of a function in one stream took and moved; with whose rank, process and layer it is known at the stream's end (tables.c). */
struct own_row {
	struct analysis_sums sums;                      /* but for `self` */
	int64_t by_use[ANALYSIS_USES][ANALYSIS_PLACES]; /* self time */
};

struct layer_row {
	struct analysis_sums sums;
	struct analysis_sizes sizes;
	int64_t self[ANALYSIS_PLACES];
};

struct rank_row {
	struct analysis_sums sums;
	int64_t by_use[ANALYSIS_USES][ANALYSIS_PLACES];
	int64_t by_operation[ANALYSIS_OPERATIONS];
	struct overlap_row overlap[ANALYSIS_PLACES]; /* of its own processes, of their children */
};

struct process_row {
	uint64_t calls, errors;
	int64_t by_use[ANALYSIS_USES]; /* self time */
	struct overlap_row overlap;
};

struct tables {
	const struct facts *facts;
	struct function_row *functions; /* by id */
	struct own_row *own; /* likewise, of the stream that is read; zeros between streams */
	struct layer_row *layers;
	struct common_sizes (*sizes)[ANALYSIS_DIRECTIONS]; /* by layer */
	struct rank_row *ranks;
	struct process_row *processes; /* by stream */
	struct failures failures;
	struct files files;
	struct series series;
	struct messages messages;
	struct sites sites;
	struct moved moved;
	struct halves halves;
	struct touches touches;
	struct phases phases;
};

/* 0 or -ENOMEM; then they are to be released, too. */
int tables_begin(struct tables *tables, const struct facts *facts);
void tables_release(struct tables *tables);
/* All calls of a stream have been counted (passage.h): those in `own` are added to the other rows, too. */
void tables_end_stream(struct tables *tables, unsigned stream);
int tables_merge(struct tables *into, const struct tables *from);

#endif
