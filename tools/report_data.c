/* SPDX-License-Identifier: MIT */
/* report_data.c - see report_data.h */
#include "report_data.h"

#include <stdlib.h>
#include <string.h>

#include "completeness.h"
#include "json.h"
#include "metavalue.h"
#include "options.h"

/* Compact JSON ------------------------------------------------------------------------- */

static void put_key(struct report_json *json, const char *key)
{
	if (json->filled)
		output_char(json->output, ',');
	json->filled = true;
	if (!key)
		return;
	json_string(json->output, key, strlen(key), true);
	output_char(json->output, ':');
}

void report_open(struct report_json *json, const char *key, char open)
{
	put_key(json, key);
	output_char(json->output, open);
	json->filled = false;
}

void report_close(struct report_json *json, char close)
{
	output_char(json->output, close);
	json->filled = true;
}

void report_text(struct report_json *json, const char *key, const char *text)
{
	put_key(json, key);
	json_string(json->output, text, strnlen(text, REPORT_TEXT), true);
}

void report_number(struct report_json *json, const char *key, int64_t value)
{
	put_key(json, key);
	json_integer(json->output, value);
}

void report_count(struct report_json *json, const char *key, uint64_t value)
{
	put_key(json, key);
	json_unsigned(json->output, value);
}

void report_bool(struct report_json *json, const char *key, bool value)
{
	put_key(json, key);
	output_text(json->output, value ? "true" : "false");
}

void report_table(struct report_json *json, const char *key, const char *columns)
{
	report_open(json, key, '{');
	report_open(json, "columns", '[');
	while (*columns) {
		size_t length = strcspn(columns, " ");

		put_key(json, NULL);
		json_string(json->output, columns, length, true);
		columns += length + (columns[length] != '\0');
	}
	report_close(json, ']');
	report_open(json, "rows", '[');
}

/* The trace ---------------------------------------------------------------------------- */

static void put_losses(struct report_json *json, const struct reader *trace)
{
	struct losses losses;

	losses_collect(&losses, trace);
	report_table(json, "losses", "reason meaning records");
	for (size_t i = 0; i < losses.count; i++) {
		report_open(json, NULL, '[');
		report_text(json, NULL, losses.list[i].reason);
		report_text(json, NULL, loss_meaning(losses.list[i].reason));
		report_count(json, NULL, losses.list[i].records);
		report_close(json, ']');
	}
	report_close(json, ']');
	report_close(json, '}');
	losses_release(&losses);
}

static void put_absent(struct report_json *json, const struct summary *summary)
{
	struct absences absences;
	char *text;

	absences_collect(&absences, summary->trace);
	text = absences_text(&absences, summary->info.worlds);
	report_text(json, "absent", text ? text : "");
	free(text);
	absences_release(&absences);
}

static void put_problems(struct report_json *json, const struct reader *trace)
{
	unsigned count = reader_problem_count(trace);

	report_count(json, "problem_count", count);
	report_open(json, "problems", '[');
	for (unsigned i = 0; i < count && i < 100; i++)
		report_text(json, NULL, reader_problem(trace, i));
	report_close(json, ']');
}

/* The program is that of the first rank, as in the summary. */
static void put_program(struct report_json *json, const struct summary *summary)
{
	const struct analysis_rank *rank = analysis_rank(summary->analysis, 0);
	struct reader_stream stream = {.sz = sizeof(stream), .argv = "", .exe = "", .cwd = ""};

	if (rank)
		reader_stream(summary->trace, rank->main_stream, &stream);
	report_text(json, "program", *stream.argv ? stream.argv : stream.exe);
	report_text(json, "cwd", stream.cwd);
}

/* The largest error of the clocks of all streams against each other; -1: not known of one. */
static int64_t clock_error(const struct summary *summary)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	int64_t most = 0;

	for (unsigned i = 0; i < summary->info.streams; i++) {
		if (reader_stream(summary->trace, i, &stream) || stream.clock_error < 0)
			return -1;
		if (stream.clock_error > most)
			most = stream.clock_error;
	}
	return most;
}

/* Whether conditions leave something out. */
static bool is_filtered(void)
{
	const struct reader_filter *filter = &options.filter;

	return filter->ranks || filter->worlds || filter->tids || filter->streams ||
	       filter->levels || filter->layers || filter->functions || filter->files ||
	       filter->after || filter->before || filter->min_duration || options.callers;
}

static void put_trace(struct report_json *json, const struct summary *summary, const char *command)
{
	const struct reader_info *info = &summary->info;

	report_open(json, "trace", '{');
	report_text(json, "dir", info->dir);
	report_text(json, "command", command);
	report_text(json, "report_version", RECORDER_VERSION);
	report_text(json, "recorder", meta_text(summary->trace, READER_GLOBAL, "recorder.version"));
	put_program(json, summary);
	report_text(json, "run_id", info->run_id);
	report_bool(json, "complete", info->complete);
	report_bool(json, "running", info->running);
	report_bool(json, "unverified_clock", info->unverified_clock);
	report_bool(json, "filtered", is_filtered());
	report_number(json, "clock_error", clock_error(summary));
	report_count(json, "ranks", info->ranks);
	report_count(json, "worlds", info->worlds);
	report_count(json, "streams", info->streams);
	report_count(json, "records", info->records);
	report_count(json, "stored", info->stored);
	report_count(json, "in_flight", info->in_flight);
	report_count(json, "lost", info->lost);
	report_count(json, "unreadable", info->unreadable);
	report_count(json, "summed", info->summed);
	report_number(json, "start_seconds", info->start / 1000000000);
	report_number(json, "duration", info->duration);
	report_number(json, "wall", summary_wall(summary));
	report_number(json, "program_time", summary_program(summary));
	put_absent(json, summary);
	put_losses(json, summary->trace);
	put_problems(json, summary->trace);
	report_close(json, '}');
}

int report_data(struct output *output, const struct summary *summary, const char *command)
{
	struct report_json json = {.output = output};

	report_open(&json, NULL, '{');
	put_trace(&json, summary, command);
	report_tables(&json, summary);
	report_series(&json, summary);
	report_environment(&json, summary);
	report_close(&json, '}');
	return output->error;
}
