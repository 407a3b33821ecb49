/* SPDX-License-Identifier: MIT */
/* cmd_match.c - recorder match: which messages and collective calls of MPI belong together, and who waited for whom */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "analysis/quantities.h"
#include "commands.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "summaries.h"
#include "summary_lines.h"

static bool as_exit_code;
static const char *table = "pairs";

static int check_table(const char *name)
{
	return strcmp(name, "pairs") == 0 || strcmp(name, "ranks") == 0 ||
			       strcmp(name, "communicators") == 0
		       ? 0
		       : -EINVAL;
}

static const struct option_row own_rows[] = {
	{OPTION_FLAG, 0, "exit-code", NULL,
	 "exit 1 if a send, receive or collective call has no partner in the trace", &as_exit_code,
	 NULL},
	{OPTION_COUNT, 'n', "top", "N", "rows of each table of the text (default 8)",
	 &summary_options.top, NULL},
	{OPTION_FLAG, 'a', "all", NULL, "all rows", &summary_options.all, NULL},
	{OPTION_TEXT, 0, "table", "NAME", "of --csv: pairs (default), ranks or communicators",
	 &table, check_table},
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
	.name = "recorder match",
	.synopsis = "[options] [DIR]",
	.summary = "Finds the receive of each send and the members of each collective call, counts "
		   "what has\n"
		   "no partner, and says which ranks waited for which ones, and how long.\n"
		   "DIR defaults to the newest trace in the working directory.",
	.groups = groups,
	.examples = "  recorder match trace\n"
		    "  recorder match --exit-code trace >/dev/null || echo messages are missing\n"
		    "  recorder match --csv --table ranks trace >waits.csv\n"
		    "  recorder sql trace 'SELECT * FROM message_pairs LIMIT 5'   # one by one\n",
};

/* ---- text ---- */

static void put_counts(struct output *output, const struct analysis_matching *matching)
{
	char with[QUANTITY_ROOM], without[QUANTITY_ROOM];

	summary_line(output, "%-12s %s sent and received, %s sends and receives without a partner",
		     "messages", quantity_count(with, matching->messages),
		     quantity_count(without, matching->unmatched));
	summary_line(output, "%-12s %s by all members, %s with members missing", "collective",
		     quantity_count(with, matching->collective),
		     quantity_count(without, matching->incomplete));
}

static void put_communicators(struct output *output, const struct summary *summary)
{
	unsigned count = analysis_comm_wait_count(summary->analysis);
	unsigned rows = summary_rows(summary, count);
	char time[QUANTITY_ROOM], messages[QUANTITY_ROOM], collective[QUANTITY_ROOM];

	if (count == 0)
		return;
	summary_title(output, summary,
		      "communicators              ranks   messages collective     waited");
	for (unsigned i = 0; i < rows; i++) {
		const struct analysis_comm_wait *comm = analysis_comm_wait(summary->analysis, i);

		summary_line(output, "  %-24.24s %5" PRId32 " %10s %10s %10s", comm->name,
			     comm->size, quantity_count(messages, comm->messages),
			     quantity_count(collective, comm->collective),
			     quantity_time(time, comm->time));
	}
	if (rows < count)
		summary_line(output, "  ... %u more, see --top", count - rows);
}

/* Ranks in order: who reads it knows them by number. Those without waits are left out. */
static void put_ranks(struct output *output, const struct summary *summary)
{
	const struct analysis *analysis = summary->analysis;
	unsigned with = 0, shown = 0;
	char waited[QUANTITY_ROOM], caused[QUANTITY_ROOM], last[QUANTITY_ROOM];

	for (unsigned i = 0; i < analysis_rank_count(analysis); i++) {
		const struct analysis_rank_wait *rank = analysis_rank_wait(analysis, i);

		if (!rank->time && !rank->time_caused)
			continue;
		if (with++ == 0)
			summary_title(output, summary,
				      "ranks       waited   made others wait   came last");
		if (summary->top && shown == summary->top)
			continue;
		shown++;
		summary_line(output, "  %5" PRId32 " %10s %18s %11s",
			     analysis_rank(analysis, i)->rank, quantity_time(waited, rank->time),
			     quantity_time(caused, rank->time_caused),
			     quantity_count(last, rank->came_last));
	}
	if (shown < with)
		summary_line(output, "  ... %u more, see --top", with - shown);
}

static void put_text(struct output *output, const struct summary *summary)
{
	const struct analysis_matching *matching = analysis_matching(summary->analysis);

	if (matching->conditions) {
		summary_line(output, "not known: conditions leave out calls that it depends on");
		return;
	}
	put_counts(output, matching);
	put_communicators(output, summary);
	put_ranks(output, summary);
	summary_waits_text(output, summary);
}

/* ---- CSV ---- */

static void put_csv_ranks(struct output *output, const struct analysis *analysis)
{
	summary_wait_sums_head(output, "world,rank,waited,caused,came_last");
	for (unsigned i = 0; i < analysis_rank_count(analysis); i++) {
		const struct analysis_rank_wait *rank = analysis_rank_wait(analysis, i);

		output_i64(output, analysis_rank(analysis, i)->world);
		output_char(output, ',');
		output_i64(output, analysis_rank(analysis, i)->rank);
		output_char(output, ',');
		output_decimal(output, rank->time, 9);
		output_char(output, ',');
		output_decimal(output, rank->time_caused, 9);
		output_char(output, ',');
		output_u64(output, rank->came_last);
		summary_wait_sums_csv(output, rank->waited);
	}
}

static void put_csv_communicators(struct output *output, const struct analysis *analysis)
{
	summary_wait_sums_head(output, "name,size,messages,collective,waited");
	for (unsigned i = 0; i < analysis_comm_wait_count(analysis); i++) {
		const struct analysis_comm_wait *comm = analysis_comm_wait(analysis, i);

		output_csv(output, comm->name);
		output_char(output, ',');
		output_i64(output, comm->size);
		output_char(output, ',');
		output_u64(output, comm->messages);
		output_char(output, ',');
		output_u64(output, comm->collective);
		output_char(output, ',');
		output_decimal(output, comm->time, 9);
		summary_wait_sums_csv(output, comm->waits);
	}
}

static void put_csv(struct output *output, const struct summary *summary)
{
	if (table[0] == 'r')
		put_csv_ranks(output, summary->analysis);
	else if (table[0] == 'c')
		put_csv_communicators(output, summary->analysis);
	else
		summary_waits_csv(output, summary);
}

/* ---- all forms ---- */

static void put_all(struct output *output, const struct summary *summary)
{
	struct json json = {.output = output};

	if (options.json)
		summary_waits_json(&json, NULL, summary);
	else if (options.csv)
		put_csv(output, summary);
	else
		put_text(output, summary);
}

int cmd_match(int argc, char **argv)
{
	int first = options_parse(&command, argc, argv);
	const struct analysis_matching *matching;
	struct summary summary = {0};
	bool failed;

	summary_open(&summary, &command, argc - first, argv + first);
	summary_print(&summary, put_all);
	matching = analysis_matching(summary.analysis);
	failed = (as_exit_code && matching->unmatched + matching->incomplete > 0) ||
		 (options.strict && !summary.whole);
	summary_close(&summary);
	return failed ? EXIT_FAILED : EXIT_DONE;
}
