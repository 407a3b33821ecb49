/* SPDX-License-Identifier: MIT */
/* cmd_functions.c - recorder functions: the functions that were traced by name, and each of their calls */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "byname.h"
#include "byname_values.h"
#include "commands.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "ranks.h"
#include "walk.h"

static const struct option_row own_rows[] = {
	{OPTION_FLAG, 0, "json", NULL, "each call, and what is known of each function, as JSON",
	 &options.json, NULL},
	OPTION_ROW_STRICT,
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"filter", option_rows_filter},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder functions",
	.synopsis = "[options] [DIR]",
	.summary = "Lists the functions of the program and of Python that were traced by name "
		   "(recorder run -t),\n"
		   "with their calls, time, file and line. DIR defaults to the newest trace in the "
		   "working directory.",
	.groups = groups,
	.examples = "  recorder run -t 'solve*' --usage -o trace -- python3 train.py\n"
		    "  recorder functions trace\n"
		    "  recorder functions --json --layers python trace >calls.json\n",
};

/* ---- text ---- */

static void put_text(struct output *output, const struct byname *byname)
{
	char line[96];

	output_text(output, "     calls       time s  layer    function\n");
	for (unsigned i = 0; i < byname->count; i++) {
		const struct byname_function *function = &byname->functions[i];

		if (function->calls == 0)
			continue;
		snprintf(line, sizeof(line), "%10" PRIu64 " %12.6f  %-8s ", function->calls,
			 (double)function->time / 1e9, function->info->layer);
		output_text(output, line);
		output_printable(output, function->info->name);
		if (function->has_source && *function->source.file) {
			output_text(output, " at ");
			output_printable(output, function->source.file);
			snprintf(line, sizeof(line), ":%" PRIu32, function->source.line);
			output_text(output, function->source.line ? line : "");
		}
		output_char(output, '\n');
	}
}

/* ---- JSON ---- */

struct calls_out {
	struct json *json;
	const struct reader *trace;
	int64_t start; /* Unix time of the trace's begin, ns */
};

/* What the system calls the process. */
static const char *process_name(const struct reader *trace, unsigned number,
				const struct reader_stream *stream)
{
	struct reader_thread thread = {.sz = sizeof(thread)};
	const char *slash = strrchr(stream->exe, '/');

	for (unsigned i = 0; !reader_thread(trace, number, i, &thread); i++)
		if (thread.main && !thread.signal && *thread.name)
			return thread.name;
	return slash ? slash + 1 : stream->exe;
}

static void put_usage(struct json *json, const struct byname_call *call)
{
	int64_t elapsed = call->tend - call->tstart, used = call->cpu_end - call->cpu_start;

	if (call->cpu_start < 0 || call->cpu_end < 0) {
		json_put_null(json, "cpu_end");
		json_put_null(json, "cpu_usage");
	} else {
		json_put_seconds(json, "cpu_end", used);
		json_put_double(json, "cpu_usage",
				elapsed > 0 ? 100.0 * (double)used / (double)elapsed : 0);
	}
	if (call->rss < 0)
		json_put_null(json, "mem_usage");
	else
		json_put_double(json, "mem_usage", (double)call->rss / 1000);
}

static void put_call(void *data, const struct byname_call *call)
{
	const struct calls_out *out = data;
	struct reader_stream stream = {.sz = sizeof(stream)};
	const char *name;

	if (reader_stream(out->trace, call->stream, &stream))
		return;
	name = process_name(out->trace, call->stream, &stream);
	json_begin(out->json, NULL, '{');
	json_put_string(out->json, "name", name);
	if (call->cpu_start < 0)
		json_put_null(out->json, "cpu_start");
	else
		json_put_seconds(out->json, "cpu_start", call->cpu_start);
	json_put_seconds(out->json, "time_start", out->start + call->tstart);
	json_put_seconds(out->json, "time_end", out->start + call->tend);
	json_put_seconds(out->json, "time_elapsed", call->tend - call->tstart);
	put_usage(out->json, call);
	json_put_unsigned(out->json, "pid", stream.pid);
	json_put_string(out->json, "process_name", name);
	if (call->record)
		byname_values(out->json, out->trace, call->record);
	json_end(out->json, '}');
}

/* "a,b" */
static void put_names(struct json *json, const char *key, const char *names)
{
	json_begin(json, key, '[');
	while (*names) {
		size_t length = strcspn(names, ",");

		json_put_bytes(json, NULL, names, length);
		names += length;
		names += *names == ',';
	}
	json_end(json, ']');
}

static const char *own_name(const struct byname_function *function)
{
	const char *dot = !strcmp(function->info->layer, "python")
				  ? strrchr(function->info->name, '.')
				  : NULL;

	return dot && dot[1] ? dot + 1 : function->info->name;
}

static void put_source(struct json *json, const struct byname_function *function)
{
	const struct reader_source *source = &function->source;

	json_begin(json, function->key, '{');
	json_put_string(json, "function", own_name(function));
	json_put_unsigned(json, "lineno", source->line);
	json_put_unsigned(json, "stacksize", source->stack);
	json_put_string(json, "filename", source->file);
	put_names(json, "args", source->args);
	if (*source->locals)
		put_names(json, "locals", source->locals);
	json_put_string(json, "module", source->module);
	json_put_string(json, "path", source->path);
	json_end(json, '}');
}

static void put_json(struct output *output, struct byname *byname, const struct reader_info *info)
{
	struct json json = {.output = output};
	struct calls_out out = {&json, byname->trace, info->start};

	json_begin(&json, NULL, '{');
	json_begin(&json, "functions", '[');
	for (unsigned i = 0; i < byname->count; i++)
		if (byname->functions[i].calls)
			json_put_string(&json, NULL, byname->functions[i].key);
	json_end(&json, ']');
	json_begin(&json, "results", '{');
	for (unsigned i = 0; i < byname->count; i++) {
		if (!byname->functions[i].calls)
			continue;
		json_begin(&json, byname->functions[i].key, '[');
		byname_calls(byname, i, put_call, &out);
		json_end(&json, ']');
	}
	json_end(&json, '}');
	json_begin(&json, "metadata", '{');
	for (unsigned i = 0; i < byname->count; i++)
		if (byname->functions[i].calls && byname->functions[i].has_source)
			put_source(&json, &byname->functions[i]);
	json_end(&json, '}');
	json_end(&json, '}');
}

/* ---- the verb ---- */

static uint64_t calls_of(const struct byname *byname)
{
	uint64_t calls = 0;

	for (unsigned i = 0; i < byname->count; i++)
		calls += byname->functions[i].calls;
	return calls;
}

static void show(struct byname *byname, const struct reader_info *info)
{
	struct output output;

	output_begin_stdout(&output);
	if (options.json)
		put_json(&output, byname, info);
	else
		put_text(&output, byname);
	output_end(&output);
	if (!calls_of(byname))
		message_note("no function was traced by name: see recorder run -t");
}

int cmd_functions(int argc, char **argv)
{
	int at = options_parse(&command, argc, argv);
	struct byname byname;
	struct walk walk;
	bool whole;

	if (argc - at > 1)
		options_usage_error(&command, "one trace at a time, not '%s' too", argv[at + 1]);
	ranks_leave_to_first();
	walk_open(&walk, argv[at]);
	byname_open(&byname, walk.trace);
	show(&byname, &walk.info);
	whole = trace_is_whole(walk.trace);
	byname_release(&byname);
	walk_close(&walk);
	return whole || !options.strict ? EXIT_DONE : EXIT_FAILED;
}
