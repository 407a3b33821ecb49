/* SPDX-License-Identifier: MIT */
/* cmd_summary.c - recorder summary: where time, calls and bytes of a run went */
#include <errno.h>

#include "analysis/add.h"
#include "commands.h"
#include "message.h"
#include "options.h"
#include "summaries.h"

static bool callsites;
static const char *table = "functions";

static int check_table(const char *name)
{
	return summary_is_table(name) ? 0 : -EINVAL;
}

static const struct option_row own_rows[] = {
	{OPTION_COUNT, 'n', "top", "N", "rows of each table of the text (default 8)",
	 &summary_options.top, NULL},
	{OPTION_FLAG, 'a', "all", NULL, "all rows", &summary_options.all, NULL},
	{OPTION_CALL, 0, "files-class", "CLASS",
	 "which files: data (default), software, system, pipe, socket, several, or all", NULL,
	 options_parse_class},
	{OPTION_FLAG, 0, "callsites", NULL,
	 "also where in the program calls were made: function, file and line", &callsites, NULL},
	{OPTION_TEXT, 0, "table", "NAME", "of --csv: " SUMMARY_TABLES, &table, check_table},
	OPTION_ROW_THREADS,
	OPTION_ROW_STRICT,
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"output", option_rows_table},
					     {"filter", option_rows_filter},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder summary",
	.synopsis = "[options] [DIR]",
	.summary = "Says where time, calls and bytes of a run went: by layer, function, file, rank "
		   "and size.\n"
		   "DIR defaults to the newest trace in the working directory.",
	.groups = groups,
	.examples = "  recorder summary trace\n"
		    "  recorder summary --ranks 0 --layers mpi trace\n"
		    "  recorder summary --csv --table files trace >files.csv\n"
		    "  recorder summary --json trace | jq '.functions[0]'\n",
};

int64_t summary_wall(const struct summary *summary)
{
	int64_t wall = 0;

	for (unsigned i = 0; i < analysis_rank_count(summary->analysis); i++) {
		const struct analysis_rank *rank = analysis_rank(summary->analysis, i);

		add_to(&wall, rank->beside ? 0 : analysis_rank_wall(rank));
	}
	return wall;
}

int64_t summary_program(const struct summary *summary)
{
	int64_t rest = summary_wall(summary);

	for (unsigned i = 0; i < analysis_layer_count(summary->analysis); i++)
		add_to(&rest, -analysis_layer(summary->analysis, i)->self[ANALYSIS_MAIN]);
	return rest > 0 ? rest : 0;
}

static void put_all(struct output *output, const struct summary *summary)
{
	if (options.json)
		summary_json(output, summary);
	else if (options.csv)
		summary_csv(output, summary, table);
	else
		summary_text(output, summary);
}

int cmd_summary(int argc, char **argv)
{
	int first = options_parse(&command, argc, argv);
	struct summary summary = {.file_classes = options.file_classes,
				  .shows_callsites = callsites};

	summary_open(&summary, &command, argc - first, argv + first);
	summary_print(&summary, put_all);
	summary_close(&summary);
	return summary.whole || !options.strict ? EXIT_DONE : EXIT_FAILED;
}
