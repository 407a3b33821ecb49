/* SPDX-License-Identifier: MIT */
/* cmd_stacks.c - recorder stacks: which places in the program make calls, how long and how much */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgroups.h"
#include "commands.h"
#include "handin.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "streamshare.h"

enum weight { BY_TIME, BY_SELF, BY_BYTES, BY_CALLS };

static const char *const weights[] = {"time", "self", "bytes", "calls"};
static enum weight weight;
static bool weighed, by_stack, collapse;
static unsigned top;

static int parse_weight(const char *value)
{
	for (size_t i = 0; i < sizeof(weights) / sizeof(weights[0]); i++)
		if (!strcmp(value, weights[i])) {
			weight = (enum weight)i;
			weighed = true;
			return 0;
		}
	return -EINVAL;
}

static int parse_by(const char *value)
{
	by_stack = !strcmp(value, "stack");
	return by_stack || !strcmp(value, "callsite") ? 0 : -EINVAL;
}

static const struct option_row own_rows[] = {
	{OPTION_CALL, 0, "by", "WHAT", "put calls together by callsite (default) or stack", NULL,
	 parse_by},
	{OPTION_CALL, 0, "weight", "WHAT", "most of this first: time, self, bytes or calls", NULL,
	 parse_weight},
	{OPTION_COUNT, 'n', "top", "N", "only the first N", &top, NULL},
	{OPTION_FLAG, 0, "collapse", NULL, "a line for each stack, for flame graphs", &collapse,
	 NULL},
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"output", option_rows_table},
					     {"filter", option_rows_filter},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder stacks",
	.synopsis = "[options] [DIR]",
	.summary =
		"Says which places in the program make calls: function, file and line, with number "
		"of calls,\n"
		"time, time less that of calls below (self), and bytes. Call stacks are there if "
		"the trace was\n"
		"recorded with RECORDER_STACKS. DIR defaults to the newest trace in the working "
		"directory.",
	.groups = groups,
	.examples = "  recorder stacks --layers mpi trace\n"
		    "  recorder stacks --by stack --weight bytes --top 10 trace\n"
		    "  recorder stacks --collapse trace | flamegraph.pl >trace.svg\n",
};

/* ---- order ---- */

static int64_t weight_of(const struct call_group *group)
{
	switch (weight) {
	case BY_TIME:
		return group->time;
	case BY_SELF:
		return group->self;
	case BY_BYTES:
		return group->bytes;
	case BY_CALLS:
		break;
	}
	return (int64_t)group->calls;
}

static const char *place_text(const struct call_group *group)
{
	return group->stack ? group->stack->text : group->site->text;
}

#define ORDER(x, y) (((x) > (y)) - ((x) < (y)))

static int compare_sites(const struct callsite *x, const struct callsite *y)
{
	int order = strcmp(x->module, y->module);

	if (!order)
		order = ORDER(x->offset, y->offset);
	return !order && x->source && y->source ? strcmp(x->source->file, y->source->file) : order;
}

/* Of equal text: there may be several calls in a line. */
static int compare_places(const struct call_group *x, const struct call_group *y)
{
	int order = compare_sites(x->site, y->site);

	for (unsigned i = 0; x->stack && !order && i < x->stack->count && i < y->stack->count; i++)
		order = compare_sites(x->stack->frames[i].site, y->stack->frames[i].site);
	return order;
}

/* Equal weights by all that is shown, so that the same trace always gives the same text. */
static int compare(const void *a, const void *b)
{
	const struct call_group *x = a, *y = b;
	int order = ORDER(weight_of(y), weight_of(x));

	order = order ? order : strcmp(place_text(x), place_text(y));
	order = order ? order : ORDER(x->func_id, y->func_id);
	order = order ? order : compare_places(x, y);
	order = order ? order : ORDER(y->time, x->time);
	order = order ? order : ORDER(y->self, x->self);
	order = order ? order : ORDER(y->bytes, x->bytes);
	return order ? order : ORDER(y->calls, x->calls);
}

static size_t shown_count(const struct call_groups *found)
{
	return top && top < found->count ? top : found->count;
}

static const struct reader_function_info *function_of(const struct call_groups *found,
						      const struct call_group *group)
{
	return reader_function_by_id(found->trace, group->func_id);
}

/* ---- text and CSV ---- */

static void put_text(struct output *output, const struct call_groups *found)
{
	char line[160];

	output_text(output, "      time s       self s      calls           bytes  function at "
			    "call site\n");
	for (size_t i = 0; i < shown_count(found); i++) {
		const struct call_group *group = &found->list[i];

		snprintf(line, sizeof(line), "%12.6f %12.6f %10" PRIu64 " %15" PRId64 "  ",
			 (double)group->time / 1e9, (double)group->self / 1e9, group->calls,
			 group->bytes);
		output_text(output, line);
		output_printable(output, function_of(found, group)->name);
		output_text(output, " at ");
		output_printable(output, place_text(group));
		output_char(output, '\n');
	}
}

static void put_csv(struct output *output, const struct call_groups *found)
{
	output_text(output, "layer,function,calls,time,self,bytes,place\n");
	for (size_t i = 0; i < shown_count(found); i++) {
		const struct call_group *group = &found->list[i];

		output_csv(output, function_of(found, group)->layer);
		output_char(output, ',');
		output_csv(output, function_of(found, group)->name);
		output_char(output, ',');
		output_u64(output, group->calls);
		output_char(output, ',');
		output_decimal(output, group->time, 9);
		output_char(output, ',');
		output_decimal(output, group->self, 9);
		output_char(output, ',');
		output_i64(output, group->bytes);
		output_char(output, ',');
		output_csv(output, place_text(group));
		output_char(output, '\n');
	}
}

/* ---- JSON ---- */

static void json_place(struct json *json, const char *key, const struct callsite *site,
		       const struct source_line *line)
{
	json_begin(json, key, '{');
	json_put_string(json, "function", line ? line->function : "");
	json_put_string(json, "file", line ? line->file : "");
	json_put_unsigned(json, "line", line ? line->line : 0);
	json_put_string(json, "module", site->module);
	json_put_unsigned(json, "offset", site->offset);
	json_end(json, '}');
}

static void json_stack(struct json *json, const struct callstack *stack)
{
	json_begin(json, "stack", '[');
	for (unsigned i = 0; i < stack->count; i++)
		json_place(json, NULL, stack->frames[i].site, stack->frames[i].line);
	json_end(json, ']');
	json_put_bool(json, "cut", stack->cut);
}

static void put_json(struct output *output, const struct call_groups *found,
		     const struct reader_info *info)
{
	struct json json = {.output = output};

	json_begin(&json, NULL, '{');
	json_put_string(&json, "dir", info->dir);
	json_put_string(&json, "by", by_stack ? "stack" : "callsite");
	json_begin(&json, "groups", '[');
	for (size_t i = 0; i < shown_count(found); i++) {
		const struct call_group *group = &found->list[i];

		json_begin(&json, NULL, '{');
		json_put_string(&json, "layer", function_of(found, group)->layer);
		json_put_string(&json, "function", function_of(found, group)->name);
		json_put_unsigned(&json, "calls", group->calls);
		json_put_seconds(&json, "time", group->time);
		json_put_seconds(&json, "self", group->self);
		json_put_integer(&json, "bytes", group->bytes);
		if (group->stack)
			json_stack(&json, group->stack);
		else
			json_place(&json, "callsite", group->site, group->site->source);
		json_end(&json, '}');
	}
	json_end(&json, ']');
	json_end(&json, '}');
}

/* ---- collapsed ---- */

/* A semicolon ends a frame there. */
static void put_frame(struct output *output, const char *name)
{
	output_without(output, name, ';', ':');
	output_char(output, ';');
}

static void put_collapsed(struct output *output, const struct call_groups *found)
{
	for (size_t i = 0; i < shown_count(found); i++) {
		const struct call_group *group = &found->list[i];

		if (weight_of(group) <= 0)
			continue;
		if (group->stack->cut)
			output_text(output, "[cut];");
		for (unsigned k = group->stack->count; k-- > 0;) {
			const struct call_frame *frame = &group->stack->frames[k];
			char *text;

			if (frame->line && *frame->line->function) {
				put_frame(output, frame->line->function);
				continue;
			}
			text = callsite_text(frame->site, frame->line);
			if (!text)
				die("out of memory");
			put_frame(output, text);
			free(text);
		}
		output_printable(output, function_of(found, group)->name);
		output_char(output, ' ');
		output_i64(output, weight_of(group));
		output_char(output, '\n');
	}
}

/* ---- the verb ---- */

static void put_all(struct output *output, const struct call_groups *found,
		    const struct reader_info *info)
{
	if (collapse)
		put_collapsed(output, found);
	else if (options.json)
		put_json(output, found, info);
	else if (options.csv)
		put_csv(output, found);
	else
		put_text(output, found);
}

static void show(const struct call_groups *found, const struct reader_info *info)
{
	struct output output;

	output_begin_stdout(&output);
	put_all(&output, found, info);
	output_end(&output);
}

static void add_share(void *data, const struct buffer *share)
{
	int error = call_groups_add(data, share);

	if (error)
		die("cannot add what another process has found: %s", strerror(-error));
}

/* Ranks of a launcher have some streams each; what the first one gets is of all. */
static void find(struct walk *walk, struct call_groups *found)
{
	char *name = trace_name(walk->info.dir);
	struct handin handin;
	int error;

	/* functions are said by their numbers */
	handin_begin(&handin, walk->trace, name, 1, 1,
		     streams_fingerprint(walk->trace) + reader_function_count(walk->trace));
	free(name);
	walk_by_stream(walk, handin_count(&handin), handin_number(&handin));
	error = walk_run(walk, &call_groups_ops, found);
	if (error)
		die("%s", strerror(-error));
	if (handin_number(&handin) > 0) {
		struct buffer share = {0};

		call_groups_save(found, &share);
		handin_give(&handin, share.bytes, share.size);
	}
	handin_take(&handin, add_share, found);
	handin_end(&handin);
	trace_warn_nothing(found->count);
}

int cmd_stacks(int argc, char **argv)
{
	int at = options_parse(&command, argc, argv);
	struct walk walk;
	struct call_groups found = {0};

	if (argc - at > 1)
		options_usage_error(&command, "one trace at a time, not '%s' too", argv[at + 1]);
	if (collapse && (options.json || options.csv))
		options_usage_error(&command, "--collapse is a form of its own, not --%s",
				    options.json ? "json" : "csv");
	if (collapse && !weighed)
		weight = BY_SELF;
	by_stack |= collapse;
	found.by_stack = by_stack;
	message_quiet |= ranks_follows(); /* the first tells of what all find */
	walk_open(&walk, argv[at]);
	find(&walk, &found);
	if (by_stack && found.count && !found.with_stack)
		message_warn("no call has a stack, only its call site: record with "
			     "RECORDER_STACKS=N for more");
	if (found.count)
		qsort(found.list, found.count, sizeof(*found.list), compare);
	show(&found, &walk.info);
	call_groups_release(&found);
	walk_close(&walk);
	return EXIT_DONE;
}
