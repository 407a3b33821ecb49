/* SPDX-License-Identifier: MIT */
/* cmd_check.c - recorder check: verify every checksum and count of a trace */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "completeness.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "ranks.h"
#include "gmsummary.h"
#include "progress.h"
#include "walk.h"

static const struct option_row own_rows[] = {
	{OPTION_FLAG, 0, "strict", NULL, "losses and missing ends count as damage too",
	 &options.strict, NULL},
	{OPTION_FLAG, 0, "json", NULL, "the result as JSON", &options.json, NULL},
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder check",
	.synopsis = "[options] [DIR]",
	.summary = "Reads a whole trace, verifies every checksum and count, and prints each "
		   "problem with\n"
		   "file and offset, and each stream that did not end in order. Exit status: 0 no "
		   "damage,\n"
		   "1 damage.\n"
		   "DIR defaults to the newest trace in the working directory.",
	.groups = groups,
	.examples = "  recorder check trace\n"
		    "  recorder check -q trace || recorder repair trace\n",
};

static void print_json(const struct reader *trace, const struct reader_info *info, int problems)
{
	static const struct output_options output_options = {.jobs = 1};
	struct output output;
	struct json json = {.output = &output};
	int error = output_open(&output, "-", &output_options);

	if (error)
		die("%s", strerror(-error));
	json_begin(&json, NULL, '{');
	json_put_string(&json, "dir", info->dir);
	json_put_bool(&json, "ok", problems == 0);
	json_put_bool(&json, "complete", info->complete);
	json_put_unsigned(&json, "records", info->records);
	json_put_unsigned(&json, "lost", info->lost);
	json_put_unsigned(&json, "unreadable", info->unreadable);
	completeness_json(&json, trace);
	json_begin(&json, "problems", '[');
	for (unsigned i = 0; i < reader_problem_count(trace); i++)
		json_put_string(&json, NULL, reader_problem(trace, i));
	json_end(&json, ']');
	json_end(&json, '}');
	error = output_commit(&output);
	if (error)
		die("cannot write to stdout: %s", strerror(-error));
}

/* Why records of the stream are lost. */
static void print_losses(const struct reader *trace, unsigned index, const char *name)
{
	const char *reason;
	char number[32];
	uint64_t count;

	for (unsigned i = 0; !reader_loss(trace, index, i, &reason, &count); i++) {
		const char *meaning = loss_meaning(reason);

		printf("%s: %s lost, %s%s%s\n", name, loss_number(number, count), reason,
		       *meaning ? ": " : "", meaning);
	}
}

static void print_absences(const struct reader *trace, const struct reader_info *info)
{
	struct absences absences;
	char *text;

	absences_collect(&absences, trace);
	text = absences_text(&absences, info->worlds);
	if (text)
		printf("%s: %s\n", info->dir, text);
	free(text);
	absences_release(&absences);
}

/* The streams that end before their process did, or lack records: where, and what is there of them. */
static void print_unfinished(const struct reader *trace, const struct reader_info *info)
{
	struct reader_stream stream = {.sz = sizeof(stream)};

	for (unsigned i = 0; i < info->streams; i++) {
		if (reader_stream(trace, i, &stream) ||
		    (stream.state == READER_CLEAN && !stream.died &&
		     stream.lost + stream.unreadable + stream.in_flight == 0))
			continue;
		printf("%s: rank %" PRId32 " pid %" PRIu32 " %s: %" PRIu64 " records, %" PRIu64
		       " lost, %" PRIu64 " unreadable, %" PRIu64 " in flight%s%s\n",
		       stream.name, stream.rank, stream.pid,
		       stream.state == READER_RUNNING ? "runs"
		       : stream.died                  ? "died"
						      : "ended",
		       stream.records, stream.lost, stream.unreadable, stream.in_flight,
		       *stream.reason ? "; " : "", stream.reason);
		print_losses(trace, i, stream.name);
	}
}

/* No damage: the streams tell the truth, and the summary may have been written before the last of them. */
static void print_difference(const char *key, uint64_t said, uint64_t found)
{
	printf("recorder.gm: %s: %" PRIu64 " said, %" PRIu64 " found\n", key, said, found);
}

static void print_text(const struct reader *trace, const struct reader_info *info, int problems)
{
	for (unsigned i = 0; i < reader_problem_count(trace); i++)
		printf("%s\n", reader_problem(trace, i));
	if (!options.quiet) {
		print_unfinished(trace, info);
		print_absences(trace, info);
		gmsummary_compare(trace, print_difference);
	}
	if (problems > 0)
		printf("%s: damaged: %d problem%s\n", info->dir, problems,
		       problems == 1 ? "" : "s");
	else if (!options.quiet)
		printf("%s: ok: %" PRIu64 " records in %u stream%s of %u rank%s%s\n", info->dir,
		       info->records, info->streams, info->streams == 1 ? "" : "s", info->ranks,
		       info->ranks == 1 ? "" : "s",
		       info->complete  ? ""
		       : info->running ? ", still being written"
				       : ", incomplete");
	if (fflush(stdout) || ferror(stdout))
		die("cannot write to stdout: %s", strerror(errno));
}

int cmd_check(int argc, char **argv)
{
	struct reader_info info = {.sz = sizeof(info)};
	int problems, at = options_parse(&command, argc, argv);
	struct reader *trace;

	if (argc - at > 1)
		options_usage_error(&command, "one trace at a time, not '%s' too", argv[at + 1]);
	/* the problems are the result, for stdout, and no warnings */
	message_quiet = true;
	ranks_leave_to_first();
	trace = trace_open(argv[at]);
	problems = reader_verify(trace);
	message_quiet = options.quiet;
	progress_clear();
	if (problems < 0)
		die("%s", reader_error(trace));
	reader_info(trace, &info);
	if (options.json)
		print_json(trace, &info, problems);
	else
		print_text(trace, &info, problems);
	trace_warn_incomplete(trace, &info);
	reader_close(trace);
	return problems > 0 || (options.strict && !info.complete) ? EXIT_FAILED : EXIT_DONE;
}
