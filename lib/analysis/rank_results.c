/* SPDX-License-Identifier: MIT */
/* rank_results.c - see rank_results.h */
#include "analysis/rank_results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/add.h"

/* From the begin of the rank's first own process to the end of the last: a program that executes another one has several. */
static void find_span(struct analysis_rank *rank, const struct facts *facts,
		      const struct rank_facts *streams)
{
	struct reader_stream stream = {.sz = sizeof(stream)};

	rank->start = INT64_MAX;
	rank->end = INT64_MIN;
	for (unsigned i = streams->first; i < streams->end; i++) {
		if (reader_stream(facts->trace, i, &stream) || (!stream.main && i != streams->main))
			continue;
		if (stream.start < rank->start)
			rank->start = stream.start;
		if (stream.end > rank->end)
			rank->end = stream.end;
	}
}

static void add_file_bytes(struct results *results)
{
	for (unsigned i = 0; i < results->file_count; i++) {
		const struct file_result *file = &results->files[i];

		for (uint32_t share = file->shares_begin;
		     file->file.class_ == ANALYSIS_DATA && share < file->shares_end; share++) {
			struct analysis_rank *rank = &results->ranks[results->shares[share].rank];

			add_to(&rank->sums.bytes_read, results->shares[share].bytes_read);
			add_to(&rank->sums.bytes_written, results->shares[share].bytes_written);
		}
	}
}

static int make_overlaps(struct results *results, const struct tables *tables)
{
	const struct series *series = &tables->series;
	int64_t(*sums)[SERIES_BINS] = calloc(OVERLAP_STATES, sizeof(*sums));
	int64_t time[OVERLAP_STATES];

	results->overlaps = calloc(tables->facts->rank_count + 1, sizeof(*results->overlaps));
	results->overlap_bins = calloc(series->count + 1, sizeof(*results->overlap_bins));
	if (!sums || !results->overlaps || !results->overlap_bins) {
		free(sums);
		return -ENOMEM;
	}
	for (unsigned i = 0; i < tables->facts->rank_count; i++)
		for (unsigned place = 0; place < ANALYSIS_PLACES; place++)
			results->overlaps[i][place] =
				results_overlap(tables->ranks[i].overlap[place].time);
	for (unsigned state = 0; state < OVERLAP_STATES; state++)
		busy_bins_sum(&series->states[state], series->count, series->width, sums[state]);
	for (unsigned i = 0; i < series->count; i++) {
		for (unsigned state = 0; state < OVERLAP_STATES; state++)
			time[state] = sums[state][i];
		results->overlap_bins[i] = results_overlap(time);
	}
	free(sums);
	return 0;
}

static int make_ranks(struct results *results, const struct tables *tables)
{
	const struct facts *facts = tables->facts;

	results->ranks = calloc(facts->rank_count + 1, sizeof(*results->ranks));
	if (!results->ranks)
		return -ENOMEM;
	for (unsigned i = 0; i < facts->rank_count; i++) {
		struct analysis_rank *rank = &results->ranks[i];
		const struct rank_facts *streams = &facts->ranks[i];
		const struct rank_row *row = &tables->ranks[i];

		rank->world = streams->world;
		rank->rank = streams->rank;
		rank->beside = streams->beside;
		rank->streams = streams->streams;
		rank->main_stream = streams->main;
		rank->sums = row->sums;
		memcpy(rank->storage, row->by_use[ANALYSIS_USE_STORAGE], sizeof(rank->storage));
		memcpy(rank->messages, row->by_use[ANALYSIS_USE_MESSAGES], sizeof(rank->messages));
		memcpy(rank->others, row->by_use[ANALYSIS_USE_OTHER], sizeof(rank->others));
		memcpy(rank->by_operation, row->by_operation, sizeof(rank->by_operation));
		find_span(rank, facts, streams);
		rank->left_out = facts->some_ranks && row->sums.calls == 0;
		if (rank->left_out)
			rank->end = rank->start;
	}
	add_file_bytes(results);
	return 0;
}

int rank_results_make(struct results *results, const struct tables *tables)
{
	int error = make_overlaps(results, tables);

	return error ? error : make_ranks(results, tables);
}
