/* SPDX-License-Identifier: MIT */
/* cmd_check.c - recorder check: verify every checksum and count of a trace */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "completeness.h"
#include "faults.h"
#include "gmsummary.h"
#include "handin.h"
#include "harmless.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "progress.h"
#include "read/verify.h"
#include "streamshare.h"
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

static void print_json(const struct reader *trace, const struct reader_info *info,
		       const struct faults *faults)
{
	struct output output;
	struct json json = {.output = &output};

	output_begin_stdout(&output);
	json_begin(&json, NULL, '{');
	json_put_string(&json, "dir", info->dir);
	json_put_bool(&json, "ok", faults->count == 0);
	json_put_bool(&json, "complete", info->complete);
	json_put_unsigned(&json, "records", info->records);
	json_put_unsigned(&json, "lost", info->lost);
	json_put_unsigned(&json, "unreadable", info->unreadable);
	completeness_json(&json, trace);
	json_put_unsigned(&json, "missing_streams", info->missing_streams);
	json_begin(&json, "problems", '[');
	for (unsigned i = 0; i < faults->count; i++)
		json_put_string(&json, NULL, faults_text(faults, i));
	json_end(&json, ']');
	json_end(&json, '}');
	output_end(&output);
}

/* A line on stdout. Names of files are the user's, and those in a trace anybody's. */
static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *format, ...)
{
	va_list args;
	char *line;
	int length;

	va_start(args, format);
	length = vasprintf(&line, format, args);
	va_end(args);
	if (length < 0)
		die("out of memory");
	puts(make_harmless(line, (size_t)length, '?'));
	free(line);
}

/* Why records of the stream are lost. */
static void print_losses(const struct reader *trace, unsigned index, const char *name)
{
	const char *reason;
	char number[32];
	uint64_t count;

	for (unsigned i = 0; !reader_loss(trace, index, i, &reason, &count); i++) {
		const char *meaning = loss_meaning(reason);

		say("%s: %s lost, %s%s%s", name, loss_number(number, count), reason,
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
		say("%s: %s", info->dir, text);
	free(text);
	absences_release(&absences);
}

/* The streams that end before their process did, or lack records: where, and what is there of them. */
static void print_unfinished(const struct reader *trace, const struct reader_info *info)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	char lost[32];

	for (unsigned i = 0; i < info->streams; i++) {
		if (reader_stream(trace, i, &stream) ||
		    (stream.state == READER_CLEAN && !stream.died &&
		     stream.lost + stream.unreadable + stream.in_flight == 0))
			continue;
		say("%s: rank %" PRId32 " pid %" PRIu32 " %s: %" PRIu64
		    " records, %s lost, %" PRIu64 " unreadable, %" PRIu64 " in flight%s%s",
		    stream.name, stream.rank, stream.pid,
		    stream.state == READER_RUNNING ? "runs"
		    : stream.died                  ? "died"
						   : "ended",
		    stream.records, stream_loss_number(lost, trace, i, stream.lost),
		    stream.unreadable, stream.in_flight, *stream.reason ? "; " : "", stream.reason);
		print_losses(trace, i, stream.name);
	}
}

/* No damage: the streams tell the truth, and the summary may have been written before the last of them. */
static void print_difference(const char *key, uint64_t said, uint64_t found)
{
	say("recorder.gm: %s: %" PRIu64 " said, %" PRIu64 " found%s", key, said, found,
	    found > said ? ": some went on when it was written, as daemons do" : "");
}

static void print_text(const struct reader *trace, const struct reader_info *info,
		       const struct faults *faults)
{
	for (unsigned i = 0; i < faults->count; i++)
		say("%s", faults_text(faults, i));
	if (!options.quiet) {
		print_unfinished(trace, info);
		print_absences(trace, info);
		gmsummary_compare(trace, print_difference);
	}
	if (faults->count > 0)
		say("%s: damaged: %u problem%s", info->dir, faults->count,
		    faults->count == 1 ? "" : "s");
	else if (!options.quiet)
		say("%s: ok: %" PRIu64 " records in %u stream%s of %u rank%s%s", info->dir,
		    info->records, info->streams, info->streams == 1 ? "" : "s", info->ranks,
		    info->ranks == 1 ? "" : "s",
		    info->complete  ? ""
		    : info->running ? ", still being written"
				    : ", incomplete");
	if (fflush(stdout) || ferror(stdout))
		die("cannot write to stdout: %s", strerror(errno));
}

/* ---- reading ---- */

static void verify_share(struct reader *trace, const bool *mine, unsigned count,
			 struct faults *faults)
{
	struct verifier *verifier = verifier_new(trace, mine);

	if (!verifier)
		die("out of memory");
	for (unsigned i = 0; i < count; i++) {
		unsigned known = reader_problem_count(trace);

		if (!mine[i])
			continue;
		if (verifier_stream(verifier, i))
			die("%s", reader_error(trace));
		faults_note(faults, trace, known, i);
	}
	verifier_free(verifier);
	progress_clear();
}

static void add_share(void *faults, const struct buffer *share)
{
	faults_add(faults, share);
}

/* Ranks of a launcher have some streams each; what the first one gets is of all. */
static void verify(struct reader *trace, const struct reader_info *info, struct faults *faults)
{
	char *name = trace_name(info->dir);
	struct handin handin;
	bool *mine;

	handin_begin(&handin, trace, name, 1, 1, streams_fingerprint(trace));
	free(name);
	mine = streams_deal(trace, NULL, handin_count(&handin), handin_number(&handin));
	faults_note(faults, trace, 0, -1);
	verify_share(trace, mine, info->streams, faults);
	free(mine);
	if (handin_number(&handin) > 0) {
		struct buffer share = {0};

		faults_save(faults, &share);
		handin_give(&handin, share.bytes, share.size);
	}
	handin_take(&handin, add_share, faults);
	handin_end(&handin);
	faults_sort(faults);
}

int cmd_check(int argc, char **argv)
{
	struct reader_info info = {.sz = sizeof(info)};
	int at = options_parse(&command, argc, argv);
	struct faults faults = {0};
	struct reader *trace;
	bool damaged;

	if (argc - at > 1)
		options_usage_error(&command, "one trace at a time, not '%s' too", argv[at + 1]);
	/* the problems are the result, for stdout, and no warnings */
	message_quiet = true;
	trace = trace_open(argv[at]);
	reader_info(trace, &info);
	verify(trace, &info, &faults);
	message_quiet = options.quiet;
	reader_info(trace, &info);
	if (options.json)
		print_json(trace, &info, &faults);
	else
		print_text(trace, &info, &faults);
	trace_warn_incomplete(trace, &info);
	damaged = faults.count > 0;
	faults_release(&faults);
	reader_close(trace);
	return damaged || (options.strict && !info.complete) ? EXIT_FAILED : EXIT_DONE;
}
