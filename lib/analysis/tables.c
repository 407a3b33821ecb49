/* SPDX-License-Identifier: MIT */
/* tables.c - see tables.h */
#include "analysis/tables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/add.h"
#include "analysis/sizes.h"

int tables_begin(struct tables *tables, const struct facts *facts)
{
	memset(tables, 0, sizeof(*tables));
	tables->facts = facts;
	tables->phases.facts = facts;
	tables->functions = calloc(facts->function_count + 1, sizeof(*tables->functions));
	tables->own = calloc(facts->function_count + 1, sizeof(*tables->own));
	tables->layers = calloc(facts->layer_count + 1, sizeof(*tables->layers));
	tables->sizes = calloc(facts->layer_count + 1, sizeof(*tables->sizes));
	tables->ranks = calloc(facts->rank_count + 1, sizeof(*tables->ranks));
	tables->processes = calloc((size_t)facts->info.streams + 1, sizeof(*tables->processes));
	if (!tables->functions || !tables->own || !tables->layers || !tables->sizes ||
	    !tables->ranks || !tables->processes)
		return -ENOMEM;
	return series_begin(&tables->series, facts);
}

void tables_release(struct tables *tables)
{
	if (tables->functions)
		for (unsigned i = 0; i < tables->facts->function_count; i++)
			free(tables->functions[i].times);
	free(tables->functions);
	free(tables->own);
	for (unsigned i = 0; tables->sizes && i < tables->facts->layer_count; i++)
		for (unsigned direction = 0; direction < ANALYSIS_DIRECTIONS; direction++)
			common_sizes_release(&tables->sizes[i][direction]);
	free(tables->sizes);
	free(tables->layers);
	free(tables->ranks);
	free(tables->processes);
	failures_release(&tables->failures);
	files_release(&tables->files);
	messages_release(&tables->messages);
	sites_release(&tables->sites);
	moved_release(&tables->moved);
	halves_release(&tables->halves);
	touches_release(&tables->touches);
	phases_release(&tables->phases);
	series_release(&tables->series);
}

/* ---- the end of a stream ---- */

/* The rows of a function's layer, and of the rank and the process of the stream, from what the stream has of it. */
static void add_own(struct tables *tables, unsigned stream, unsigned function,
		    const struct own_row *own)
{
	const struct function_facts *facts = &tables->facts->functions[function];
	const struct layer_facts *about = &tables->facts->layers[facts->layer];
	struct layer_row *layer = &tables->layers[facts->layer];
	unsigned number = tables->facts->rank_of[stream];
	struct rank_row *rank = &tables->ranks[number];
	bool beside = tables->facts->ranks[number].beside;
	struct process_row *process = &tables->processes[stream];
	struct analysis_sums sums = own->sums;

	for (unsigned i = 0; i < ANALYSIS_USES * ANALYSIS_PLACES; i++) {
		unsigned use = i / ANALYSIS_PLACES, where = i % ANALYSIS_PLACES;
		int64_t self = own->by_use[use][where];

		add_to(&sums.self, self);
		add_to(&layer->self[beside ? ANALYSIS_ELSEWHERE : where], self);
		if (about->is_program)
			continue;
		add_to(&rank->by_use[use][where], self);
		add_to(&process->by_use[use], self);
	}
	add_to(&rank->by_operation[facts->operation], sums.self);
	add_sums(&tables->functions[function].sums, &sums);
	add_sums(&layer->sums, &sums);
	process->calls += sums.calls;
	process->errors += sums.errors;
	/* of ranks, bytes are those of files, which are known when all layers are */
	sums.bytes_read = sums.bytes_written = 0;
	add_sums(&rank->sums, &sums);
}

void tables_end_stream(struct tables *tables, unsigned stream)
{
	for (unsigned i = 0; i < tables->facts->function_count; i++) {
		struct own_row *own = &tables->own[i];

		if (own->sums.calls == 0)
			continue;
		add_own(tables, stream, i, own);
		memset(own, 0, sizeof(*own));
	}
}

/* ---- merging ---- */

static int merge_function(struct function_row *into, const struct function_row *from)
{
	if (!from->times)
		return 0;
	if (!into->times) {
		into->times = calloc(1, sizeof(*into->times));
		if (!into->times)
			return -ENOMEM;
		into->least = INT64_MAX;
	}
	sketch_merge(into->times, from->times);
	add_sums(&into->sums, &from->sums);
	if (from->least < into->least)
		into->least = from->least;
	if (from->most > into->most)
		into->most = from->most;
	if (from->most_in_files > into->most_in_files)
		into->most_in_files = from->most_in_files;
	return 0;
}

static void merge_layer(struct layer_row *into, const struct layer_row *from)
{
	add_sums(&into->sums, &from->sums);
	add_sizes(&into->sizes, &from->sizes);
	for (unsigned i = 0; i < ANALYSIS_PLACES; i++)
		add_to(&into->self[i], from->self[i]);
}

static int merge_sizes(struct common_sizes *into, const struct common_sizes *from)
{
	int error = 0;

	for (unsigned i = 0; i < ANALYSIS_DIRECTIONS && !error; i++)
		error = common_sizes_merge(&into[i], &from[i]);
	return error;
}

static void merge_process(struct process_row *into, const struct process_row *from)
{
	into->calls += from->calls;
	into->errors += from->errors;
	for (unsigned i = 0; i < ANALYSIS_USES; i++)
		add_to(&into->by_use[i], from->by_use[i]);
	for (unsigned i = 0; i < OVERLAP_STATES; i++)
		add_to(&into->overlap.time[i], from->overlap.time[i]);
}

static void merge_rank(struct rank_row *into, const struct rank_row *from)
{
	add_sums(&into->sums, &from->sums);
	for (unsigned use = 0; use < ANALYSIS_USES; use++)
		for (unsigned i = 0; i < ANALYSIS_PLACES; i++)
			add_to(&into->by_use[use][i], from->by_use[use][i]);
	for (unsigned i = 0; i < ANALYSIS_OPERATIONS; i++)
		add_to(&into->by_operation[i], from->by_operation[i]);
	for (unsigned i = 0; i < ANALYSIS_PLACES; i++)
		for (unsigned state = 0; state < OVERLAP_STATES; state++)
			add_to(&into->overlap[i].time[state], from->overlap[i].time[state]);
}

/* Behind files_merge(). */
static int merge_touches(struct tables *into, const struct tables *from)
{
	uint32_t count = from->files.paths.count;
	uint32_t *files = calloc((size_t)count + 1, sizeof(*files));
	int error = files ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < count && !error; i++) {
		size_t size;
		const char *path = dictionary_key(&from->files.paths, i, &size);

		error = dictionary_number(&into->files.paths, path, size, &files[i]);
	}
	if (!error)
		error = touches_merge(&into->touches, &from->touches, files);
	free(files);
	return error;
}

int tables_merge(struct tables *into, const struct tables *from)
{
	const struct facts *facts = into->facts;
	int error;

	for (unsigned i = 0; i < facts->function_count; i++) {
		error = merge_function(&into->functions[i], &from->functions[i]);
		if (error)
			return error;
	}
	for (unsigned i = 0; i < facts->layer_count; i++) {
		merge_layer(&into->layers[i], &from->layers[i]);
		error = merge_sizes(into->sizes[i], from->sizes[i]);
		if (error)
			return error;
	}
	for (unsigned i = 0; i < facts->rank_count; i++)
		merge_rank(&into->ranks[i], &from->ranks[i]);
	for (unsigned i = 0; i < facts->info.streams; i++)
		merge_process(&into->processes[i], &from->processes[i]);
	series_merge(&into->series, &from->series);
	error = failures_merge(&into->failures, &from->failures);
	if (!error)
		error = messages_merge(&into->messages, &from->messages);
	if (!error)
		error = sites_merge(&into->sites, &from->sites);
	if (!error)
		error = moved_merge(&into->moved, &from->moved);
	if (!error)
		error = halves_merge(&into->halves, &from->halves);
	if (!error)
		error = phases_merge(&into->phases, &from->phases);
	if (!error)
		error = files_merge(&into->files, &from->files);
	return error ? error : merge_touches(into, from);
}
