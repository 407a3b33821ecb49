/* SPDX-License-Identifier: MIT */
/* cmd_sql.c - recorder sql: asks a trace in SQL */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "buffer.h"
#include "commands.h"
#include "message.h"
#include "options.h"
#include "ranks.h"

static const char *script_path;
static bool schema;

static const struct option_row own_rows[] = {
	{OPTION_TEXT, 0, "script", "FILE", "take the statements from FILE, '-' for stdin",
	 &script_path, NULL},
	{OPTION_FLAG, 0, "schema", NULL, "print the tables and views with their columns", &schema,
	 NULL},
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"output", option_rows_table},
					     {"filter", option_rows_filter},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder sql",
	.synopsis = "[options] [DIR] QUERY",
	.summary = "Answers statements of SQL from a trace, which is read into a database in "
		   "memory: a "
		   "row for each\n"
		   "record in the table records, tables of streams, functions and files, and views "
		   "for "
		   "common\n"
		   "questions. The filter says which records are read. DIR defaults to the newest "
		   "trace "
		   "in the\n"
		   "working directory.",
	.groups = groups,
	.examples = "  recorder sql trace 'SELECT * FROM layer_time'\n"
		    "  recorder sql --csv --layers posix trace 'SELECT path, sum(bytes) FROM "
		    "transfers GROUP BY 1'\n"
		    "  recorder sql --schema\n",
};

#ifndef HAVE_SQLITE3

int cmd_sql(int argc, char **argv)
{
	options_parse(&command, argc, argv);
	die("this recorder was built without SQLite");
}

#else

#include "out_sql.h"
#include "sqlquery.h"
#include "sqltable.h"

/* ---- the statements ---- */

static char *read_script(const char *path)
{
	FILE *file = !strcmp(path, "-") ? stdin : fopen(path, "re");
	struct buffer text = {0};
	size_t got;

	if (!file)
		die("cannot open '%s': %s", path, strerror(errno));
	do {
		got = fread(buffer_room(&text, 4096), 1, 4096, file);
		text.size += got;
	} while (got > 0);
	if (ferror(file))
		die("cannot read '%s': %s", path, strerror(errno));
	if (file != stdin)
		fclose(file);
	buffer_add(&text, "", 1);
	return (char *)text.bytes;
}

/* [DIR] QUERY, or [DIR] with --script or --schema. */
static const char *take_operands(int argc, char **argv, const char **dir)
{
	int wanted = script_path || schema ? 0 : 1;
	struct stat status;

	if (argc > wanted + 1)
		options_usage_error(&command, "one trace and one query at a time, not '%s' too",
				    argv[wanted + 1]);
	*dir = argc == wanted + 1 ? argv[0] : NULL;
	if (wanted && (argc == 0 || (argc == 1 && !stat(argv[0], &status))))
		options_usage_error(&command, "there is no query");
	return wanted ? argv[argc - 1] : NULL;
}

/* ---- answers ---- */

static int put_answer(struct output *output, sqlite3_stmt *statement, unsigned number)
{
	if (options.json)
		output_text(output, number ? ",\n" : "");
	else
		output_text(output, number ? "\n" : "");
	if (options.json)
		return sql_table_json(output, statement);
	return options.csv ? sql_table_csv(output, statement) : sql_table_text(output, statement);
}

/* Of several statements JSON is an array of their answers. */
static void answer(struct sqlbase *base, const struct sql_query *query)
{
	bool list = options.json && query->count > 1;
	int result = SQLITE_DONE;
	struct output output;

	output_begin_stdout(&output);
	output_text(&output, list ? "[" : "");
	for (unsigned i = 0; i < query->count && result == SQLITE_DONE; i++)
		result = put_answer(&output, query->statements[i], i);
	if (result != SQLITE_DONE && !output.error) {
		const char *text = sqlite3_errmsg(base->db);

		output_commit(&output);
		die("%s", text);
	}
	output_text(&output, list ? "]\n" : options.json ? "\n" : "");
	output_end(&output);
}

static void print_schema(struct sqlbase *base)
{
	static const char names[] =
		"SELECT group_concat(text, char(10)) AS text FROM (SELECT type, rowid, name || '(' "
		"|| "
		"(SELECT group_concat(name, ', ') FROM pragma_table_info(m.name)) || ')' AS text "
		"FROM sqlite_master m WHERE type IN ('table', 'view') ORDER BY type, rowid)";
	sqlite3_stmt *statement = sqlbase_prepare(base, names);

	sqlbase_check(base, sqlite3_step(statement));
	printf("%s\n", sqlite3_column_text(statement, 0));
	sqlite3_finalize(statement);
	if (fflush(stdout) || ferror(stdout))
		die("cannot write to stdout: %s", strerror(errno));
}

static void fill(struct sqlbase *base, const struct sql_query *query, const char *dir)
{
	struct walk walk;
	struct out_sql sql = {.base = base,
			      .walk = &walk,
			      .wanted = query->records,
			      .wanted_open = query->in_flight,
			      .names_callsites = query->callsites};
	int error;

	options.filter.in_flight = 1;
	ranks_leave_to_first();
	walk_open(&walk, dir);
	walk_by_stream(&walk, 1, 0);
	error = walk_run(&walk, &out_sql_ops, &sql);
	if (error)
		die("%s", strerror(-error));
	out_sql_trace(base, &walk);
	walk_close(&walk);
}

int cmd_sql(int argc, char **argv)
{
	int at = options_parse(&command, argc, argv);
	const char *dir, *text = take_operands(argc - at, argv + at, &dir), *problem;
	char *script = NULL;
	struct sql_query query = {0};
	struct sqlbase base;

	if (script_path && !schema)
		text = script = read_script(script_path);
	sqlbase_open(&base, NULL, NULL);
	out_sql_schema(&base);
	if (schema) {
		print_schema(&base);
		sqlbase_close(&base);
		return EXIT_DONE;
	}
	problem = sql_query_prepare(&query, &base, text);
	if (problem)
		options_usage_error(&command, "%s", problem);
	fill(&base, &query, dir);
	answer(&base, &query);
	sql_query_release(&query);
	sqlbase_close(&base);
	free(script);
	return EXIT_DONE;
}

#endif
