/* SPDX-License-Identifier: MIT */
/* recorder2collapsed.c - a trace as collapsed stacks, for flame graphs */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collapsed.h"
#include "handin.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "streamshare.h"
#include "walk.h"

static const char *output_path;
static bool force, nesting;
static enum collapsed_weight weight;
static enum collapsed_roots roots;

static int parse_weight(const char *value)
{
	static const char *const names[] = {"time", "bytes", "calls"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(value, names[i])) {
			weight = (enum collapsed_weight)i;
			return 0;
		}
	return -EINVAL;
}

static int parse_by(const char *value)
{
	static const char *const names[] = {"trace", "rank", "thread"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(value, names[i])) {
			roots = (enum collapsed_roots)i;
			return 0;
		}
	return -EINVAL;
}

static const struct option_row own_rows[] = {
	{OPTION_TEXT, 'o', "output", "FILE",
	 "write to FILE, '-' for stdout (default: NAME.collapsed here)", &output_path, NULL},
	{OPTION_FLAG, 0, "force", NULL, "replace FILE if it exists", &force, NULL},
	{OPTION_CALL, 0, "weight", "WHAT", "what frames weigh: time (ns, default), bytes or calls",
	 NULL, parse_weight},
	{OPTION_CALL, 0, "by", "WHAT", "one graph of the trace (default), each rank or thread",
	 NULL, parse_by},
	{OPTION_FLAG, 0, "nesting", NULL,
	 "recorded calls in each other, also where stacks are known", &nesting, NULL},
	{OPTION_COUNT, 'j', "jobs", "N", "processes that work (default: CPUs)", &options.jobs,
	 NULL},
	OPTION_ROW_STRICT,
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"filter", option_rows_filter},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder2collapsed",
	.synopsis = "[options] [DIR]",
	.summary =
		"Converts a trace to collapsed stacks, a line for each, for flame graphs. A call "
		"lies in its\n"
		"call stack, if the trace was recorded with RECORDER_STACKS, else in the recorded "
		"calls around\n"
		"it: H5Dwrite;MPI_File_write_at;pwrite. DIR defaults to the newest trace in the "
		"working directory.",
	.groups = groups,
	.examples = "  recorder2collapsed trace                          trace.collapsed\n"
		    "  recorder2collapsed -o - trace | flamegraph.pl >trace.svg\n"
		    "  recorder2collapsed --weight bytes --by rank --layers mpiio,posix trace\n",
};

/* ---- reading ---- */

static void read_stream(struct collapsed *collapsed, struct reader *trace, unsigned stream)
{
	struct reader_filter filter = options.filter;
	const struct recorder_record *record;
	struct reader_cursor *cursor;
	char number[16];

	snprintf(number, sizeof(number), "%u", stream);
	filter.streams = number;
	cursor = reader_cursor_new(trace, &filter);
	if (!cursor)
		die("%s", reader_error(trace));
	collapsed_stream(collapsed);
	while ((record = reader_next(cursor)))
		collapsed_call(collapsed, record);
	if (reader_cursor_status(cursor))
		die("%s", reader_error(trace));
	reader_cursor_free(cursor);
}

static void read_share(struct collapsed *collapsed, struct reader *trace, const bool *mine,
		       unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		if (mine[i])
			read_stream(collapsed, trace, i);
		progress_report("reading", i + 1, count);
	}
	progress_clear();
}

/* ---- together ---- */

static _Noreturn void give_lines(struct handin *handin, const struct collapsed *collapsed)
{
	struct buffer lines = {0};

	collapsed_lines(collapsed, true, &lines);
	handin_give(handin, lines.bytes, lines.size);
}

static void add_lines(void *data, const struct buffer *lines)
{
	struct collapsed *collapsed = data;
	const char *line = (const char *)lines->bytes, *end = line + lines->size;

	while (line < end) {
		const char *line_end = memchr(line, '\n', (size_t)(end - line));

		collapsed_add(collapsed, line, (size_t)(line_end - line));
		line = line_end + 1;
	}
}

static void write_lines(const struct collapsed *collapsed)
{
	struct output_options output_options = {.force = force, .jobs = 1};
	struct buffer lines = {0};
	struct output output;

	output_begin(&output, output_path, &output_options);
	collapsed_lines(collapsed, false, &lines);
	if (lines.size > 0)
		output_bytes(&output, (const char *)lines.bytes, lines.size);
	buffer_release(&lines);
	output_end(&output);
}

static void convert(struct reader *trace, const struct reader_info *info)
{
	struct collapsed collapsed = {.trace = trace, .weight = weight, .roots = roots};
	bool *wanted = streams_wanted(trace), *mine;
	struct call_kinds *kinds;
	struct handin handin;

	collapsed.callsites = callsites_shared(trace);
	collapsed.kinds = kinds = call_kinds_new(trace);
	if (!kinds)
		die("out of memory");
	if (!nesting)
		collapsed.callstacks = callstacks_new(trace, collapsed.callsites);
	if (!nesting && !collapsed.callstacks)
		die("out of memory");
	handin_begin(&handin, trace, strcmp(output_path, "-") ? output_path : "collapsed",
		     options_jobs(), info->streams, streams_fingerprint(trace));
	mine = streams_deal(trace, wanted, handin_count(&handin), handin_number(&handin));
	read_share(&collapsed, trace, mine, info->streams);
	if (handin_number(&handin) > 0)
		give_lines(&handin, &collapsed);
	handin_take(&handin, add_lines, &collapsed);
	write_lines(&collapsed);
	handin_end(&handin);
	callstacks_free(collapsed.callstacks);
	collapsed_release(&collapsed);
	call_kinds_free(kinds);
	free(wanted);
	free(mine);
}

int main(int argc, char **argv)
{
	struct walk walk;
	int at = options_parse(&command, argc, argv);
	char *path = NULL;
	bool whole;

	if (argc - at > 1)
		options_usage_error(&command, "one trace at a time, not '%s' too", argv[at + 1]);
	message_quiet |= ranks_follows();
	walk_open(&walk, argv[at]);
	if (!output_path)
		output_path = path = trace_output_path(walk.info.dir, "collapsed");
	convert(walk.trace, &walk.info);
	whole = trace_is_whole(walk.trace);
	reader_close(walk.trace);
	free(path);
	return options.strict && !whole ? EXIT_FAILED : EXIT_DONE;
}
