/* SPDX-License-Identifier: MIT */
/* sqlbase.c - see sqlbase.h */
#include "sqlbase.h"

#include <string.h>

#include "json.h"
#include "message.h"

#define ROWS_AT_ONCE 65536u /* of a transaction */

void sqlbase_check(struct sqlbase *base, int result)
{
	const char *text;

	if (result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_ROW)
		return;
	text = base->db ? sqlite3_errmsg(base->db) : sqlite3_errstr(result);
	if (base->path)
		die("cannot write '%s': %s", base->path, text);
	die("cannot make a database in memory: %s", text);
}

void sqlbase_open(struct sqlbase *base, const char *file, const char *path)
{
	const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;

	memset(base, 0, sizeof(*base));
	base->path = path;
	if (output_memory(&base->memory))
		die("out of memory");
	base->text = &base->memory;
	/* without locks, which some file systems of clusters do not have: nobody else knows the file */
	sqlbase_check(base, sqlite3_open_v2(file ? file : ":memory:", &base->db, flags,
					    file ? "unix-none" : NULL));
	/* it has its name only when it is whole, so that nothing is to be rolled back */
	sqlbase_run(base, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
			  "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536;"
			  "BEGIN");
}

void sqlbase_close(struct sqlbase *base)
{
	sqlbase_run(base, "COMMIT");
	sqlbase_check(base, sqlite3_close(base->db));
	base->db = NULL;
	output_cancel(&base->memory);
}

void sqlbase_run(struct sqlbase *base, const char *sql)
{
	sqlbase_check(base, sqlite3_exec(base->db, sql, NULL, NULL, NULL));
}

sqlite3_stmt *sqlbase_prepare(struct sqlbase *base, const char *sql)
{
	sqlite3_stmt *statement = NULL;

	sqlbase_check(base, sqlite3_prepare_v3(base->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
					       &statement, NULL));
	return statement;
}

void sqlbase_step(struct sqlbase *base, sqlite3_stmt *insert)
{
	sqlbase_check(base, sqlite3_step(insert));
	sqlbase_check(base, sqlite3_reset(insert));
	if (++base->rows % ROWS_AT_ONCE == 0 && base->path)
		sqlbase_run(base, "COMMIT; BEGIN");
}

void sqlbase_bytes(struct sqlbase *base, sqlite3_stmt *to, int at, const char *bytes, size_t size)
{
	struct output *text = base->text;

	text->next = text->buffer;
	utf8_string(text, bytes, size);
	if (text->error)
		die("out of memory");
	sqlbase_check(base, sqlite3_bind_text64(to, at, text->buffer,
						(sqlite3_uint64)(text->next - text->buffer),
						SQLITE_TRANSIENT, SQLITE_UTF8));
}

void sqlbase_text(struct sqlbase *base, sqlite3_stmt *to, int at, const char *text)
{
	if (text)
		sqlbase_bytes(base, to, at, text, strlen(text));
	else
		sqlbase_check(base, sqlite3_bind_null(to, at));
}

void sqlbase_word(struct sqlbase *base, sqlite3_stmt *to, int at, const char *word)
{
	sqlbase_check(base, sqlite3_bind_text(to, at, word, -1, SQLITE_STATIC));
}

void sqlbase_integer(struct sqlbase *base, sqlite3_stmt *to, int at, int64_t value)
{
	sqlbase_check(base, sqlite3_bind_int64(to, at, value));
}

void sqlbase_known(struct sqlbase *base, sqlite3_stmt *to, int at, int64_t value, int64_t none)
{
	if (value == none)
		sqlbase_check(base, sqlite3_bind_null(to, at));
	else
		sqlbase_integer(base, to, at, value);
}
