/* SPDX-License-Identifier: MIT */
/*
 * out_sql.h - a trace as a database: a state and a table for walk_run(). The records must come by time.
 */
#ifndef RECORDER_TOOLS_OUT_SQL_H
#define RECORDER_TOOLS_OUT_SQL_H

#include "numbered.h"
#include "outputs.h"
#include "sqlbase.h"
#include "sqlrows.h"
#include "walk.h"

struct sql_function;
struct sqlnames;

struct out_sql {
	struct sqlbase *base; /* set by the caller, open, with the tables */
	/*
	 * Set by the caller: the columns of records and in_flight that somebody will ask for, bit i for number i, from 1; bit 0: the rows. Others are NULL. And
	 * whether the table callsites is asked for.
	 */
	uint64_t wanted, wanted_open;
	bool names_callsites, no_args;
	struct walk *walk;
	struct out_events events;       /* for arguments as JSON, and what calls of MPI mean */
	struct output json;             /* behind it */
	struct sql_function *functions; /* by id */
	struct sqlnames *names;
	bool fills_args, fills_callsites;
	struct sql_rows rows;
	struct numbered
		positions; /* struct positions by stream; not used if the filter leaves out calls that move them */
	bool follows_positions;
};

extern const struct walk_ops out_sql_ops;

/* Fills all tables but those of records: with what is known of the trace when it has been read. */
void out_sql_trace(struct sqlbase *base, struct walk *walk);
/* Makes the tables and the views. */
void out_sql_schema(struct sqlbase *base);

#endif
