/* SPDX-License-Identifier: MIT */
/* recorder2text.c - a trace as text, one line a record */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "options.h"
#include "out_columns.h"
#include "outputs.h"
#include "ranks.h"
#include "sharedout.h"
#include "timewindow.h"

static const char *output_path = "-";
static bool force, plain;
static struct out_text text;
static struct out_columns columns; /* if it has a table */

static const struct {
	const char *name;
	bool *flag;
} shown[] = {{"callsite", &text.show_callsite}, {"mpi", &text.show_mpi},
	     {"phase", &text.show_phase},       {"stack", &text.show_stack},
	     {"tags", &text.show_tags},         {"thread", &text.show_thread}};

static int parse_word(const char *word, size_t length)
{
	bool all = length == 3 && strncmp(word, "all", length) == 0, known = all;

	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		if (!all &&
		    (strlen(shown[i].name) != length || strncmp(shown[i].name, word, length) != 0))
			continue;
		*shown[i].flag = true;
		known = true;
	}
	return known ? 0 : -EINVAL;
}

static int parse_show(const char *value)
{
	int error = 0;

	for (const char *word = value; word && !error;) {
		const char *comma = strchrnul(word, ',');

		error = parse_word(word, (size_t)(comma - word));
		word = *comma ? comma + 1 : NULL;
	}
	return error;
}

static int parse_columns(const char *value)
{
	columns.table = column_table(value);
	return columns.table ? 0 : -EINVAL;
}

static const struct option_row own_rows[] = {
	{OPTION_TEXT, 'o', "output", "FILE", "write to FILE instead of stdout", &output_path, NULL},
	{OPTION_FLAG, 0, "force", NULL, "replace FILE if it exists", &force, NULL},
	{OPTION_FLAG, 0, "plain", NULL, "values by their class alone, nothing by name", &plain,
	 NULL},
	{OPTION_FLAG, 0, "callsites", NULL, "show where each call was made: --show callsite",
	 &text.show_callsite, NULL},
	{OPTION_FLAG, 0, "stacks", NULL, "show the call stacks of RECORDER_STACKS: --show stack",
	 &text.show_stack, NULL},
	{OPTION_CALL, 0, "show", "LIST",
	 "more of each record, in braces: callsite,mpi,phase,stack,tags,thread or all", NULL,
	 parse_show},
	{OPTION_CALL, 0, "columns", "PRESET",
	 "a table of what recorder system has recorded: bio, openat, close, create-del, mmap, "
	 "read, "
	 "write; bio:explore, mmap:munmap, read:explore, write:explore",
	 NULL, parse_columns},
	OPTION_ROW_STRICT,
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"filter", option_rows_filter},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder2text",
	.synopsis = "[options] [DIR]",
	.summary = "Prints a trace, one line a record in order of time:\n"
		   "  rank tid tstart tend level layer function(args) = ret errno\n"
		   "Times are seconds since the trace's start. DIR defaults to the newest trace in "
		   "the\n"
		   "working directory.",
	.groups = groups,
	.examples =
		"  recorder2text | less\n"
		"  recorder2text --ranks 0 --layers mpi trace\n"
		"  recorder2text --show mpi --layers mpi trace\n"
		"  recorder2text --columns read trace\n"
		"  recorder2text --callsites --callers 'save*,io.c' trace\n"
		"  recorder2text --time 1.5s..2s --functions '*write*' --min-duration 1ms trace\n",
};

/* The lines of this rank's window; all but the first rank end here. */
static void print(struct walk *walk, struct output *output, bool together)
{
	struct shared_output *shared =
		together ? shared_output_begin(output_path, walk->trace, 1) : NULL;
	unsigned number = shared_output_number(shared);
	int error;

	text.output = shared ? shared_output_part(shared, 0) : output;
	columns.output = text.output;
	walk->windowed = shared != NULL;
	if (shared)
		time_window(walk->trace, &options.filter, shared_output_count(shared), number,
			    &walk->from, &walk->until);
	if (columns.table)
		error = walk_run(walk, &out_columns_ops, &columns);
	else
		error = walk_run(walk, plain ? &out_plain_ops : &out_text_ops, &text);
	if (!error && shared) {
		shared_output_end_block(shared, 0, NULL);
		if (number > 0)
			shared_output_leave(shared);
		error = shared_output_join(shared, 0, output, NULL, NULL);
	}
	if (!error)
		error = output_commit(output);
	else
		output_cancel(output);
	if (error)
		output_die(output_path, error);
	shared_output_end(shared);
}

/* Requests of MPI are followed from the begin, and what is broken may be out of order: then one does it all. */
static bool can_be_shared(const struct walk *walk)
{
	return !text.show_mpi && !columns.table && walk->info.complete && !walk->info.running &&
	       reader_problem_count(walk->trace) == 0;
}

int main(int argc, char **argv)
{
	struct output_options output_options = {.jobs = 1};
	struct output output;
	struct walk walk;
	int error, at = options_parse(&command, argc, argv);
	bool whole;

	if (argc - at > 1)
		options_usage_error(&command, "one trace at a time, not '%s' too", argv[at + 1]);
	if (plain && (text.show_callsite || text.show_stack || text.show_mpi || text.show_phase ||
		      text.show_tags || text.show_thread))
		options_usage_error(&command, "--plain shows nothing more: --show is not for it");
	if (columns.table && (plain || text.show_callsite || text.show_stack || text.show_mpi ||
			      text.show_phase || text.show_tags || text.show_thread))
		options_usage_error(&command,
				    "--columns has its own: --plain and --show are not for it");
	options.filter.in_flight = 1;
	output_options.force = force;
	message_quiet |= ranks_follows(); /* the first tells of what all find */
	walk_open(&walk, argv[at]);
	if (!can_be_shared(&walk))
		ranks_leave_to_first();
	error = ranks_follows() ? 0 : output_open(&output, output_path, &output_options);
	if (error)
		output_die(output_path, error);
	print(&walk, &output, can_be_shared(&walk));
	out_text_release(&text);
	out_columns_release(&columns);
	whole = trace_is_whole(walk.trace);
	reader_close(walk.trace);
	return options.strict && !whole ? EXIT_FAILED : EXIT_DONE;
}
