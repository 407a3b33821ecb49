/* SPDX-License-Identifier: MIT */
/* out_sql.c - see out_sql.h */
#include "out_sql.h"

#include <stdio.h>
#include <stdlib.h>

#include "buffer.h"
#include "message.h"
#include "sqlnames.h"
#include "sqlschema.h"

static void write_functions(struct out_sql *sql)
{
	struct sqlbase *base = sql->base;
	sqlite3_stmt *insert =
		sqlbase_prepare(base, "INSERT INTO functions VALUES (?, ?, ?, ?, ?, ?, ?)");
	unsigned count = reader_function_count(sql->walk->trace);

	for (unsigned id = 0; id < count; id++) {
		const struct reader_function_info *info =
			reader_function_by_id(sql->walk->trace, id);
		struct buffer names = {0};

		for (unsigned i = 0; i < info->arg_count; i++) {
			buffer_add_text(&names, i ? "," : "");
			buffer_add_text(&names, info->args[i].name);
		}
		buffer_add(&names, "", 1);
		sqlbase_integer(base, insert, 1, id + 1);
		sqlbase_word(base, insert, 2, sql->maker.functions[id].layer);
		sqlbase_word(base, insert, 3, sql->maker.functions[id].name);
		sqlbase_word(base, insert, 4, sql->maker.functions[id].operation);
		sqlbase_text(base, insert, 5, info->result.kind);
		sqlbase_text(base, insert, 6, (const char *)names.bytes);
		sqlbase_word(base, insert, 7,
			     *sql->maker.functions[id].category ? sql->maker.functions[id].category
								: NULL);
		sqlbase_step(base, insert);
		buffer_release(&names);
	}
	sqlite3_finalize(insert);
}

static int sql_begin(void *self, const struct walk *walk)
{
	struct out_sql *sql = self;
	int error;

	sql->maker.rows.take = sql_insert_row;
	sql->maker.rows.data = &sql->insert;
	sql->maker.names = sql->names;
	error = row_maker_begin(&sql->maker, walk);
	if (error)
		return error;
	if (!sql->rows_alone)
		write_functions(sql);
	sql_insert_begin(&sql->insert, sql->base, sql->wanted, sql->wanted_open);
	sql->maker.fills_args = !sql->no_args && sql_insert_wants(&sql->insert, "args");
	sql->maker.fills_callsites =
		sql->names_callsites || sql_insert_wants(&sql->insert, "callsite");
	return 0;
}

static int sql_call(void *self, const struct recorder_record *record)
{
	struct out_sql *sql = self;

	row_maker_call(&sql->maker, record);
	return 0;
}

static int sql_end(void *self)
{
	struct out_sql *sql = self;

	row_maker_end(&sql->maker);
	sql_insert_end(&sql->insert);
	if (!sql->rows_alone)
		sqlnames_write(sql->maker.names, sql->base);
	row_maker_release(&sql->maker);
	return 0;
}

const struct walk_ops out_sql_ops = {
	.begin = sql_begin,
	.call = sql_call,
	.end = sql_end,
};

void out_sql_schema(struct sqlbase *base)
{
	char version[64];

	snprintf(version, sizeof(version), "PRAGMA user_version = %d", SQL_SCHEMA_VERSION);
	sqlbase_run(base, version);
	sqlbase_run(base, sql_tables);
	for (const struct sql_view *view = sql_views; view->name; view++) {
		char *text;

		if (asprintf(&text, "CREATE VIEW %s AS\n%s", view->name, view->query) < 0)
			die("out of memory");
		sqlbase_run(base, text);
		free(text);
	}
}
