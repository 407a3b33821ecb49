/* SPDX-License-Identifier: MIT */
/*
 * cmd_system_summary.c - recorder system summary: what machines and processes used, by samples; system calls by count and time, where the kernel was asked.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/sumvalues.h"
#include "commands.h"
#include "json.h"
#include "message.h"
#include "metavalue.h"
#include "options.h"
#include "usage_collect.h"
#include "walk.h"

static const struct option_group groups[] = {{"output", option_rows_table},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder system summary",
	.synopsis = "[options] [DIR]",
	.summary = "Prints, for each node that was sampled, least, mean and most of what CPUs, "
		   "GPUs, memory, disks, network\n"
		   "and processes used; and system calls by time, where they were recorded in the "
		   "kernel.\n"
		   "DIR defaults to the newest trace in the working directory.",
	.groups = groups,
	.examples = "  recorder run --sample -o trace -- ./app\n"
		    "  recorder system summary trace\n"
		    "  recorder system summary --json trace\n",
};

/* System calls ------------------------------------------------------------------------ */

struct call_sum {
	const char *name;
	uint64_t calls, time; /* ns */
};

struct call_sums {
	struct call_sum *by_function;
	unsigned count; /* functions of the trace */
	bool has_calls; /* and not sums alone */
};

static void take_calls(struct call_sums *sums, struct reader *trace)
{
	struct reader_filter filter = {.sz = sizeof(filter),
				       .order = READER_BY_END,
				       .layers = "kernel"};
	struct reader_cursor *cursor = reader_cursor_new(trace, &filter);
	const struct recorder_record *record;

	if (!cursor)
		die("%s", reader_error(trace));
	while ((record = reader_next(cursor))) {
		const struct reader_function_info *function = reader_function(trace, record);
		struct call_sum *sum = &sums->by_function[record->func_id];

		sum->name = function->name;
		if (sum_is(function)) {
			struct sum_values values = sum_values_of(trace, record);

			sum->calls += (uint64_t)values.count;
			sum->time += (uint64_t)values.time;
			continue;
		}
		sums->has_calls = true;
		sum->calls += record->repeat;
		sum->time += (uint64_t)(record->tend - record->tstart);
	}
	if (reader_cursor_status(cursor))
		die("%s", reader_error(trace));
	reader_cursor_free(cursor);
}

static int by_time(const void *a, const void *b)
{
	const struct call_sum *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? 1 : -1;
	if (x->calls != y->calls)
		return x->calls < y->calls ? 1 : -1;
	return x->name && y->name ? strcmp(x->name, y->name) : !x->name - !y->name;
}

/* Those that were called, the longest first. */
static void collect_calls(struct call_sums *sums, struct reader *trace)
{
	unsigned count = reader_function_count(trace), used = 0;

	*sums = (struct call_sums){.by_function =
					   calloc((size_t)count + 1, sizeof(*sums->by_function))};
	if (!sums->by_function)
		die("out of memory");
	take_calls(sums, trace);
	for (unsigned i = 0; i < count; i++) {
		const struct reader_function_info *function = reader_function_by_id(trace, i);

		/* a trace with both counts them twice */
		if (sums->by_function[i].calls > 0 && !(sums->has_calls && sum_is(function)))
			sums->by_function[used++] = sums->by_function[i];
	}
	sums->count = used;
	qsort(sums->by_function, used, sizeof(*sums->by_function), by_time);
}

/* Output ------------------------------------------------------------------------------ */

/* In the largest unit that leaves a digit before the point. */
static void put_scaled(double value, const char *unit)
{
	static const char *const scales[] = {"", "K", "M", "G", "T"};
	unsigned scale = 0;

	while (value >= 999.5 && *unit == 'B' && scale < 4) {
		value /= 1000;
		scale++;
	}
	printf(" %8.*f %s%-*s", value < 99.95 ? 1 : 0, value, scales[scale],
	       (int)(4 - strlen(scales[scale])), unit);
}

static void text_node(const struct usage_node *node)
{
	printf("node %s: ", node->host);
	if (node->samples > 0)
		printf("%u samples in %.3f s, ", node->samples,
		       (double)(node->end - node->begin) / 1e9);
	printf("%u process%s of the program, %u that it forked of itself\n", node->programs,
	       node->programs == 1 ? "" : "es", node->workers);
	printf("%-20s %13s %13s %13s\n", "", "least", "mean", "most");
	for (unsigned i = 0; i < USAGE_COUNT; i++) {
		const struct usage_value *value = &node->values[i];

		if (value->time == 0)
			continue;
		printf("  %-18s", usage_name(i));
		put_scaled(value->least, usage_unit(i));
		put_scaled(usage_mean(value), usage_unit(i));
		put_scaled(value->most, usage_unit(i));
		printf("\n");
	}
	if (node->calls_from_kernel)
		printf("  reads and writes are those of files by system calls, as the kernel told "
		       "them\n");
	if (node->blocks_from_kernel)
		printf("  read and written is by requests to block devices, as the kernel told "
		       "them\n");
}

static void text_all(const struct usage *usage, const struct call_sums *calls)
{
	unsigned samples = 0;

	for (unsigned i = 0; i < usage->node_count; i++) {
		text_node(&usage->nodes[i]);
		samples += usage->nodes[i].samples;
	}
	if (samples == 0)
		printf("no samples: recorder run --sample makes some\n");
	if (calls->count > 0)
		printf("system calls                calls          time\n");
	for (unsigned i = 0; i < calls->count; i++)
		printf("  %-20s %10" PRIu64 " %11.6f s\n", calls->by_function[i].name,
		       calls->by_function[i].calls, (double)calls->by_function[i].time / 1e9);
}

static void csv_all(const struct usage *usage, const struct call_sums *calls)
{
	struct output output;

	output_begin_stdout(&output);
	output_text(&output, "node,what,unit,least,mean,most,calls,ns\n");
	for (unsigned i = 0; i < usage->node_count; i++)
		for (unsigned k = 0; k < USAGE_COUNT; k++) {
			const struct usage_value *value = &usage->nodes[i].values[k];
			char numbers[128];

			if (value->time == 0)
				continue;
			output_csv(&output, usage->nodes[i].host);
			snprintf(numbers, sizeof(numbers), ",%s,%s,%.3f,%.3f,%.3f,,\n",
				 usage_name(k), usage_unit(k), value->least, usage_mean(value),
				 value->most);
			output_text(&output, numbers);
		}
	for (unsigned i = 0; i < calls->count; i++) {
		output_text(&output, ",");
		output_csv(&output, calls->by_function[i].name);
		output_text(&output, ",,,,,");
		output_u64(&output, calls->by_function[i].calls);
		output_text(&output, ",");
		output_u64(&output, calls->by_function[i].time);
		output_text(&output, "\n");
	}
	output_end(&output);
}

static void json_node(struct json *json, const struct reader *trace, const struct usage_node *node)
{
	json_begin(json, NULL, '{');
	json_put_string(json, "node", node->host);
	json_put_unsigned(json, "samples", node->samples);
	json_put_seconds(json, "seconds", node->end - node->begin);
	json_put_unsigned(json, "programs", node->programs);
	json_put_unsigned(json, "workers", node->workers);
	json_put_string(json, "missing", meta_text(trace, node->stream, "sampler.missing"));
	json_put_string(json, "gpu_missing", meta_text(trace, node->stream, "gpu.missing"));
	json_put_string(json, "instead", meta_text(trace, node->stream, "sampler.instead"));
	json_put_bool(json, "calls_from_kernel", node->calls_from_kernel);
	json_put_bool(json, "blocks_from_kernel", node->blocks_from_kernel);
	json_begin(json, "values", '{');
	for (unsigned i = 0; i < USAGE_COUNT; i++) {
		const struct usage_value *value = &node->values[i];

		if (value->time == 0)
			continue;
		json_begin(json, usage_name(i), '{');
		json_put_string(json, "unit", usage_unit(i));
		json_put_double(json, "least", value->least);
		json_put_double(json, "mean", usage_mean(value));
		json_put_double(json, "most", value->most);
		json_end(json, '}');
	}
	json_end(json, '}');
	json_end(json, '}');
}

static void json_all(const struct reader *trace, const struct usage *usage,
		     const struct call_sums *calls)
{
	struct output output;
	struct json json = {.output = &output};

	output_begin_stdout(&output);
	json_begin(&json, NULL, '{');
	json_begin(&json, "nodes", '[');
	for (unsigned i = 0; i < usage->node_count; i++)
		json_node(&json, trace, &usage->nodes[i]);
	json_end(&json, ']');
	json_begin(&json, "calls", '[');
	for (unsigned i = 0; i < calls->count; i++) {
		json_begin(&json, NULL, '{');
		json_put_string(&json, "name", calls->by_function[i].name);
		json_put_unsigned(&json, "calls", calls->by_function[i].calls);
		json_put_seconds(&json, "seconds", (int64_t)calls->by_function[i].time);
		json_end(&json, '}');
	}
	json_end(&json, ']');
	json_end(&json, '}');
	output_end(&output);
}

int cmd_system_summary(int argc, char **argv)
{
	int first = options_parse(&command, argc, argv), error;
	struct reader_info info = {.sz = sizeof(info)};
	struct call_sums calls;
	struct reader *trace;
	struct usage usage;

	if (first + 1 < argc)
		options_usage_error(&command, "more than one trace");
	trace = trace_open(first < argc ? argv[first] : NULL);
	reader_info(trace, &info);
	error = usage_collect(&usage, trace, 0, info.duration, 1);
	if (error)
		die("cannot read the samples: %s", strerror(-error));
	collect_calls(&calls, trace);
	if (options.json)
		json_all(trace, &usage, &calls);
	else if (options.csv)
		csv_all(&usage, &calls);
	else
		text_all(&usage, &calls);
	if (fflush(stdout) || ferror(stdout))
		die("cannot write to stdout");
	free(calls.by_function);
	usage_release(&usage);
	reader_close(trace);
	return EXIT_DONE;
}
