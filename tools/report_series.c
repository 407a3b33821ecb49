/* SPDX-License-Identifier: MIT */
/* report_series.c - what happened when, and between whom, for the page of recorder report, see report_data.h */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "message.h"
#include "report_data.h"

/* Over time, by layer -------------------------------------------------------------------- */

static void put_bins(struct report_json *json, const char *key, const struct analysis_bin *bins,
		     unsigned count, size_t offset)
{
	report_open(json, key, '[');
	for (unsigned i = 0; i < count; i++)
		report_number(json, NULL, *(const int64_t *)((const char *)&bins[i] + offset));
	report_close(json, ']');
}

static void put_series(struct report_json *json, const struct analysis *analysis)
{
	unsigned count = analysis_bin_count(analysis);

	report_open(json, "series", '{');
	report_count(json, "bins", count);
	report_number(json, "width", analysis_bin_width(analysis));
	report_open(json, "layers", '{');
	for (unsigned i = 0; i < analysis_layer_count(analysis); i++) {
		const struct analysis_layer *layer = analysis_layer(analysis, i);
		const struct analysis_bin *bins = analysis_layer_series(analysis, i);

		if (!layer->sums.calls || !bins)
			continue;
		report_open(json, layer->name, '{');
		put_bins(json, "self", bins, count, offsetof(struct analysis_bin, self));
		put_bins(json, "calls", bins, count, offsetof(struct analysis_bin, calls));
		put_bins(json, "metadata", bins, count, offsetof(struct analysis_bin, metadata));
		put_bins(json, "bytes_read", bins, count,
			 offsetof(struct analysis_bin, bytes_read));
		put_bins(json, "bytes_written", bins, count,
			 offsetof(struct analysis_bin, bytes_written));
		report_close(json, '}');
	}
	report_close(json, '}');
	report_close(json, '}');
}

/* Rank by time --------------------------------------------------------------------------- */

/*
 * A cell is two digits to the base of 90, the high one first: printable ASCII but for what strings of JSON and markup escape. 8,099 stands for the largest cell
 * of all, and 1 for the least that is not 0. A line of zeros is empty.
 */
#define HEAT_BASE 90u
#define HEAT_MOST (HEAT_BASE * HEAT_BASE - 1)

static const char heat_digits[] = " !#$%'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "[]^_`abcdefghijklmnopqrstuvwxyz{|}~";
_Static_assert(sizeof(heat_digits) == HEAT_BASE + 1, "one character a digit");

static unsigned heat_level(int64_t cell, int64_t most)
{
	double level = (double)cell * HEAT_MOST / (double)most + 0.5;

	return cell <= 0 ? 0 : level < 1 ? 1 : level >= HEAT_MOST ? HEAT_MOST : (unsigned)level;
}

static void put_line(struct report_json *json, const int64_t *cells, unsigned count, int64_t most)
{
	char text[2 * 1024 + 1];
	unsigned length = 0;

	for (unsigned i = 0; cells && i < count && 2 * i + 2 < sizeof(text); i++) {
		unsigned level = heat_level(cells[i], most);

		text[2 * i] = heat_digits[level / HEAT_BASE];
		text[2 * i + 1] = heat_digits[level % HEAT_BASE];
		if (level)
			length = 2 * i + 2;
	}
	text[length] = '\0';
	report_text(json, NULL, text);
}

static int64_t largest(const struct analysis *analysis, enum analysis_use use)
{
	int64_t most = 1;

	for (unsigned g = 0; g < analysis_group_count(analysis); g++) {
		const int64_t *cells = analysis_heat(analysis, g, use);

		for (unsigned i = 0; cells && i < analysis_bin_count(analysis); i++)
			if (cells[i] > most)
				most = cells[i];
	}
	return most;
}

static void put_heat_of(struct report_json *json, const struct analysis *analysis, const char *name,
			enum analysis_use use)
{
	int64_t most = largest(analysis, use);

	report_open(json, name, '{');
	report_number(json, "most", most);
	report_open(json, "lines", '[');
	for (unsigned g = 0; g < analysis_group_count(analysis); g++)
		put_line(json, analysis_heat(analysis, g, use), analysis_bin_count(analysis), most);
	report_close(json, ']');
	report_close(json, '}');
}

static void put_groups(struct report_json *json, const struct summary *summary)
{
	const struct analysis *analysis = summary->analysis;
	unsigned first, end;

	report_table(json, "groups", "world rank name last_world last_rank ranks start end");
	for (unsigned g = 0; !analysis_group(analysis, g, &first, &end); g++) {
		const struct analysis_rank *rank = analysis_rank(analysis, first);
		const struct analysis_rank *last = analysis_rank(analysis, end - 1);

		report_open(json, NULL, '[');
		report_number(json, NULL, rank->world);
		report_number(json, NULL, rank->rank);
		report_text(json, NULL, report_rank_name(summary, rank));
		report_number(json, NULL, last->world);
		report_number(json, NULL, last->rank);
		report_count(json, NULL, end - first);
		report_number(json, NULL, rank->start);
		report_number(json, NULL, rank->end);
		report_close(json, ']');
	}
	report_close(json, ']');
	report_close(json, '}');
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
static void put_matrix(struct report_json *json, const struct analysis *analysis)
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
	report_open(json, "matrix", '{');
	report_number(json, "most", most);
	report_open(json, "lines", '[');
	for (unsigned g = 0; g < count && analysis_message_count(analysis); g++)
		put_line(json, &cells[(size_t)g * count], count, most);
	report_close(json, ']');
	report_close(json, '}');
	free(cells);
	free(groups);
}

static void put_messages(struct report_json *json, const struct analysis *analysis)
{
	unsigned count = analysis_message_count(analysis);

	report_table(json, "messages", "from_world from to_world to calls bytes");
	for (unsigned i = 0; i < count && i < REPORT_ROWS; i++) {
		const struct analysis_message *message = analysis_message(analysis, i);
		const struct analysis_rank *from = analysis_rank(analysis, message->from);
		const struct analysis_rank *to = analysis_rank(analysis, message->to);

		report_open(json, NULL, '[');
		report_number(json, NULL, from->world);
		report_number(json, NULL, from->rank);
		report_number(json, NULL, to->world);
		report_number(json, NULL, to->rank);
		report_count(json, NULL, message->calls);
		report_number(json, NULL, message->bytes);
		report_close(json, ']');
	}
	report_close(json, ']');
	report_count(json, "all", count);
	report_close(json, '}');
}

static void put_comms(struct report_json *json, const struct analysis *analysis)
{
	char identity[24];

	report_table(json, "communicators",
		     "name identity size calls time collective sent received");
	for (unsigned i = 0; i < analysis_comm_count(analysis) && i < REPORT_ROWS; i++) {
		const struct analysis_comm *comm = analysis_comm(analysis, i);

		snprintf(identity, sizeof(identity), "%016" PRIx64, comm->identity);
		report_open(json, NULL, '[');
		report_text(json, NULL, comm->name);
		report_text(json, NULL, identity);
		report_number(json, NULL, comm->size);
		report_count(json, NULL, comm->sums.calls);
		report_number(json, NULL, comm->sums.time);
		report_number(json, NULL, comm->collective);
		report_number(json, NULL, comm->sums.bytes_written);
		report_number(json, NULL, comm->sums.bytes_read);
		report_close(json, ']');
	}
	report_close(json, ']');
	report_count(json, "all", analysis_comm_count(analysis));
	report_close(json, '}');
}

void report_series(struct report_json *json, const struct summary *summary)
{
	const struct analysis *analysis = summary->analysis;

	put_series(json, analysis);
	put_groups(json, summary);
	report_open(json, "heat", '{');
	put_heat_of(json, analysis, "files", ANALYSIS_USE_STORAGE);
	put_heat_of(json, analysis, "mpi", ANALYSIS_USE_MESSAGES);
	put_heat_of(json, analysis, "other", ANALYSIS_USE_OTHER);
	report_close(json, '}');
	put_matrix(json, analysis);
	put_messages(json, analysis);
	put_comms(json, analysis);
}
