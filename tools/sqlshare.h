/* SPDX-License-Identifier: MIT */
/*
 * sqlshare.h - a database that ranks of a launcher make together. SQLite has one writer, but it copies rows of a table that is the same column for column as they are, much
 * faster than it takes new ones. So all ranks but the first make a database of the rows of some streams each, and the first one copies them, one behind the
 * other, makes the indices and writes all else:
 *
 *	rank 1, 2 ...   read their streams for names   NAMES ->   read them again for rows   ROWS ->
 *	rank 0                                  -> NAMES of all                         -> ROWS of each, copied
 *
 * Rows have the numbers of files and call sites, which count from the first one on: so all ranks hear what names all have found, before any makes rows.
 */
#ifndef RECORDER_TOOLS_SQLSHARE_H
#define RECORDER_TOOLS_SQLSHARE_H

#include "out_sql.h"

struct sql_share;

/* NULL: this process works alone. `path`: of the database. The trace has been opened, and nothing of it read. */
struct sql_share *sql_share_begin(const char *path, struct walk *walk);

/* All but the first rank: makes its rows, and ends the process when the database is there. */
_Noreturn void sql_share_leave(struct sql_share *share, struct walk *walk, bool no_args);
/*
 * The first rank: does what walk_run() does with out_sql_ops and `sql`, whose database has the tables. 0 or a negative errno.
 */
int sql_share_join(struct sql_share *share, struct out_sql *sql);
/* Lets the other ranks go, and releases all. NULL is allowed. */
void sql_share_end(struct sql_share *share);

#endif
