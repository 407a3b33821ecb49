/* SPDX-License-Identifier: MIT */
/* file_results.c - see file_results.h */
#include "analysis/file_results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/add.h"
#include "analysis/file_classes.h"

static enum layer_height use_height(const struct tables *tables, const struct use_row *use)
{
	return operation_layer_height(tables->facts->layers[use->layer].name);
}

static int by_file_and_layer(const void *a, const void *b)
{
	const struct use_row *x = *(struct use_row *const *)a, *y = *(struct use_row *const *)b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return (x->layer > y->layer) - (x->layer < y->layer);
}

/* Gives each file its uses. */
static int sort_uses(struct results *results, const struct tables *tables)
{
	uint32_t count = tables->files.use_keys.count, at = 0;

	results->uses = malloc((count + 1) * sizeof(*results->uses));
	if (!results->uses)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		results->uses[i] = &tables->files.uses[i];
	qsort(results->uses, count, sizeof(*results->uses), by_file_and_layer);
	for (unsigned file = 0; file < results->file_count; file++) {
		results->files[file].uses_begin = at;
		while (at < count && results->uses[at]->file == file)
			at++;
		results->files[file].uses_end = at;
	}
	return 0;
}

/* ---- what counts of a file ---- */

static bool moves(const struct use_row *use)
{
	return use->access.sums.bytes_read > 0 || use->access.sums.bytes_written > 0;
}

/* The lowest height at which bytes were moved, HEIGHT_NONE: at none. */
static enum layer_height height_that_counts(const struct results *results,
					    const struct tables *tables,
					    const struct file_result *file)
{
	enum layer_height lowest = HEIGHT_NONE;

	for (uint32_t i = file->uses_begin; i < file->uses_end; i++) {
		enum layer_height height = use_height(tables, results->uses[i]);

		if (moves(results->uses[i]) && height < lowest)
			lowest = height;
	}
	return lowest;
}

bool file_results_count(const struct tables *tables, const struct use_row *use,
			enum layer_height height)
{
	return height == HEIGHT_NONE || use_height(tables, use) == height;
}

static void fill_file(struct file_result *result, const struct results *results,
		      const struct tables *tables, uint32_t number, enum layer_height height)
{
	const struct file_row *row = &tables->files.rows[number];
	struct analysis_file *file = &result->file;
	size_t size;

	file->path = dictionary_key(&tables->files.paths, number, &size);
	file->class_ = file_class(file->path, row->type);
	result->height = height;
	file->first = row->first;
	file->last = row->last;
	for (uint32_t i = result->uses_begin; i < result->uses_end; i++)
		if (file_results_count(tables, results->uses[i], height))
			files_add_access(&file->access, &results->uses[i]->access);
}

/* ---- ranks ---- */

/* What a rank did with a file in one layer. */
struct part_of_file {
	uint32_t file;
	bool counts;
	const struct share_row *share;
};

static int by_file_and_rank(const void *a, const void *b)
{
	const struct part_of_file *x = a, *y = b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return (x->share->rank > y->share->rank) - (x->share->rank < y->share->rank);
}

static void add_part(struct analysis_file_rank *into, const struct part_of_file *part)
{
	into->rank = part->share->rank;
	if (!part->counts)
		return;
	into->calls += part->share->calls;
	add_to(&into->time, part->share->time);
	add_to(&into->bytes_read, part->share->bytes_read);
	add_to(&into->bytes_written, part->share->bytes_written);
}

/* Ranks of one job that have calls on a file, and those of them that move its bytes. */
struct users {
	int32_t world;
	unsigned all, moving;
};

/* Jobs that follow each other do not share a file: the one counts that has the most. */
static void count_user(struct analysis_file *file, struct users *users, int32_t world,
		       const struct analysis_file_rank *share)
{
	if (users->world != world)
		*users = (struct users){.world = world};
	users->all++;
	users->moving += share->bytes_read > 0 || share->bytes_written > 0;
	if (users->all > file->ranks)
		file->ranks = users->all;
	if (users->moving > file->moving_ranks)
		file->moving_ranks = users->moving;
}

/* Sums up the parts, which are sorted, by rank. */
static void fill_shares(struct results *results, const struct tables *tables,
			const struct part_of_file *parts, uint32_t count)
{
	uint32_t made = 0, at = 0;

	for (unsigned file = 0; file < results->file_count; file++) {
		struct file_result *result = &results->files[file];
		struct users users = {.world = -1};

		result->shares_begin = made;
		while (at < count && parts[at].file == file) {
			struct analysis_file_rank *share = &results->shares[made++];
			uint32_t rank = parts[at].share->rank;

			for (;
			     at < count && parts[at].file == file && parts[at].share->rank == rank;
			     at++)
				add_part(share, &parts[at]);
			count_user(&result->file, &users, tables->facts->ranks[rank].world, share);
		}
		result->shares_end = made;
	}
}

static int make_shares(struct results *results, const struct tables *tables,
		       const enum layer_height *heights)
{
	uint32_t count = tables->files.share_keys.count;
	struct part_of_file *parts = malloc((count + 1) * sizeof(*parts));

	results->shares = calloc(count + 1, sizeof(*results->shares));
	if (!parts || !results->shares) {
		free(parts);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct share_row *share = &tables->files.shares[i];
		const struct use_row *use = &tables->files.uses[share->use];

		parts[i] = (struct part_of_file){
			use->file, file_results_count(tables, use, heights[use->file]), share};
	}
	qsort(parts, count, sizeof(*parts), by_file_and_rank);
	fill_shares(results, tables, parts, count);
	free(parts);
	return 0;
}

/* ---- all of it ---- */

/* Files of data first. */
static int by_time_and_path(const void *a, const void *b)
{
	const struct analysis_file *x = &((const struct file_result *)a)->file,
				   *y = &((const struct file_result *)b)->file;

	if ((x->class_ == ANALYSIS_DATA) != (y->class_ == ANALYSIS_DATA))
		return x->class_ == ANALYSIS_DATA ? -1 : 1;
	if (x->access.sums.time != y->access.sums.time)
		return x->access.sums.time < y->access.sums.time ? 1 : -1;
	return strcmp(x->path, y->path);
}

int file_results_make(struct results *results, const struct tables *tables)
{
	unsigned count = tables->files.paths.count;
	enum layer_height *heights = calloc((size_t)count + 1, sizeof(*heights));
	int error;

	results->files = calloc((size_t)count + 1, sizeof(*results->files));
	results->file_count = results->files ? count : 0;
	error = heights && results->files ? sort_uses(results, tables) : -ENOMEM;
	for (unsigned i = 0; i < count && !error; i++) {
		heights[i] = height_that_counts(results, tables, &results->files[i]);
		fill_file(&results->files[i], results, tables, i, heights[i]);
	}
	if (!error)
		error = make_shares(results, tables, heights);
	free(heights);
	if (!error && count > 0)
		qsort(results->files, count, sizeof(*results->files), by_time_and_path);
	return error;
}
