/* SPDX-License-Identifier: MIT */
/*
 * sqlshare.h - a database that ranks of a launcher make together. SQLite has one writer, but it copies rows of a table that is the same column for column as they are, much
 * faster than it takes new ones. So each rank makes a database of the rows of some streams, and when all are there they take turns with the one that is wanted: they copy
 * their rows, one behind the other, and make an index each.
 *
 *	rank 0      names ->  rows, and all but rows    ->          | what is known behind all rows    | index 4      | statistics
 *	rank 1      names ->  rows of its own            -> copied  |                         | index 1
 *	rank 2 ...  names ->  rows of its own                     -> copied |                       | index 2
 *
 * Rows have the numbers of files and call sites, which count from the first stream on: so all ranks hear what names all have found, before any makes rows. It is the same rows, and the
 * same statements in the same order, for any number of ranks.
 */
#ifndef RECORDER_TOOLS_SQLSHARE_H
#define RECORDER_TOOLS_SQLSHARE_H

#include "out_sql.h"

struct sql_share;

/* NULL: this process works alone. `path`: of the database. The trace has been opened, and nothing of it read. */
struct sql_share *sql_share_begin(const char *path, struct walk *walk);

/* All but the first rank: does its share, and ends the process when the database is there. */
_Noreturn void sql_share_leave(struct sql_share *share, struct walk *walk, bool no_args);
/* The first rank: the whole database, in an empty file that is shown as `path`. walk->records are those of all then, and what others found damaged is known. */
void sql_share_make(struct sql_share *share, struct walk *walk, const char *file, const char *path,
		    bool no_args);
/* Lets the other ranks go, and releases all. NULL is allowed. */
void sql_share_end(struct sql_share *share);

#endif
