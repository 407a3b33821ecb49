/* SPDX-License-Identifier: MIT */
/* recorder2sqlite.c - a trace as a database of SQLite */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "options.h"
#include "ranks.h"
#include "out_sql.h"
#include "sqlschema.h"
#include "sqlshare.h"

static const char *output_path;
static bool force, no_args;

static const struct option_row own_rows[] = {
	{OPTION_TEXT, 'o', "output", "FILE", "write to FILE (default: NAME.sqlite here)",
	 &output_path, NULL},
	{OPTION_FLAG, 0, "force", NULL, "replace FILE if it exists", &force, NULL},
	{OPTION_FLAG, 0, "no-args", NULL, "leave the column args empty: a smaller file", &no_args,
	 NULL},
	OPTION_ROW_STRICT,
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"filter", option_rows_filter},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder2sqlite",
	.synopsis = "[options] [DIR]",
	.summary = "Converts a trace to a database of SQLite: a row for each record in the table "
		   "records, tables of\n"
		   "streams, functions and files, and views that answer common questions.\n"
		   "DIR defaults to the newest trace in the working directory.",
	.groups = groups,
	.examples = "  recorder2sqlite trace                            trace.sqlite\n"
		    "  recorder2sqlite -o job.sqlite --layers posix,mpiio trace\n"
		    "  sqlite3 trace.sqlite 'SELECT * FROM layer_time'\n",
};

static void make_alone(struct walk *walk, const char *file, const char *path)
{
	struct sqlbase base;
	struct out_sql sql = {.base = &base,
			      .walk = walk,
			      .wanted = UINT64_MAX,
			      .wanted_open = UINT64_MAX,
			      .no_args = no_args};
	int error;

	sqlbase_open(&base, file, path);
	out_sql_schema(&base);
	error = walk_run(walk, &out_sql_ops, &sql);
	if (error)
		output_die(path, error);
	out_sql_trace(&base, walk);
	for (const char *const *index = sql_indices; *index; index++)
		sqlbase_run(&base, *index);
	sqlbase_run(&base, sql_statistics);
	sqlbase_close(&base);
}

static void convert(struct walk *walk, const char *path)
{
	struct sql_share *share = sql_share_begin(path, walk);
	struct output_options output_options = {.force = force, .jobs = 1};
	struct output output;

	if (ranks_follows())
		sql_share_leave(share, walk, no_args);
	output_begin(&output, path, &output_options);
	if (!output.temporary)
		die("cannot write a database to '%s': it is no regular file", path);
	if (share)
		sql_share_make(share, walk, output.temporary, path, no_args);
	else
		make_alone(walk, output.temporary, path);
	output_end(&output);
	sql_share_end(share);
	message_note("%" PRIu64 " records in %s", walk->records, path);
}

int main(int argc, char **argv)
{
	struct walk walk;
	int at = options_parse(&command, argc, argv);
	char *path = NULL;
	bool whole;

	if (argc - at > 1)
		options_usage_error(&command, "one trace at a time, not '%s' too", argv[at + 1]);
	options.filter.in_flight = 1;
	message_quiet |= ranks_follows(); /* the first tells of what all find */
	walk_open(&walk, argv[at]);
	walk_by_stream(&walk, 1, 0);
	if (!output_path)
		output_path = path = trace_output_path(walk.info.dir, "sqlite");
	convert(&walk, output_path);
	whole = trace_is_whole(walk.trace);
	walk_close(&walk);
	free(path);
	return options.strict && !whole ? EXIT_FAILED : EXIT_DONE;
}
