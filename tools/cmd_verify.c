/* SPDX-License-Identifier: MIT */
/* cmd_verify.c - recorder verify: which ranks touch the same bytes of files, and under which consistency model that is correct */
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
static enum analysis_model model = ANALYSIS_MODELS; /* ANALYSIS_MODELS: all of them */

static int parse_model(const char *name)
{
	for (unsigned i = 0; i < ANALYSIS_MODELS; i++)
		if (strcmp(name, analysis_model_name((enum analysis_model)i)) == 0) {
			model = (enum analysis_model)i;
			return 0;
		}
	return -EINVAL;
}

static const struct option_row own_rows[] = {
	{OPTION_CALL, 'm', "model", "MODEL",
	 "what the file system promises: posix, commit, session or mpi-io (default: all)", NULL,
	 parse_model},
	{OPTION_FLAG, 0, "exit-code", NULL,
	 "exit 1 if a file violates the model; without --model: posix", &as_exit_code, NULL},
	{OPTION_COUNT, 'n', "top", "N", "rows of each file (default 8)", &summary_options.top,
	 NULL},
	{OPTION_FLAG, 'a', "all", NULL, "all rows", &summary_options.all, NULL},
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
	.name = "recorder verify",
	.synopsis = "[options] [DIR]",
	.summary =
		"Says which ranks touch the same bytes of files, and whether that is correct on a "
		"file system\n"
		"with the consistency of POSIX, of commits, of sessions, or of MPI-IO.\n"
		"DIR defaults to the newest trace in the working directory.",
	.groups = groups,
	.examples = "  recorder verify trace\n"
		    "  recorder verify --model commit --exit-code trace || echo not on UnifyFS\n"
		    "  recorder verify --csv --files '*.h5' trace >conflicts.csv\n",
};

static bool is_asked(unsigned which)
{
	return model == ANALYSIS_MODELS || which == (unsigned)model;
}

/* ---- text ---- */

static void put_verdicts(struct output *output, const struct analysis_shared_file *file)
{
	for (unsigned i = 0; i < ANALYSIS_MODELS; i++)
		if (is_asked(i))
			summary_line(output, "  %-8s %s",
				     analysis_model_name((enum analysis_model)i),
				     summary_verdict(file, i));
	if (file->unknown)
		summary_line(output, "  of %" PRIu64 " transfers it is not known where they were",
			     file->unknown);
	if (!file->exact)
		summary_line(output, "  touched in too many ways to keep all: some conflicts may "
				     "be none");
}

/* Pairs that are fine under the model that was asked for are left out. */
static bool is_of_interest(const struct analysis_rank_conflict *pair)
{
	return model == ANALYSIS_MODELS || pair->conflicts.violates[model] ||
	       pair->conflicts.uncertain;
}

static void put_kind(struct output *output, uint64_t count, const char *what)
{
	char text[QUANTITY_ROOM];

	if (count)
		summary_line(output, "      %s x %s", quantity_count(text, count), what);
}

static void put_pair(struct output *output, const struct analysis *analysis,
		     const struct analysis_rank_conflict *pair)
{
	const struct analysis_conflicts *conflicts = &pair->conflicts;

	summary_line(output,
		     "    ranks %" PRId32 " and %" PRId32 ", first at bytes %" PRId64
		     " to %" PRId64,
		     analysis_rank(analysis, pair->one)->rank,
		     analysis_rank(analysis, pair->other)->rank, pair->begin, pair->end);
	put_kind(output, conflicts->write_write, "one writes, then the other writes");
	put_kind(output, conflicts->write_read, "one writes, then the other reads");
	put_kind(output, conflicts->read_write, "one reads, then the other writes");
	put_kind(output, conflicts->together, "at the same time");
	put_kind(output, conflicts->uncertain, "perhaps: bytes or order are not known");
}

/* Pairs are sorted by path, as files are: `next` goes on where the file before ended. */
static void put_pairs(struct output *output, const struct summary *summary, const char *path,
		      unsigned *next)
{
	const struct analysis *analysis = summary->analysis;
	unsigned count = analysis_rank_conflict_count(analysis), shown = 0, more = 0;

	while (*next < count && strcmp(analysis_rank_conflict(analysis, *next)->path, path) < 0)
		++*next;
	for (; *next < count && strcmp(analysis_rank_conflict(analysis, *next)->path, path) == 0;
	     ++*next) {
		const struct analysis_rank_conflict *pair = analysis_rank_conflict(analysis, *next);

		if (!is_of_interest(pair))
			continue;
		if (summary->top && shown == summary->top) {
			more++;
			continue;
		}
		put_pair(output, analysis, pair);
		shown++;
	}
	if (more)
		summary_line(output, "    ... %u more pairs of ranks, see --top", more);
}

static unsigned count_verdict(const struct analysis *analysis, unsigned which,
			      enum analysis_verdict verdict)
{
	unsigned count = 0;

	for (unsigned i = 0; i < analysis_shared_file_count(analysis); i++) {
		const struct analysis_shared_file *file = analysis_shared_file(analysis, i);

		count += (which != ANALYSIS_MODEL_MPIIO || file->by_mpi) &&
			 file->verdicts[which] == verdict;
	}
	return count;
}

static void put_totals(struct output *output, const struct analysis *analysis)
{
	unsigned count = analysis_shared_file_count(analysis);

	summary_line(output, "%u file%s of which several ranks moved bytes, one of them writing",
		     count, count == 1 ? "" : "s");
	for (unsigned i = 0; i < ANALYSIS_MODELS && count > 0; i++)
		if (is_asked(i))
			summary_line(output, "  %-8s fine %u, unknown %u, violated %u",
				     analysis_model_name((enum analysis_model)i),
				     count_verdict(analysis, i, ANALYSIS_FINE),
				     count_verdict(analysis, i, ANALYSIS_UNKNOWN),
				     count_verdict(analysis, i, ANALYSIS_VIOLATED));
}

static void put_text(struct output *output, const struct summary *summary)
{
	const struct analysis *analysis = summary->analysis;
	unsigned next = 0;

	if (analysis_conflicts_unknown(analysis)) {
		summary_line(output, "not known: conditions leave out calls that it depends on");
		return;
	}
	put_totals(output, analysis);
	for (unsigned i = 0; i < analysis_shared_file_count(analysis); i++) {
		const struct analysis_shared_file *file = analysis_shared_file(analysis, i);

		if (!file->pairs && !file->unknown)
			continue;
		summary_title(output, summary, file->path);
		put_verdicts(output, file);
		put_pairs(output, summary, file->path, &next);
	}
}

/* ---- all forms ---- */

static void put_all(struct output *output, const struct summary *summary)
{
	struct json json = {.output = output};

	if (options.json)
		summary_conflicts_json(&json, NULL, summary);
	else if (options.csv)
		summary_conflicts_csv(output, summary);
	else
		put_text(output, summary);
}

static bool is_violated(const struct analysis *analysis)
{
	unsigned which = model == ANALYSIS_MODELS ? ANALYSIS_MODEL_POSIX : (unsigned)model;

	return count_verdict(analysis, which, ANALYSIS_VIOLATED) > 0;
}

int cmd_verify(int argc, char **argv)
{
	int first = options_parse(&command, argc, argv);
	struct summary summary = {0};
	bool failed;

	summary_open(&summary, &command, argc - first, argv + first);
	summary_print(&summary, put_all);
	failed = (as_exit_code && is_violated(summary.analysis)) ||
		 (options.strict && !summary.whole);
	summary_close(&summary);
	return failed ? EXIT_FAILED : EXIT_DONE;
}
