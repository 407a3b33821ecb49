/* SPDX-License-Identifier: MIT */
/* report_data.c - see report_data.h */
#include "report_data.h"

#include <stdlib.h>
#include <string.h>

#include "completeness.h"
#include "json.h"
#include "message.h"
#include "metavalue.h"
#include "options.h"

void report_text(struct json *json, const char *key, const char *text)
{
	json_put_bytes(json, key, text, strnlen(text, REPORT_TEXT));
}

void report_table(struct json *json, const char *key, const char *columns)
{
	json_begin(json, key, '{');
	json_begin(json, "columns", '[');
	while (*columns) {
		size_t length = strcspn(columns, " ");

		json_put_bytes(json, NULL, columns, length);
		columns += length + (columns[length] != '\0');
	}
	json_end(json, ']');
	json_begin(json, "rows", '[');
}

void report_end_table(struct json *json)
{
	json_end(json, ']');
	json_end(json, '}');
}

void report_end_part(struct json *json, unsigned all)
{
	json_end(json, ']');
	json_put_unsigned(json, "all", all);
	json_end(json, '}');
}

void report_sums(struct json *json, const struct analysis_sums *sums)
{
	json_put_unsigned(json, NULL, sums->calls);
	json_put_unsigned(json, NULL, sums->errors);
	json_put_integer(json, NULL, sums->time);
	json_put_integer(json, NULL, sums->self);
	json_put_integer(json, NULL, sums->bytes_read);
	json_put_integer(json, NULL, sums->bytes_written);
}

void report_rest(struct json *json, unsigned count, const struct analysis_sums *sums)
{
	json_end(json, ']');
	json_put_unsigned(json, "rest", count);
	json_begin(json, "rest_sums", '[');
	report_sums(json, sums);
	json_end(json, ']');
	json_end(json, '}');
}

struct weighted {
	int64_t weight;
	unsigned number;
};

static int largest_first(const void *a, const void *b)
{
	const struct weighted *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

void report_mark_largest(bool *marked, unsigned count, unsigned most, report_weight *weight,
			 const void *data)
{
	struct weighted *rows = malloc(((size_t)count + 1) * sizeof(*rows));

	if (!rows)
		die("out of memory");
	for (unsigned i = 0; i < count; i++)
		rows[i] = (struct weighted){weight(data, i), i};
	qsort(rows, count, sizeof(*rows), largest_first);
	for (unsigned i = 0; i < count && i < most && rows[i].weight != REPORT_NEVER; i++)
		marked[rows[i].number] = true;
	free(rows);
}

bool *report_marks(unsigned count)
{
	bool *marked = calloc((size_t)count + 1, sizeof(*marked));

	if (!marked)
		die("out of memory");
	return marked;
}

/* The trace ---------------------------------------------------------------------------- */

static void put_losses(struct json *json, const struct reader *trace)
{
	struct losses losses;

	losses_collect(&losses, trace);
	report_table(json, "losses", "reason meaning records");
	for (size_t i = 0; i < losses.count; i++) {
		json_begin(json, NULL, '[');
		report_text(json, NULL, losses.list[i].reason);
		report_text(json, NULL, loss_meaning(losses.list[i].reason));
		json_put_unsigned(json, NULL, losses.list[i].records);
		json_end(json, ']');
	}
	report_end_table(json);
	losses_release(&losses);
}

static void put_absent(struct json *json, const struct summary *summary)
{
	struct absences absences;
	char *text;

	absences_collect(&absences, summary->trace);
	text = absences_text(&absences, summary->info.worlds);
	report_text(json, "absent", text ? text : "");
	free(text);
	absences_release(&absences);
}

static void put_problems(struct json *json, const struct reader *trace)
{
	unsigned count = reader_problem_count(trace);

	json_put_unsigned(json, "problem_count", count);
	json_begin(json, "problems", '[');
	for (unsigned i = 0; i < count && i < 100; i++)
		report_text(json, NULL, reader_problem(trace, i));
	json_end(json, ']');
}

/* The program is that of the first rank, as in the summary. */
static void put_program(struct json *json, const struct summary *summary)
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

static void put_trace(struct json *json, const struct summary *summary, const char *command)
{
	const struct reader_info *info = &summary->info;

	json_begin(json, "trace", '{');
	report_text(json, "dir", info->dir);
	report_text(json, "command", command);
	report_text(json, "report_version", RECORDER_VERSION);
	report_text(json, "recorder", meta_text(summary->trace, READER_GLOBAL, "recorder.version"));
	put_program(json, summary);
	report_text(json, "run_id", info->run_id);
	json_put_bool(json, "complete", info->complete);
	json_put_bool(json, "running", info->running);
	json_put_bool(json, "unverified_clock", info->unverified_clock);
	json_put_bool(json, "filtered", is_filtered());
	json_put_integer(json, "clock_error", clock_error(summary));
	json_put_unsigned(json, "ranks", info->ranks);
	json_put_unsigned(json, "worlds", info->worlds);
	json_put_unsigned(json, "streams", info->streams);
	json_put_unsigned(json, "records", info->records);
	json_put_unsigned(json, "stored", info->stored);
	json_put_unsigned(json, "in_flight", info->in_flight);
	json_put_unsigned(json, "lost", info->lost);
	json_put_unsigned(json, "unreadable", info->unreadable);
	json_put_unsigned(json, "summed", info->summed);
	json_put_integer(json, "start_seconds", info->start / 1000000000);
	json_put_integer(json, "duration", info->duration);
	json_put_integer(json, "wall", summary_wall(summary));
	json_put_integer(json, "program_time", summary_program(summary));
	put_absent(json, summary);
	put_losses(json, summary->trace);
	put_problems(json, summary->trace);
	json_end(json, '}');
}

int report_data(struct output *output, const struct summary *summary, const char *command)
{
	struct json json = {.output = output, .compact = true};

	json_begin(&json, NULL, '{');
	put_trace(&json, summary, command);
	report_tables(&json, summary);
	report_ranks(&json, summary);
	report_series(&json, summary);
	report_sites(&json, summary);
	report_waits(&json, summary);
	report_time(&json, summary);
	report_phases(&json, summary);
	report_usage(&json, summary);
	report_offsets(&json, summary);
	report_conflicts(&json, summary);
	report_environment(&json, summary);
	json_end(&json, '}');
	return output->error;
}
