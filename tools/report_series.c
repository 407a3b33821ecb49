/* SPDX-License-Identifier: MIT */
/* report_series.c - what happened when, for the page of recorder report, see report_data.h */
#include <stddef.h>

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

	for (unsigned i = 0; cells && i < count && length + 2 < sizeof(text); i++) {
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
}
