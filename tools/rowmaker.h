/* SPDX-License-Identifier: MIT */
/*
 * rowmaker.h - what each record says, in the columns of a table: for databases and files of columns. doc/sql.md tells what the columns are.
 *
 * Records must come stream by stream, each by time. Rows go to rows.take() when their calls are complete, those of a stream before any of the next one. Nothing that a row says depends on
 * other streams, but the numbers of files and call sites.
 */
#ifndef RECORDER_TOOLS_ROWMAKER_H
#define RECORDER_TOOLS_ROWMAKER_H

#include "analysis/copies.h"
#include "analysis/positions.h"
#include "outputs.h"
#include "rownames.h"
#include "callrows.h"
#include "walk.h"

enum row_result { RESULT_NONE, RESULT_INTEGER, RESULT_REAL };

/* What makes a value of a failed call. */
enum row_failure { FAILS_BY_ERRNO, FAILS_UNLESS_ZERO, FAILS_BELOW_ZERO };

struct row_function {
	char *layer, *name, *category; /* UTF-8; category "": none */
	const char *operation;
	bool of_mpi;
	bool aside; /* what goes on beside the thread */
	bool sum,
		sum_alone; /* its records are sums of calls; which the trace does not have as well */
	enum layer_height height; /* of what moves data of files, else HEIGHT_NONE */
	enum row_result result;
	enum row_failure failure;
	uint8_t offset, tag, status; /* arguments, or NO_ARG */
	uint64_t in_columns;         /* bit i: argument i has a column of its own */
	struct position_facts position;
	struct copy_facts copy;
};

struct row_maker {
	/* Set by the caller. */
	struct call_rows rows;            /* take and data */
	struct rownames *names;           /* NULL: new ones; released with the rest */
	bool fills_args, fills_callsites; /* may be set behind row_maker_begin(), too */
	/* To be read. */
	struct row_function *functions; /* by id */
	unsigned function_count;
	/* inside */
	struct reader *trace;
	struct out_events events; /* for arguments as JSON, and what calls of MPI mean */
	struct output json;       /* behind it */
	bool in_stream, aside;    /* the stream: its calls are counted elsewhere, or nowhere */
	uint32_t stream;
	uint64_t *numbers;          /* by stream: of its first row, less one */
	struct reader_tags *tags;   /* of the stream */
	struct positions positions; /* likewise */
	bool follows_positions;     /* not if conditions leave out calls that move them */
};

/* 0 or -ENOMEM. */
int row_maker_begin(struct row_maker *maker, const struct walk *walk);
void row_maker_call(struct row_maker *maker, const struct recorder_record *record);
/* All rows have been taken after that; another stream may follow. */
void row_maker_end(struct row_maker *maker);
void row_maker_release(struct row_maker *maker);

#endif
