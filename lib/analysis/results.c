/* SPDX-License-Identifier: MIT */
/* results.c - see results.h */
#include "analysis/results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/add.h"
#include "analysis/bursts.h"
#include "analysis/call_results.h"
#include "analysis/file_results.h"
#include "analysis/processes.h"
#include "analysis/rank_results.h"

static int make_layers(struct results *results, const struct tables *tables)
{
	const struct facts *facts = tables->facts;

	results->layers = calloc(facts->layer_count + 1, sizeof(*results->layers));
	if (!results->layers)
		return -ENOMEM;
	for (unsigned i = 0; i < facts->layer_count; i++) {
		struct analysis_layer *layer = &results->layers[i];

		layer->name = facts->layers[i].name;
		layer->is_storage = facts->layers[i].use == ANALYSIS_USE_STORAGE;
		layer->is_messages = facts->layers[i].use == ANALYSIS_USE_MESSAGES;
		layer->is_program = facts->layers[i].is_program;
		layer->sums = tables->layers[i].sums;
		memcpy(layer->self, tables->layers[i].self, sizeof(layer->self));
	}
	return 0;
}

/* ---- sizes ---- */

/* The most frequent first. */
static int by_calls(const void *a, const void *b)
{
	const struct analysis_size *x = a, *y = b;

	if (x->calls != y->calls)
		return x->calls < y->calls ? 1 : -1;
	return (x->size > y->size) - (x->size < y->size);
}

/* The sizes of a table from number `count` on. How many there are then. */
static unsigned list_sizes(struct analysis_size *list, unsigned count,
			   const struct common_sizes *sizes)
{
	unsigned begin = count;

	for (uint32_t i = 0; i < sizes->room; i++)
		if (sizes->places[i].calls)
			list[count++] = (struct analysis_size){
				.size = sizes->places[i].size,
				.last = common_sizes_last(sizes, sizes->places[i].size),
				.calls = sizes->places[i].calls};
	qsort(list + begin, count - begin, sizeof(*list), by_calls);
	return count;
}

static int make_sizes(struct results *results, const struct tables *tables)
{
	unsigned layers = tables->facts->layer_count, count = 0;

	for (unsigned i = 0; i < layers; i++)
		for (unsigned k = 0; k < ANALYSIS_DIRECTIONS; k++)
			count += tables->sizes[i][k].count;
	results->sizes = calloc((size_t)count + 1, sizeof(*results->sizes));
	results->size_begins =
		calloc((size_t)layers * ANALYSIS_DIRECTIONS + 1, sizeof(*results->size_begins));
	if (!results->sizes || !results->size_begins)
		return -ENOMEM;
	count = 0;
	for (unsigned i = 0; i < layers * ANALYSIS_DIRECTIONS; i++) {
		results->size_begins[i] = count;
		count = list_sizes(
			results->sizes, count,
			&tables->sizes[i / ANALYSIS_DIRECTIONS][i % ANALYSIS_DIRECTIONS]);
	}
	results->size_begins[layers * ANALYSIS_DIRECTIONS] = count;
	return 0;
}

/* ---- times of states ---- */

struct analysis_overlap results_overlap(const int64_t time[OVERLAP_STATES])
{
	struct analysis_overlap overlap = {0};

	for (unsigned state = 0; state < OVERLAP_STATES; state++)
		if (state & OVERLAP_FILES)
			add_to(state & OVERLAP_PROGRAM    ? &overlap.files_with_program
			       : state & OVERLAP_MESSAGES ? &overlap.files_with_mpi
							  : &overlap.files_alone,
			       time[state]);
		else
			add_to(state & OVERLAP_PROGRAM    ? &overlap.program
			       : state & OVERLAP_MESSAGES ? &overlap.mpi
							  : &overlap.waiting,
			       time[state]);
	return overlap;
}

/* ---- messages ---- */

static int by_comm_time(const void *a, const void *b)
{
	const struct analysis_comm *x = a, *y = b;

	if (x->sums.time != y->sums.time)
		return x->sums.time < y->sums.time ? 1 : -1;
	return (x->identity > y->identity) - (x->identity < y->identity);
}

static int by_bytes(const void *a, const void *b)
{
	const struct analysis_message *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

static int make_messages(struct results *results, const struct tables *tables)
{
	const struct messages *messages = &tables->messages;
	uint32_t comms = messages->comm_keys.count, pairs = messages->pair_keys.count;

	results->comms = calloc((size_t)comms + 1, sizeof(*results->comms));
	results->messages = calloc((size_t)pairs + 1, sizeof(*results->messages));
	if (!results->comms || !results->messages)
		return -ENOMEM;
	results->comm_count = comms;
	results->message_count = pairs;
	for (uint32_t i = 0; i < comms; i++) {
		const struct comm_row *row = &messages->comms[i];

		results->comms[i] = (struct analysis_comm){.identity = row->identity,
							   .name = row->name ? row->name : "",
							   .size = row->size,
							   .sums = row->sums,
							   .collective = row->collective};
	}
	for (uint32_t i = 0; i < pairs; i++) {
		const struct message_row *row = &messages->pairs[i];

		results->messages[i] =
			(struct analysis_message){row->from, row->to, row->calls, row->bytes};
	}
	qsort(results->comms, comms, sizeof(*results->comms), by_comm_time);
	qsort(results->messages, pairs, sizeof(*results->messages), by_bytes);
	return 0;
}

/* ---- over time ---- */

static void fill_bins(struct analysis_bin *bins, const struct series *series, unsigned layer)
{
	const struct layer_bins *from = &series->layers[layer];
	int64_t self[SERIES_BINS];

	busy_bins_sum(&from->busy, series->count, series->width, self);
	for (unsigned i = 0; i < series->count; i++)
		bins[i] = (struct analysis_bin){.self = self[i],
						.calls = from->calls[i],
						.metadata = from->metadata[i],
						.bytes_read = from->bytes_read[i],
						.bytes_written = from->bytes_written[i]};
}

static int make_series(struct results *results, const struct tables *tables)
{
	const struct series *series = &tables->series;
	size_t layers = tables->facts->layer_count, lines = (size_t)series->groups * SERIES_HEATS;
	int64_t self[SERIES_BINS];

	results->bins = calloc(layers * series->count + 1, sizeof(*results->bins));
	results->heat = calloc(lines * series->count + 1, sizeof(*results->heat));
	if (!results->bins || !results->heat)
		return -ENOMEM;
	for (unsigned i = 0; i < layers; i++)
		fill_bins(&results->bins[(size_t)i * series->count], series, i);
	for (size_t i = 0; i < lines; i++) {
		busy_bins_sum(&series->heat[i], series->count, series->width, self);
		memcpy(&results->heat[i * series->count], self, series->count * sizeof(*self));
	}
	return 0;
}

/* ---- file systems ---- */

static int by_bytes_moved(const void *a, const void *b)
{
	const struct analysis_filesystem *x = a, *y = b;
	double moved = (double)x->bytes_read + (double)x->bytes_written,
	       others = (double)y->bytes_read + (double)y->bytes_written;
	int order = strcmp(x->directory, y->directory);

	if (moved != others)
		return moved < others ? 1 : -1;
	return order ? order : strcmp(x->type, y->type);
}

static void fill_filesystem(struct analysis_filesystem *row, struct analysis_bin *bins,
			    const struct moved_bins *from, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		bins[i] = (struct analysis_bin){.calls = from->calls[i],
						.metadata = from->metadata[i],
						.bytes_read = from->bytes_read[i],
						.bytes_written = from->bytes_written[i]};
		row->calls += from->calls[i];
		row->metadata += from->metadata[i];
		add_to(&row->bytes_read, from->bytes_read[i]);
		add_to(&row->bytes_written, from->bytes_written[i]);
	}
	row->bins = bins;
}

static int make_filesystems(struct results *results, const struct tables *tables)
{
	const struct filesystems *mounted = &tables->facts->filesystems;
	unsigned bins = tables->series.count;

	results->filesystems = calloc(mounted->count, sizeof(*results->filesystems));
	results->filesystem_bins =
		calloc((size_t)mounted->count * bins, sizeof(*results->filesystem_bins));
	if (!results->filesystems || !results->filesystem_bins)
		return -ENOMEM;
	for (unsigned i = 0; i < mounted->count; i++) {
		const struct moved_bins *moved = moved_at(&tables->moved, i);
		unsigned number = results->filesystem_count;

		if (!moved)
			continue;
		results->filesystems[number] =
			(struct analysis_filesystem){.directory = mounted->list[i].directory,
						     .type = mounted->list[i].type,
						     .source = mounted->list[i].source};
		fill_filesystem(&results->filesystems[number],
				&results->filesystem_bins[(size_t)number * bins], moved, bins);
		results->filesystem_count++;
	}
	qsort(results->filesystems, results->filesystem_count, sizeof(*results->filesystems),
	      by_bytes_moved);
	return 0;
}

/* ---- all of it ---- */

int results_make(struct results *results, const struct tables *tables)
{
	int error;

	memset(results, 0, sizeof(*results));
	error = make_layers(results, tables);
	if (!error)
		error = make_sizes(results, tables);
	if (!error)
		error = call_results_make(results, tables);
	if (!error)
		error = file_results_make(results, tables);
	if (!error)
		error = make_messages(results, tables);
	if (!error)
		error = make_series(results, tables);
	if (!error)
		error = rank_results_make(results, tables);
	if (!error)
		error = make_filesystems(results, tables);
	if (!error)
		error = processes_make(results, tables);
	if (!error)
		error = bursts_make(results, tables);
	if (!error)
		error = wait_results_make(&results->waits, tables);
	if (!error)
		error = conflict_results_make(&results->conflicts, tables);
	if (!error)
		error = phase_results_make(&results->phases, &tables->phases);
	return error;
}

void results_release(struct results *results)
{
	free(results->layers);
	free(results->sizes);
	free(results->size_begins);
	free(results->functions);
	free(results->errors);
	free(results->ranks);
	free(results->files);
	free(results->uses);
	free(results->shares);
	free(results->comms);
	free(results->messages);
	free(results->sites);
	free(results->bins);
	free(results->heat);
	free(results->overlaps);
	free(results->overlap_bins);
	free(results->processes);
	free(results->filesystems);
	free(results->filesystem_bins);
	free(results->bursts);
	wait_results_release(&results->waits);
	conflict_results_release(&results->conflicts);
	phase_results_release(&results->phases);
}
