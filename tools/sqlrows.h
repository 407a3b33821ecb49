/* SPDX-License-Identifier: MIT */
/*
 * sqlrows.h - rows of the table records, which wait until the calls inside theirs are known.
 *
 * Records come by time, so a call comes before those that it makes: only when its thread has left it, is it known how much of its time was its own.
 * Until then its row waits:
 *
 *	a thread:  MPI_File_write_all  >  pwrite        waiting, by level; a call at level 0 lets go of both, the innermost first
 *
 * so at most as many rows wait as calls are open. Numbers are given in the order of time and are those of the calls around: rows come
 * a little out of that order, and the database puts them in their places.
 */
#ifndef RECORDER_TOOLS_SQLROWS_H
#define RECORDER_TOOLS_SQLROWS_H

#include <stdbool.h>

#include <recorder/reader.h>

#include "buffer.h"
#include "numbered.h"
#include "sqlbase.h"

#define SQL_NONE INT64_MIN /* NULL */

struct sql_row {
	int64_t id, parent; /* parent 0: none */
	uint32_t stream, tid, thread, calls;
	int32_t world, rank;
	uint16_t level, flags;
	const char *layer, *function, *operation; /* words that live as long as the rows */
	int64_t tstart, tend, duration, self;
	bool real; /* the result is `ret_real` */
	int64_t ret;
	double ret_real;
	char failure[48];             /* "" did not fail */
	int64_t file, comm, callsite; /* 0: none */
	int64_t bytes, offset, peer, peer_world, tag, sent, received;
	struct buffer args; /* empty: none */
};

/* Zeroed, but for what comes first: no row waits. */
struct sql_rows {
	struct sqlbase *base;
	struct numbered nests; /* by stream and thread */
	sqlite3_stmt *insert, *insert_open;
	uint64_t wanted, wanted_open; /* columns, bit i for number i; bit 0: rows at all */
	int64_t last;                 /* number given */
	uint64_t since;               /* rows since all were looked at */
};

void sql_rows_begin(struct sql_rows *rows, struct sqlbase *base, uint64_t wanted,
		    uint64_t wanted_open);
/* Whether a column of that name is wanted in one of the tables. */
bool sql_rows_want(struct sql_rows *rows, const char *column);
/*
 * A row for a record, to be filled in at once: number, parent, times, place and flags are set. It is the next one of its thread, and what the thread has left by that goes into the table.
 */
struct sql_row *sql_rows_next(struct sql_rows *rows, const struct recorder_record *record);
/* All rows that wait go into the table. */
void sql_rows_end(struct sql_rows *rows);

#endif
