/* SPDX-License-Identifier: MIT */
/*
 * sqlquery.h - statements that somebody asks of a database: prepared while its tables are empty, so that what is wrong with them is said before a trace is
 * read, and that what they do not ask for need not be put in.
 */
#ifndef RECORDER_TOOLS_SQLQUERY_H
#define RECORDER_TOOLS_SQLQUERY_H

#include <stdbool.h>

#include "sqlbase.h"

struct sql_query {
	sqlite3_stmt **statements;
	unsigned count;
	/* What they read: bit i for column number i, from 1. */
	uint64_t records, in_flight;
	bool callsites; /* the table */
};

/*
 * Takes statements that only read. NULL, or what is wrong in words that live until the next call.
 */
const char *sql_query_prepare(struct sql_query *query, struct sqlbase *base, const char *text);
void sql_query_release(struct sql_query *query);

#endif
