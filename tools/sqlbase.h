/* SPDX-License-Identifier: MIT */
/*
 * sqlbase.h - a database of SQLite that is being filled, in a file or in memory. What goes wrong ends the process with a message.
 */
#ifndef RECORDER_TOOLS_SQLBASE_H
#define RECORDER_TOOLS_SQLBASE_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "output.h"

struct sqlbase {
	sqlite3 *db;
	const char *path;     /* as messages show it; NULL: in memory */
	struct output *text;  /* for texts on their way to UTF-8 */
	struct output memory; /* behind it */
	uint64_t rows;        /* since the transaction began */
};

/* `file`: an empty file that nobody else uses, shown as `path`; NULL: in memory. */
void sqlbase_open(struct sqlbase *base, const char *file, const char *path);
/* Ends the transaction; all is in the file after that. */
void sqlbase_close(struct sqlbase *base);

/* Statements without a result. */
void sqlbase_run(struct sqlbase *base, const char *sql);
sqlite3_stmt *sqlbase_prepare(struct sqlbase *base, const char *sql);
/* Inserts a row: the values are bound. From time to time a transaction ends. */
void sqlbase_step(struct sqlbase *base, sqlite3_stmt *insert);
/* Ends the process if `result` is an error. */
void sqlbase_check(struct sqlbase *base, int result);

/* Values; `at` is from 1. Text may be any bytes, and is stored by the rule of json.h; NULL is NULL. */
void sqlbase_text(struct sqlbase *base, sqlite3_stmt *to, int at, const char *text);
void sqlbase_bytes(struct sqlbase *base, sqlite3_stmt *to, int at, const char *bytes, size_t size);
/* Text that is UTF-8 and outlives the step. */
void sqlbase_word(struct sqlbase *base, sqlite3_stmt *to, int at, const char *word);
void sqlbase_integer(struct sqlbase *base, sqlite3_stmt *to, int at, int64_t value);
/* NULL where the value is `none`. */
void sqlbase_known(struct sqlbase *base, sqlite3_stmt *to, int at, int64_t value, int64_t none);

#endif
