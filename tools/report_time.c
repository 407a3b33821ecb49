/* SPDX-License-Identifier: MIT */
/* report_time.c - what happens at the same time, on which file system, and in bursts, for the page of recorder report, see report_data.h */
#include <stddef.h>
#include <stdlib.h>

#include "report_data.h"

/* At the same time ----------------------------------------------------------------------- */

static const size_t overlap_fields[] = {
	offsetof(struct analysis_overlap, files_alone),
	offsetof(struct analysis_overlap, files_with_program),
	offsetof(struct analysis_overlap, files_with_mpi),
	offsetof(struct analysis_overlap, program),
	offsetof(struct analysis_overlap, mpi),
	offsetof(struct analysis_overlap, waiting),
};
static const char *const overlap_names[] = {
	"files_alone", "files_with_program", "files_with_mpi", "program", "mpi", "waiting",
};

#define OVERLAP_FIELDS (sizeof(overlap_fields) / sizeof(overlap_fields[0]))

static int64_t overlap_field(const struct analysis_overlap *overlap, size_t field)
{
	return *(const int64_t *)((const char *)overlap + overlap_fields[field]);
}

static int64_t overlap_all(const struct analysis_overlap *overlap)
{
	int64_t sum = 0;

	for (size_t i = 0; i < OVERLAP_FIELDS; i++)
		sum += overlap_field(overlap, i);
	return sum;
}

static void put_overlap_row(struct json *json, const struct summary *summary, unsigned number,
			    enum analysis_where where)
{
	const struct analysis_rank *rank = analysis_rank(summary->analysis, number);
	const struct analysis_overlap *overlap = analysis_overlap(summary->analysis, number, where);

	json_begin(json, NULL, '[');
	json_put_integer(json, NULL, rank->world);
	json_put_integer(json, NULL, rank->rank);
	report_text(json, NULL, report_rank_name(summary, rank));
	json_put_bool(json, NULL, where == ANALYSIS_ELSEWHERE);
	for (size_t i = 0; i < OVERLAP_FIELDS; i++)
		json_put_integer(json, NULL, overlap_field(overlap, i));
	json_end(json, ']');
}

static int64_t files_alone(const void *data, unsigned row)
{
	const struct analysis_overlap *overlap =
		analysis_overlap(data, row / ANALYSIS_PLACES,
				 (enum analysis_where)(row % ANALYSIS_PLACES));

	return overlap_all(overlap) ? overlap->files_alone : REPORT_NEVER;
}

/* Of each rank its own processes, and children if there are any: the rows with most time on files alone. */
static void put_overlap_rows(struct json *json, const struct summary *summary)
{
	unsigned count = analysis_rank_count(summary->analysis), left = 0;
	bool *chosen = report_marks(count * ANALYSIS_PLACES);

	report_table(json, "overlap",
		     "world rank name children files_alone files_with_program files_with_mpi "
		     "program mpi waiting");
	report_mark_largest(chosen, count * ANALYSIS_PLACES, REPORT_ROWS, files_alone,
			    summary->analysis);
	for (unsigned i = 0; i < count; i++)
		for (unsigned place = 0; place < ANALYSIS_PLACES; place++) {
			enum analysis_where where = (enum analysis_where)place;

			if (chosen[i * ANALYSIS_PLACES + place])
				put_overlap_row(json, summary, i, where);
			else if (overlap_all(analysis_overlap(summary->analysis, i, where)))
				left++;
		}
	free(chosen);
	json_end(json, ']');
	json_put_unsigned(json, "left", left);
	json_end(json, '}');
}

static void put_overlap_total(struct json *json, const struct analysis *analysis)
{
	struct analysis_overlap all = analysis_overlap_total(analysis, ANALYSIS_PLACES);

	json_begin(json, "overlap_total", '{');
	for (size_t i = 0; i < OVERLAP_FIELDS; i++)
		json_put_integer(json, overlap_names[i], overlap_field(&all, i));
	json_end(json, '}');
}

static void put_overlap_series(struct json *json, const struct analysis *analysis)
{
	const struct analysis_overlap *bins = analysis_overlap_series(analysis);

	json_begin(json, "overlap_series", '{');
	for (size_t field = 0; bins && field < OVERLAP_FIELDS; field++) {
		json_begin(json, overlap_names[field], '[');
		for (unsigned i = 0; i < analysis_bin_count(analysis); i++)
			json_put_integer(json, NULL, overlap_field(&bins[i], field));
		json_end(json, ']');
	}
	json_end(json, '}');
}

/* File systems --------------------------------------------------------------------------- */

/* The largest ones; series take as much as those of a layer. */
#define SERIES_SHOWN 4u

static const size_t bin_fields[] = {
	offsetof(struct analysis_bin, calls),
	offsetof(struct analysis_bin, metadata),
	offsetof(struct analysis_bin, bytes_read),
	offsetof(struct analysis_bin, bytes_written),
};
static const char *const bin_names[] = {"calls", "metadata", "bytes_read", "bytes_written"};

static void put_filesystem_bins(struct json *json, const struct analysis_filesystem *row,
				unsigned count)
{
	json_begin(json, NULL, '{');
	for (size_t field = 0; field < sizeof(bin_fields) / sizeof(bin_fields[0]); field++) {
		json_begin(json, bin_names[field], '[');
		for (unsigned i = 0; i < count; i++)
			json_put_integer(json, NULL,
					 *(const int64_t *)((const char *)&row->bins[i] +
							    bin_fields[field]));
		json_end(json, ']');
	}
	json_end(json, '}');
}

static void put_filesystems(struct json *json, const struct analysis *analysis)
{
	unsigned count = analysis_filesystem_count(analysis);

	report_table(json, "filesystems",
		     "directory type source calls metadata bytes_read bytes_written");
	for (unsigned i = 0; i < count; i++) {
		const struct analysis_filesystem *row = analysis_filesystem(analysis, i);

		json_begin(json, NULL, '[');
		report_text(json, NULL, row->directory);
		report_text(json, NULL, row->type);
		report_text(json, NULL, row->source);
		json_put_integer(json, NULL, row->calls);
		json_put_integer(json, NULL, row->metadata);
		json_put_integer(json, NULL, row->bytes_read);
		json_put_integer(json, NULL, row->bytes_written);
		json_end(json, ']');
	}
	json_end(json, ']');
	json_begin(json, "series", '[');
	for (unsigned i = 0; i < count && i < SERIES_SHOWN; i++)
		put_filesystem_bins(json, analysis_filesystem(analysis, i),
				    analysis_bin_count(analysis));
	report_end_table(json);
}

/* Bursts --------------------------------------------------------------------------------- */

static void put_rhythm(struct json *json, const char *key, const struct analysis_rhythm *rhythm)
{
	json_begin(json, key, '{');
	json_put_unsigned(json, "bursts", rhythm->bursts);
	json_put_integer(json, "time", rhythm->time);
	json_put_integer(json, "bytes", rhythm->bytes);
	json_put_integer(json, "period", rhythm->period);
	json_put_integer(json, "files", rhythm->files);
	json_put_integer(json, "files_alone", rhythm->files_alone);
	json_end(json, '}');
}

static void put_bursts(struct json *json, const struct analysis *analysis)
{
	report_table(json, "bursts", "direction begin end bytes files files_alone");
	for (unsigned i = 0; i < analysis_burst_count(analysis); i++) {
		const struct analysis_burst *burst = analysis_burst(analysis, i);

		json_begin(json, NULL, '[');
		report_text(json, NULL, burst->direction == ANALYSIS_READS ? "reads" : "writes");
		json_put_integer(json, NULL, burst->begin);
		json_put_integer(json, NULL, burst->end);
		json_put_integer(json, NULL, burst->bytes);
		json_put_integer(json, NULL, burst->files);
		json_put_integer(json, NULL, burst->files_alone);
		json_end(json, ']');
	}
	json_end(json, ']');
	put_rhythm(json, "reads", analysis_rhythm(analysis, ANALYSIS_READS));
	put_rhythm(json, "writes", analysis_rhythm(analysis, ANALYSIS_WRITES));
	json_end(json, '}');
}

void report_time(struct json *json, const struct summary *summary)
{
	put_overlap_total(json, summary->analysis);
	put_overlap_rows(json, summary);
	put_overlap_series(json, summary->analysis);
	put_filesystems(json, summary->analysis);
	put_bursts(json, summary->analysis);
}
