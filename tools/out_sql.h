/* SPDX-License-Identifier: MIT */
/*
 * out_sql.h - a trace as a database: a state and a table for walk_run(). The records must come by time.
 */
#ifndef RECORDER_TOOLS_OUT_SQL_H
#define RECORDER_TOOLS_OUT_SQL_H

#include "rowmaker.h"
#include "sqlbase.h"
#include "sqlinsert.h"
#include "walk.h"

struct out_sql {
	struct sqlbase *base; /* set by the caller, open, with the tables */
	/*
	 * Set by the caller: the columns of records and in_flight that somebody will ask for, bit i for number i, from 1; bit 0: the rows. Others are NULL. And
	 * whether the table callsites is asked for.
	 */
	uint64_t wanted, wanted_open;
	bool names_callsites, no_args;
	/* Set by the caller, or NULL: names that have been found before, which are released in the end. */
	struct rownames *names;
	bool rows_alone; /* the tables records and in_flight, no others */
	struct walk *walk;
	/* inside */
	struct row_maker maker;
	struct sql_insert insert;
};

extern const struct walk_ops out_sql_ops;

/* Fills all tables but those of records: with what is known of the trace when it has been read. */
void out_sql_trace(struct sqlbase *base, struct walk *walk);
/* Makes the tables and the views. */
void out_sql_schema(struct sqlbase *base);

#endif
