/* SPDX-License-Identifier: MIT */
/*
 * out_sql.h - a trace as a database: a state and a table for walk_run(). The records must come by time.
 */
#ifndef RECORDER_TOOLS_OUT_SQL_H
#define RECORDER_TOOLS_OUT_SQL_H

#include "outputs.h"
#include "sqlbase.h"
#include "sqlrows.h"
#include "walk.h"

struct sql_function;
struct sqlnames;

struct out_sql {
	struct sqlbase *base; /* set by the caller, open, with the tables */
	/* Set by the caller: what nobody will ask for is NULL. */
	bool no_args, no_callsites;
	struct walk *walk;
	struct out_events events;       /* for arguments as JSON, and what calls of MPI mean */
	struct output json;             /* behind it */
	struct sql_function *functions; /* by id */
	struct sqlnames *names;
	struct sql_rows rows;
};

extern const struct walk_ops out_sql_ops;

/* Fills all tables but those of records: with what is known of the trace when it has been read. */
void out_sql_trace(struct sqlbase *base, struct walk *walk);
/* Makes the tables and the views. */
void out_sql_schema(struct sqlbase *base);

#endif
