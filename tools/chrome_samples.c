/* SPDX-License-Identifier: MIT */
/* chrome_samples.c - see chrome_samples.h */
#include "chrome_samples.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "chrome.h"
#include "usage_collect.h"

#define BINS 1024u
#define NAME_SIZE 256u
#define SERIES_MAX 4u

/* ---- as they are ---- */

/* Numbers that say of what the others are: processes are as texts. */
static bool is_identity(const struct reader_parameter *parameter)
{
	return parameter->class_ == READER_STRING || !strcmp(parameter->name, "pid");
}

/* Adds words behind the first `size` bytes, as far as there is room; how many bytes there are then. */
__attribute__((format(printf, 3, 4))) static size_t add_words(char name[NAME_SIZE], size_t size,
							      const char *format, ...)
{
	va_list args;
	int more;

	va_start(args, format);
	more = vsnprintf(name + size, NAME_SIZE - size, format, args);
	va_end(args);
	size += more > 0 ? (size_t)more : 0;
	return size < NAME_SIZE ? size : NAME_SIZE - 1;
}

/* "process 4711 python3" */
static void name_sample(char name[NAME_SIZE], const struct reader_function_info *function,
			const struct recorder_record *record)
{
	size_t size = add_words(name, 0, "%s", function->name);

	for (unsigned i = 0; i < record->arg_count && i < function->arg_count; i++) {
		const struct recorder_arg *arg = &record->args[i];

		if (!is_identity(&function->args[i]) || arg->state != RECORDER_ARG_PRESENT)
			continue;
		if (function->args[i].class_ == READER_STRING)
			size = add_words(name, size, " %.*s", (int)arg->count, arg->bytes);
		else
			size = add_words(name, size, " %" PRId64, arg->i64);
	}
}

static void put_key(struct out_events *events, const char *key, bool first)
{
	output_text(events->output, first ? "\"" : ",\"");
	output_text(events->output, key);
	output_text(events->output, "\":");
}

/* Of readings negative ones are none (system/sample_forms.h). */
static bool is_number(const struct reader_parameter *parameter, const struct recorder_arg *arg)
{
	return parameter->class_ == READER_INT && !is_identity(parameter) &&
	       arg->state == RECORDER_ARG_PRESENT &&
	       (arg->i64 >= 0 || strcmp(parameter->kind, "reading") != 0);
}

void chrome_put_sample(struct out_events *events, const struct recorder_record *record,
		       uint32_t tid)
{
	const struct reader_function_info *function = reader_function(events->trace, record);
	char name[NAME_SIZE];
	bool first = true;

	name_sample(name, function, record);
	chrome_counter(events, name, "sample", lanes_pid(events->lanes, record->stream), tid,
		       record->tstart);
	for (unsigned i = 0; i < record->arg_count && i < function->arg_count; i++) {
		if (!is_number(&function->args[i], &record->args[i]))
			continue;
		put_key(events, function->args[i].name, first);
		output_i64(events->output, record->args[i].i64);
		first = false;
	}
	output_text(events->output, "}}");
}

/* ---- what they amount to ---- */

/* A counter, and what its series are called. */
static const struct track {
	const char *name;
	unsigned decimals;
	struct {
		const char *name;
		enum usage_kind kind;
	} series[SERIES_MAX];
} tracks[] = {
	{"CPUs, %",
	 1,
	 {{"user", USAGE_cpu_user},
	  {"system", USAGE_cpu_system},
	  {"iowait", USAGE_cpu_iowait},
	  {"steal", USAGE_cpu_steal}}},
	{"memory, bytes", 0, {{"used", USAGE_memory_used}}},
	{"disks, bytes/s", 0, {{"read", USAGE_disk_read}, {"written", USAGE_disk_written}}},
	{"network, bytes/s",
	 0,
	 {{"received", USAGE_network_received}, {"sent", USAGE_network_sent}}},
	{"pressure, %",
	 1,
	 {{"cpu", USAGE_pressure_cpu},
	  {"io", USAGE_pressure_io},
	  {"memory", USAGE_pressure_memory}}},
	{"GPUs, %", 1, {{"busy", USAGE_gpu_sm}, {"memory busy", USAGE_gpu_memory_busy}}},
	{"GPU memory, bytes", 0, {{"used", USAGE_gpu_used}}},
	{"GPU power, W", 1, {{"power", USAGE_gpu_power}}},
	{"job's CPU, %", 1, {{"program", USAGE_program_cpu}, {"workers", USAGE_worker_cpu}}},
	{"job's memory, bytes", 0, {{"program", USAGE_program_rss}, {"workers", USAGE_worker_rss}}},
	{"job's calls, bytes/s",
	 0,
	 {{"program read", USAGE_program_reads},
	  {"program written", USAGE_program_writes},
	  {"workers read", USAGE_worker_reads},
	  {"workers written", USAGE_worker_writes}}},
	{"job at disks, bytes/s",
	 0,
	 {{"program read", USAGE_program_read},
	  {"program written", USAGE_program_written},
	  {"workers read", USAGE_worker_read},
	  {"workers written", USAGE_worker_written}}},
};

/* Of a node, and what was put last: of each series, in units of its last decimal; -1: nothing is known yet. */
struct drawing {
	struct out_events *events;
	const struct usage_node *node;
	const struct track *track;
	bool begun;
	int64_t last[SERIES_MAX];
};

/* NULL: the track has no such series, or it was never anything and is left out. */
static const struct usage_value *value_of(const struct drawing *drawing, unsigned i)
{
	const struct usage_value *value = &drawing->node->values[drawing->track->series[i].kind];

	return drawing->track->series[i].name && value->most > 0 ? value : NULL;
}

static void put_values(struct drawing *drawing, int64_t time)
{
	struct out_events *events = drawing->events;
	uint32_t pid = lanes_pid(events->lanes, drawing->node->stream);
	bool first = true;

	chrome_counter(events, drawing->track->name, "usage", pid, pid, time);
	for (unsigned i = 0; i < SERIES_MAX; i++) {
		int64_t value = drawing->last[i] > 0 ? drawing->last[i] : 0;

		if (!value_of(drawing, i))
			continue;
		put_key(events, drawing->track->series[i].name, first);
		if (drawing->track->decimals)
			output_decimal(events->output, value, drawing->track->decimals);
		else
			output_i64(events->output, value);
		first = false;
	}
	output_text(events->output, "}}");
	drawing->begun = true;
}

/* Whether a bin has other values than those before; one of which nothing is known has the same. */
static bool take_bin(struct drawing *drawing, unsigned bin)
{
	double scale = drawing->track->decimals ? 10 : 1;
	bool changed = false;

	for (unsigned i = 0; i < SERIES_MAX; i++) {
		const struct usage_value *value = value_of(drawing, i);
		double is = value ? usage_at(value, bin) * scale : NAN;

		if (isnan(is) || is > 9e18 || llround(is) == drawing->last[i])
			continue;
		drawing->last[i] = llround(is);
		changed = true;
	}
	return changed;
}

static void put_track(struct out_events *events, const struct usage *usage,
		      const struct usage_node *node, const struct track *track)
{
	struct drawing drawing = {
		.events = events, .node = node, .track = track, .last = {-1, -1, -1, -1}};
	int64_t end = usage->begin + usage->bins * usage->width;

	for (unsigned bin = 0; bin < usage->bins; bin++)
		if (take_bin(&drawing, bin))
			put_values(&drawing, usage->begin + bin * usage->width);
	if (!drawing.begun)
		return;
	/* viewers draw the last value to the end */
	memset(drawing.last, 0, sizeof(drawing.last));
	put_values(&drawing, node->end < end ? node->end : end);
}

int chrome_put_usage(struct out_events *events, struct reader *trace, int64_t begin, int64_t end)
{
	struct usage usage;
	int error = usage_collect(&usage, trace, begin, end, BINS);

	for (unsigned i = 0; !error && i < usage.node_count; i++) {
		chrome_name_process(events, usage.nodes[i].stream);
		for (unsigned k = 0; k < sizeof(tracks) / sizeof(tracks[0]); k++)
			put_track(events, &usage, &usage.nodes[i], &tracks[k]);
	}
	usage_release(&usage);
	return error;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(names_of_counters_are_cut)
{
	char name[NAME_SIZE], text[2 * NAME_SIZE] = "";
	size_t size;

	memset(text, 'x', sizeof(text) - 1);
	EXPECT_EQ(add_words(name, 0, "%s", "disk"), 4);
	size = add_words(name, 4, " %s", "sda");
	EXPECT_EQ(size, 8);
	EXPECT_STR(name, "disk sda");
	size = add_words(name, size, " %s", text);
	EXPECT_EQ(size, NAME_SIZE - 1);
	EXPECT_EQ(strlen(name), size);
	EXPECT_EQ(add_words(name, size, " %s", text), NAME_SIZE - 1);
	EXPECT_EQ(add_words(name, 0, "%s", text), NAME_SIZE - 1);
}
#endif
