/* SPDX-License-Identifier: MIT */
/* report_phases.c - epochs and steps for the page of recorder report, see report_data.h */
#include <stdlib.h>

#include "message.h"
#include "report_data.h"

#define PROCESSES_SHOWN 64u

/* Which phases are on the page, in the order of the analysis. */
struct shown {
	unsigned *numbers;
	unsigned count, steps, all;
};

struct length {
	int64_t wall;
	unsigned number;
};

static int longest_first(const void *a, const void *b)
{
	const struct length *x = a, *y = b;

	if (x->wall != y->wall)
		return x->wall < y->wall ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

static int by_number(const void *a, const void *b)
{
	const unsigned *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static bool is_step(const struct analysis *analysis, unsigned number)
{
	return analysis_phase(analysis, number)->has >> READER_STEP & 1;
}

/* All epochs, and as many steps as there is room for, the longest. */
static void choose(struct shown *shown, const struct analysis *analysis)
{
	unsigned all = analysis_phase_count(analysis), steps = 0;
	struct length *lengths = calloc((size_t)all + 1, sizeof(*lengths));

	*shown = (struct shown){.all = all, .numbers = calloc((size_t)all + 1, sizeof(unsigned))};
	if (!lengths || !shown->numbers)
		die("out of memory");
	for (unsigned i = 0; i < all; i++) {
		const struct analysis_phase *phase = analysis_phase(analysis, i);

		if (is_step(analysis, i))
			lengths[steps++] = (struct length){phase->length, i};
		else if (shown->count < REPORT_ROWS)
			shown->numbers[shown->count++] = i;
	}
	qsort(lengths, steps, sizeof(*lengths), longest_first);
	for (unsigned i = 0; i < steps && shown->count < REPORT_ROWS; i++)
		shown->numbers[shown->count++] = lengths[i].number;
	qsort(shown->numbers, shown->count, sizeof(*shown->numbers), by_number);
	shown->steps = steps;
	free(lengths);
}

static void put_row(struct json *json, const struct analysis_phase *phase)
{
	char name[SUMMARY_PHASE_ROOM];

	json_begin(json, NULL, '[');
	json_put_string(json, NULL, summary_phase_name(name, phase));
	json_put_unsigned(json, NULL, phase->has >> READER_STEP & 1);
	json_put_integer(json, NULL, phase->epoch);
	json_put_integer(json, NULL, phase->step);
	json_put_integer(json, NULL, phase->begin);
	json_put_integer(json, NULL, phase->end);
	json_put_integer(json, NULL, phase->length);
	json_put_unsigned(json, NULL, phase->processes);
	json_put_integer(json, NULL, phase->time);
	json_put_integer(json, NULL, phase->overlap.files_alone);
	json_put_integer(json, NULL, phase->overlap.files_with_program);
	json_put_integer(json, NULL, phase->overlap.files_with_mpi);
	json_put_integer(json, NULL, phase->overlap.program);
	json_put_integer(json, NULL, phase->overlap.mpi);
	json_put_integer(json, NULL, phase->overlap.waiting);
	json_put_unsigned(json, NULL, phase->loads);
	json_put_integer(json, NULL, phase->loading);
	json_put_unsigned(json, NULL, phase->calls);
	json_put_unsigned(json, NULL, phase->errors);
	json_put_integer(json, NULL, phase->bytes_read);
	json_put_integer(json, NULL, phase->bytes_written);
	json_end(json, ']');
}

/* What processes did in the phases that are shown: a line of cells each. */
struct lines {
	unsigned count; /* processes */
	unsigned streams[PROCESSES_SHOWN];
	int64_t (*loading)[REPORT_ROWS], (*files)[REPORT_ROWS]; /* ns, by process and phase */
	int64_t most_loading, most_files;
	unsigned left; /* processes that have no line */
};

static unsigned line_of(struct lines *lines, unsigned stream)
{
	unsigned at = 0;

	while (at < lines->count && lines->streams[at] != stream)
		at++;
	if (at == lines->count && at < PROCESSES_SHOWN)
		lines->streams[lines->count++] = stream;
	return at;
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Processes in the order in which they come: by stream in each phase. */
static void fill_lines(struct lines *lines, const struct shown *shown,
		       const struct analysis *analysis)
{
	for (unsigned i = 0; i < shown->count; i++) {
		unsigned phase = shown->numbers[i];
		unsigned count = analysis_phase_process_count(analysis, phase), left = 0;

		for (unsigned k = 0; k < count; k++) {
			const struct analysis_phase *process =
				analysis_phase_process(analysis, phase, k);
			unsigned line = line_of(lines, process->stream);

			if (line == PROCESSES_SHOWN) {
				left++;
				continue;
			}
			lines->loading[line][i] = process->loading;
			lines->files[line][i] = summary_on_files(&process->overlap);
			lines->most_loading = larger(lines->most_loading, process->loading);
			lines->most_files = larger(lines->most_files, lines->files[line][i]);
		}
		lines->left = left > lines->left ? left : lines->left;
	}
}

static void put_lines(struct json *json, const char *key, const struct lines *lines,
		      int64_t (*cells)[REPORT_ROWS], unsigned count, int64_t most)
{
	json_begin(json, key, '{');
	json_put_integer(json, "most", most);
	json_begin(json, "lines", '[');
	for (unsigned i = 0; i < lines->count; i++)
		report_line(json, cells[i], count, most);
	json_end(json, ']');
	json_end(json, '}');
}

static void put_processes(struct json *json, const struct summary *summary,
			  const struct shown *shown)
{
	struct lines *lines = calloc(1, sizeof(*lines));

	if (!lines)
		die("out of memory");
	lines->loading = calloc(PROCESSES_SHOWN, sizeof(*lines->loading));
	lines->files = calloc(PROCESSES_SHOWN, sizeof(*lines->files));
	if (!lines->loading || !lines->files)
		die("out of memory");
	fill_lines(lines, shown, summary->analysis);
	json_begin(json, "phase_processes", '{');
	json_begin(json, "processes", '[');
	for (unsigned i = 0; i < lines->count; i++) {
		struct reader_stream stream = {.sz = sizeof(stream)};

		reader_stream(summary->trace, lines->streams[i], &stream);
		json_begin(json, NULL, '[');
		json_put_integer(json, NULL, stream.world);
		json_put_integer(json, NULL, stream.rank);
		json_put_unsigned(json, NULL, stream.pid);
		json_put_unsigned(json, NULL, stream.main != 0);
		json_end(json, ']');
	}
	json_end(json, ']');
	json_put_unsigned(json, "left", lines->left);
	put_lines(json, "loading", lines, lines->loading, shown->count, lines->most_loading);
	put_lines(json, "files", lines, lines->files, shown->count, lines->most_files);
	json_end(json, '}');
	free(lines->loading);
	free(lines->files);
	free(lines);
}

void report_phases(struct json *json, const struct summary *summary)
{
	struct shown shown;

	choose(&shown, summary->analysis);
	report_table(json, "phases",
		     "name is_step epoch step begin end length processes time files_alone "
		     "files_with_program files_with_mpi program mpi waiting loads loading calls "
		     "errors bytes_read bytes_written");
	for (unsigned i = 0; i < shown.count; i++)
		put_row(json, analysis_phase(summary->analysis, shown.numbers[i]));
	json_end(json, ']');
	json_put_unsigned(json, "steps", shown.steps);
	json_put_unsigned(json, "all", shown.all);
	json_end(json, '}');
	put_processes(json, summary, &shown);
	free(shown.numbers);
}
