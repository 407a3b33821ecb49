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

static void put_line(struct json *json, const int64_t *cells, unsigned count, int64_t most)
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

static void put_heat_of(struct json *json, const struct analysis *analysis, const char *name,
			enum analysis_use use)
{
	int64_t most = largest(analysis, use);

	json_begin(json, name, '{');
	json_put_integer(json, "most", most);
	json_begin(json, "lines", '[');
	for (unsigned g = 0; g < analysis_group_count(analysis); g++)
		put_line(json, analysis_heat(analysis, g, use), analysis_bin_count(analysis), most);
	json_end(json, ']');
	json_end(json, '}');
}

static void put_groups(struct json *json, const struct summary *summary)
{
	const struct analysis *analysis = summary->analysis;
	unsigned first, end;

	report_table(json, "groups", "world rank name last_world last_rank ranks start end");
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
		json_end(json, ']');
	}
	json_end(json, ']');
	json_end(json, '}');
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
		put_line(json, &cells[(size_t)g * count], count, most);
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
	json_end(json, ']');
	json_put_unsigned(json, "all", count);
	json_end(json, '}');
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
	json_end(json, ']');
	json_put_unsigned(json, "all", analysis_comm_count(analysis));
	json_end(json, '}');
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
	json_end(json, '}');
	put_matrix(json, analysis);
	put_messages(json, analysis);
	put_comms(json, analysis);
}
