/* SPDX-License-Identifier: MIT */
/* report_series.c - what happened when, and between whom, for the page of recorder report, see report_data.h */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "message.h"
#include "report_data.h"

/* Over time, by layer -------------------------------------------------------------------- */

static void put_bins(struct json *json, const char *key, const struct analysis_bin *bins,
		     unsigned count, size_t offset)
{
	json_begin(json, key, '[');
	for (unsigned i = 0; i < count; i++)
		json_put_integer(json, NULL, *(const int64_t *)((const char *)&bins[i] + offset));
	json_end(json, ']');
}

static void put_series(struct json *json, const struct analysis *analysis)
{
	unsigned count = analysis_bin_count(analysis);

	json_begin(json, "series", '{');
	json_put_unsigned(json, "bins", count);
	json_put_integer(json, "begin", analysis_bin_begin(analysis));
	json_put_integer(json, "width", analysis_bin_width(analysis));
	json_begin(json, "layers", '{');
	for (unsigned i = 0; i < analysis_layer_count(analysis); i++) {
		const struct analysis_layer *layer = analysis_layer(analysis, i);
		const struct analysis_bin *bins = analysis_layer_series(analysis, i);

		if (!layer->sums.calls || !bins)
			continue;
		json_begin(json, layer->name, '{');
		put_bins(json, "self", bins, count, offsetof(struct analysis_bin, self));
		put_bins(json, "calls", bins, count, offsetof(struct analysis_bin, calls));
		put_bins(json, "metadata", bins, count, offsetof(struct analysis_bin, metadata));
		put_bins(json, "bytes_read", bins, count,
			 offsetof(struct analysis_bin, bytes_read));
		put_bins(json, "bytes_written", bins, count,
			 offsetof(struct analysis_bin, bytes_written));
		json_end(json, '}');
	}
	json_end(json, '}');
	json_end(json, '}');
}

/* Rank by time --------------------------------------------------------------------------- */

/* Pairs of bins become one where there are so many groups. */
#define GROUPS_FINE 128u
#define LINE_MOST 1024u

/* What lines are of: a use, or behind them a direction. */
static const int64_t *heat_line(const struct analysis *analysis, unsigned group, unsigned what)
{
	return what < ANALYSIS_USES
		       ? analysis_heat(analysis, group, (enum analysis_use)what)
		       : analysis_heat_direction(analysis, group,
						 (enum analysis_direction)(what - ANALYSIS_USES));
}

static unsigned merged_bins(const struct analysis *analysis)
{
	return analysis_group_count(analysis) > GROUPS_FINE ? 2 : 1;
}

/* A line as it is drawn; how many cells. */
static unsigned get_cells(const struct analysis *analysis, unsigned group, unsigned what,
			  int64_t cells[LINE_MOST])
{
	unsigned merged = merged_bins(analysis), count = analysis_bin_count(analysis), made = 0;
	const int64_t *line = heat_line(analysis, group, what);

	for (unsigned i = 0; line && i < count && made < LINE_MOST; i += merged)
		cells[made++] = line[i] + (merged > 1 && i + 1 < count ? line[i + 1] : 0);
	return made;
}

static void put_heat_of(struct json *json, const struct analysis *analysis, const char *name,
			unsigned what)
{
	int64_t cells[LINE_MOST], most = 1;

	for (unsigned g = 0; g < analysis_group_count(analysis); g++) {
		unsigned count = get_cells(analysis, g, what, cells);

		for (unsigned i = 0; i < count; i++)
			most = cells[i] > most ? cells[i] : most;
	}
	json_begin(json, name, '{');
	json_put_integer(json, "most", most);
	json_begin(json, "lines", '[');
	for (unsigned g = 0; g < analysis_group_count(analysis); g++)
		report_line(json, cells, get_cells(analysis, g, what, cells), most);
	json_end(json, ']');
	json_end(json, '}');
}

static int64_t line_sum(const struct analysis *analysis, unsigned group, unsigned what)
{
	const int64_t *line = heat_line(analysis, group, what);
	int64_t sum = 0;

	for (unsigned i = 0; line && i < analysis_bin_count(analysis); i++)
		sum += line[i];
	return sum;
}

static void put_groups(struct json *json, const struct summary *summary)
{
	const struct analysis *analysis = summary->analysis;
	unsigned first, end;

	report_table(json, "groups",
		     "world rank name last_world last_rank ranks start end other files mpi reads "
		     "writes");
	for (unsigned g = 0; !analysis_group(analysis, g, &first, &end); g++) {
		const struct analysis_rank *rank = analysis_rank(analysis, first);
		const struct analysis_rank *last = analysis_rank(analysis, end - 1);

		json_begin(json, NULL, '[');
		json_put_integer(json, NULL, rank->world);
		json_put_integer(json, NULL, rank->rank);
		report_text(json, NULL, report_rank_name(summary, rank));
		json_put_integer(json, NULL, last->world);
		json_put_integer(json, NULL, last->rank);
		json_put_unsigned(json, NULL, end - first);
		json_put_integer(json, NULL, rank->start);
		json_put_integer(json, NULL, rank->end);
		for (unsigned what = 0; what < ANALYSIS_USES + ANALYSIS_DIRECTIONS; what++)
			json_put_integer(json, NULL, line_sum(analysis, g, what));
		json_end(json, ']');
	}
	report_end_table(json);
}

/* From rank to rank ----------------------------------------------------------------------- */

/* By number of a rank the number of its group. To be freed. */
static unsigned *groups_of_ranks(const struct analysis *analysis)
{
	unsigned *groups = calloc((size_t)analysis_rank_count(analysis) + 1, sizeof(*groups));
	unsigned first, end;

	if (!groups)
		die("out of memory");
	for (unsigned g = 0; !analysis_group(analysis, g, &first, &end); g++)
		for (unsigned i = first; i < end; i++)
			groups[i] = g;
	return groups;
}

/* Lines are of who sends, cells of who receives. */
static void put_matrix(struct json *json, const struct analysis *analysis)
{
	unsigned count = analysis_group_count(analysis), *groups = groups_of_ranks(analysis);
	int64_t *cells = calloc((size_t)count * count + 1, sizeof(*cells)), most = 1;

	if (!cells)
		die("out of memory");
	for (unsigned i = 0; i < analysis_message_count(analysis); i++) {
		const struct analysis_message *message = analysis_message(analysis, i);
		int64_t *cell = &cells[(size_t)groups[message->from] * count + groups[message->to]];

		if (__builtin_add_overflow(*cell, message->bytes, cell))
			*cell = INT64_MAX;
		most = *cell > most ? *cell : most;
	}
	json_begin(json, "matrix", '{');
	json_put_integer(json, "most", most);
	json_begin(json, "lines", '[');
	for (unsigned g = 0; g < count && analysis_message_count(analysis); g++)
		report_line(json, &cells[(size_t)g * count], count, most);
	json_end(json, ']');
	json_end(json, '}');
	free(cells);
	free(groups);
}

static void put_messages(struct json *json, const struct analysis *analysis)
{
	unsigned count = analysis_message_count(analysis);

	report_table(json, "messages", "from_world from to_world to calls bytes");
	for (unsigned i = 0; i < count && i < REPORT_ROWS; i++) {
		const struct analysis_message *message = analysis_message(analysis, i);
		const struct analysis_rank *from = analysis_rank(analysis, message->from);
		const struct analysis_rank *to = analysis_rank(analysis, message->to);

		json_begin(json, NULL, '[');
		json_put_integer(json, NULL, from->world);
		json_put_integer(json, NULL, from->rank);
		json_put_integer(json, NULL, to->world);
		json_put_integer(json, NULL, to->rank);
		json_put_unsigned(json, NULL, message->calls);
		json_put_integer(json, NULL, message->bytes);
		json_end(json, ']');
	}
	report_end_part(json, count);
}

static void put_comms(struct json *json, const struct analysis *analysis)
{
	char identity[24];

	report_table(json, "communicators",
		     "name identity size calls time collective sent received");
	for (unsigned i = 0; i < analysis_comm_count(analysis) && i < REPORT_ROWS; i++) {
		const struct analysis_comm *comm = analysis_comm(analysis, i);

		snprintf(identity, sizeof(identity), "%016" PRIx64, comm->identity);
		json_begin(json, NULL, '[');
		report_text(json, NULL, comm->name);
		report_text(json, NULL, identity);
		json_put_integer(json, NULL, comm->size);
		json_put_unsigned(json, NULL, comm->sums.calls);
		json_put_integer(json, NULL, comm->sums.time);
		json_put_integer(json, NULL, comm->collective);
		json_put_integer(json, NULL, comm->sums.bytes_written);
		json_put_integer(json, NULL, comm->sums.bytes_read);
		json_end(json, ']');
	}
	report_end_part(json, analysis_comm_count(analysis));
}

void report_series(struct json *json, const struct summary *summary)
{
	const struct analysis *analysis = summary->analysis;

	put_series(json, analysis);
	put_groups(json, summary);
	json_begin(json, "heat", '{');
	put_heat_of(json, analysis, "files", ANALYSIS_USE_STORAGE);
	put_heat_of(json, analysis, "mpi", ANALYSIS_USE_MESSAGES);
	put_heat_of(json, analysis, "other", ANALYSIS_USE_OTHER);
	put_heat_of(json, analysis, "reads", ANALYSIS_USES + ANALYSIS_READS);
	put_heat_of(json, analysis, "writes", ANALYSIS_USES + ANALYSIS_WRITES);
	json_put_unsigned(json, "merged", merged_bins(analysis));
	json_end(json, '}');
	put_matrix(json, analysis);
	put_messages(json, analysis);
	put_comms(json, analysis);
}
