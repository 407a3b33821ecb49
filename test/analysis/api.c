/* SPDX-License-Identifier: MIT */
/* api.c - what libanalysis says of a trace in one place is what it says in another: api TRACE */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <recorder/analysis.h>

#define SAME(a, b)                                                                                 \
	do {                                                                                       \
		int64_t x_ = (int64_t)(a), y_ = (int64_t)(b);                                      \
		if (x_ != y_) {                                                                    \
			fprintf(stderr, "api.c:%d: %s is %" PRId64 ", %s is %" PRId64 "\n",        \
				__LINE__, #a, x_, #b, y_);                                         \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

static int64_t sum(const int64_t *numbers, unsigned count)
{
	int64_t all = 0;

	for (unsigned i = 0; i < count; i++)
		all += numbers[i];
	return all;
}

/* Whatever is in a layer is in its bins, once. */
static void check_series(const struct analysis *analysis)
{
	for (unsigned i = 0; i < analysis_layer_count(analysis); i++) {
		const struct analysis_layer *layer = analysis_layer(analysis, i);
		const struct analysis_bin *bins = analysis_layer_series(analysis, i);
		struct analysis_bin all = {0};

		for (unsigned k = 0; k < analysis_bin_count(analysis); k++) {
			SAME(bins[k].self >= 0, 1);
			all.self += bins[k].self;
			all.calls += bins[k].calls;
			all.bytes_read += bins[k].bytes_read;
			all.bytes_written += bins[k].bytes_written;
		}
		SAME(all.self, layer->sums.self);
		SAME(all.calls, layer->sums.calls);
		SAME(all.bytes_read, layer->sums.bytes_read);
		SAME(all.bytes_written, layer->sums.bytes_written);
		SAME(sum(layer->self, ANALYSIS_PLACES), layer->sums.self);
	}
}

static void check_heat(const struct analysis *analysis)
{
	unsigned next = 0, first, end;

	for (unsigned group = 0; group < analysis_group_count(analysis); group++) {
		int64_t want[ANALYSIS_USES] = {0};

		SAME(analysis_group(analysis, group, &first, &end), 0);
		SAME(first, next);
		for (next = first; next < end; next++) {
			const struct analysis_rank *rank = analysis_rank(analysis, next);

			want[ANALYSIS_USE_STORAGE] += sum(rank->storage, ANALYSIS_PLACES);
			want[ANALYSIS_USE_MESSAGES] += sum(rank->messages, ANALYSIS_PLACES);
			want[ANALYSIS_USE_OTHER] += sum(rank->others, ANALYSIS_PLACES);
		}
		for (unsigned use = 0; use < ANALYSIS_USES; use++)
			SAME(sum(analysis_heat(analysis, group, (enum analysis_use)use),
				 analysis_bin_count(analysis)),
			     want[use]);
	}
	SAME(next, analysis_rank_count(analysis));
	SAME(analysis_group(analysis, analysis_group_count(analysis), &first, &end) < 0, 1);
}

static int64_t all_of(const struct analysis_overlap *overlap)
{
	return overlap->files_alone + overlap->files_with_program + overlap->files_with_mpi +
	       overlap->program + overlap->mpi + overlap->waiting;
}

/* Each instant of each process is there once, also in bins. */
static void check_overlap(struct reader *trace, const struct analysis *analysis)
{
	struct analysis_overlap total = analysis_overlap_total(analysis, ANALYSIS_PLACES);
	const struct analysis_overlap *bins = analysis_overlap_series(analysis);
	struct reader_stream stream = {.sz = sizeof(stream)};
	struct reader_info info = {.sz = sizeof(info)};
	int64_t lives = 0, binned = 0, ranks = 0, files = 0;

	reader_info(trace, &info);
	for (unsigned i = 0; reader_stream(trace, i, &stream) == 0; i++)
		if (stream.records)
			lives += (stream.end < info.duration ? stream.end : info.duration) -
				 stream.start;
	for (unsigned i = 0; i < analysis_rank_count(analysis); i++)
		ranks += all_of(analysis_overlap(analysis, i, ANALYSIS_MAIN)) +
			 all_of(analysis_overlap(analysis, i, ANALYSIS_ELSEWHERE));
	for (unsigned i = 0; i < analysis_bin_count(analysis); i++) {
		binned += all_of(&bins[i]);
		files += bins[i].files_alone + bins[i].files_with_program + bins[i].files_with_mpi;
	}
	SAME(all_of(&total), ranks);
	SAME(ranks, lives);
	SAME(binned, lives);
	SAME(files, total.files_alone + total.files_with_program + total.files_with_mpi);
	SAME(files > 0, 1);
}

/* Each byte whose place is known is in one cell of each grid. */
static void check_grids(const struct analysis *analysis)
{
	struct analysis_grid grid;

	for (unsigned i = 0; i < analysis_file_count(analysis); i++) {
		const struct analysis_file *file = analysis_file(analysis, i);
		const struct analysis_access *access = &file->access;

		for (int axis = ANALYSIS_BY_TIME; axis <= ANALYSIS_BY_RANK; axis++) {
			int64_t read = 0, written = 0;

			SAME(analysis_file_grid(analysis, i, (enum analysis_axis)axis, &grid), 0);
			for (unsigned k = 0; k < grid.cell_count; k++) {
				SAME(grid.cells[k].column < grid.columns, 1);
				SAME(grid.cells[k].row < grid.rows, 1);
				read += grid.cells[k].bytes_read;
				written += grid.cells[k].bytes_written;
			}
			free(grid.cells);
			if (file->class_ == ANALYSIS_DATA && !access->read_pattern.unknown)
				SAME(read, access->sums.bytes_read);
			if (file->class_ == ANALYSIS_DATA && !access->write_pattern.unknown)
				SAME(written, access->sums.bytes_written);
		}
	}
}

static void check_functions(const struct analysis *analysis)
{
	unsigned layers = analysis_layer_count(analysis);
	struct analysis_sums *sums = calloc(layers + 1, sizeof(*sums));

	for (unsigned i = 0; i < analysis_function_count(analysis); i++) {
		const struct analysis_function *function = analysis_function(analysis, i);

		sums[function->layer].calls += function->sums.calls;
		sums[function->layer].time += function->sums.time;
		sums[function->layer].self += function->sums.self;
		SAME(analysis_function_quantile(analysis, i, 0) >= function->least, 1);
		SAME(analysis_function_quantile(analysis, i, 1) <= function->most, 1);
	}
	for (unsigned i = 0; i < layers; i++) {
		SAME(sums[i].calls, analysis_layer(analysis, i)->sums.calls);
		SAME(sums[i].time, analysis_layer(analysis, i)->sums.time);
		SAME(sums[i].self, analysis_layer(analysis, i)->sums.self);
	}
	free(sums);
}

static void check_files(const struct analysis *analysis)
{
	for (unsigned i = 0; i < analysis_file_count(analysis); i++) {
		const struct analysis_file *file = analysis_file(analysis, i);
		const struct analysis_file_rank *share;
		int64_t bytes = 0, time = 0;
		unsigned ranks = 0;

		for (; (share = analysis_file_rank(analysis, i, ranks)); ranks++) {
			bytes += share->bytes_read + share->bytes_written;
			time += share->time;
		}
		SAME(ranks, file->ranks);
		SAME(time, file->access.sums.time);
		SAME(bytes, file->access.sums.bytes_read + file->access.sums.bytes_written);
	}
}

static void check_ends(const struct analysis *analysis)
{
	unsigned layer;

	SAME(!analysis_layer(analysis, analysis_layer_count(analysis)), 1);
	SAME(!analysis_layer_series(analysis, analysis_layer_count(analysis)), 1);
	SAME(!analysis_layer_sizes(analysis, analysis_layer_count(analysis)), 1);
	SAME(!analysis_function(analysis, analysis_function_count(analysis)), 1);
	SAME(analysis_function_quantile(analysis, analysis_function_count(analysis), 0.5), -1);
	SAME(!analysis_error(analysis, analysis_error_count(analysis)), 1);
	SAME(!analysis_rank(analysis, analysis_rank_count(analysis)), 1);
	SAME(!analysis_file(analysis, analysis_file_count(analysis)), 1);
	SAME(!analysis_file_rank(analysis, analysis_file_count(analysis), 0), 1);
	SAME(!analysis_file_layer(analysis, analysis_file_count(analysis), 0, &layer), 1);
	SAME(!analysis_comm(analysis, analysis_comm_count(analysis)), 1);
	SAME(!analysis_message(analysis, analysis_message_count(analysis)), 1);
	SAME(!analysis_heat(analysis, analysis_group_count(analysis), ANALYSIS_USE_STORAGE), 1);
	SAME(!analysis_overlap(analysis, analysis_rank_count(analysis), ANALYSIS_MAIN), 1);
	SAME(analysis_file_grid(analysis, analysis_file_count(analysis), ANALYSIS_BY_TIME, NULL) <
		     0,
	     1);
}

static void note_all(void *data, uint64_t done, uint64_t all)
{
	(void)done;
	*(uint64_t *)data = all;
}

static uint64_t largest_stream(struct reader *trace)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	uint64_t most = 0;

	for (unsigned i = 0; reader_stream(trace, i, &stream) == 0; i++)
		most = stream.stored > most ? stream.stored : most;
	return most;
}

/* Shares of several processes, added up in another order, are the whole. */
static void check_shares(struct reader *trace, const struct analysis *whole)
{
	struct analysis_options options = {.sz = sizeof(options), .parts = 3};
	struct reader_info info = {.sz = sizeof(info)};
	uint64_t loads[3] = {0}, most = 0;
	struct analysis *parts[3];
	size_t sizes[3];
	void *bytes[3];

	for (unsigned i = 0; i < 3; i++) {
		options.part = i;
		options.progress = note_all;
		options.progress_data = &loads[i];
		parts[i] = analysis_new(trace, &options);
		SAME(analysis_run(parts[i]), 0);
		bytes[i] = analysis_save(parts[i], &sizes[i]);
		SAME(bytes[i] != NULL, 1);
	}
	/* no share has more than its part by more than a stream */
	reader_info(trace, &info);
	SAME(loads[0] + loads[1] + loads[2], info.stored);
	for (unsigned i = 0; i < 3; i++)
		most = loads[i] > most ? loads[i] : most;
	SAME(most <= info.stored / 3 + largest_stream(trace), 1);
	SAME(analysis_add(parts[1], bytes[2], sizes[2]), 0);
	SAME(analysis_add(parts[1], bytes[0], sizes[0]), 0);
	SAME(analysis_function_count(parts[1]), analysis_function_count(whole));
	for (unsigned i = 0; i < analysis_function_count(whole); i++) {
		const struct analysis_function *a = analysis_function(whole, i),
					       *b = analysis_function(parts[1], i);

		SAME(a->function->id, b->function->id);
		SAME(memcmp(&a->sums, &b->sums, sizeof(a->sums)), 0);
		SAME(analysis_function_quantile(whole, i, 0.9),
		     analysis_function_quantile(parts[1], i, 0.9));
	}
	SAME(analysis_file_count(parts[1]), analysis_file_count(whole));
	SAME(analysis_finding_count(parts[1]), analysis_finding_count(whole));
	check_series(parts[1]);
	check_heat(parts[1]);
	check_files(parts[1]);
	check_overlap(trace, parts[1]);
	check_grids(parts[1]);
	for (size_t size = 0; size < sizes[0]; size += sizes[0] / 100 + 1)
		SAME(analysis_add(parts[2], bytes[0], size) < 0, 1);
	for (unsigned i = 0; i < 3; i++) {
		analysis_free(parts[i]);
		free(bytes[i]);
	}
}

int main(int argc, char **argv)
{
	struct analysis_options options = {.sz = sizeof(options)};
	struct reader *trace = argc == 2 ? reader_open(argv[1], NULL) : NULL;

	if (!trace) {
		fprintf(stderr, "api: %s\n", argc == 2 ? reader_error(NULL) : "no trace");
		return 1;
	}
	for (options.jobs = 1; options.jobs < 6; options.jobs += 4) {
		struct analysis *analysis = analysis_new(trace, &options);

		check_ends(analysis); /* nothing is there before it has run */
		SAME(analysis_run(analysis), 0);
		SAME(analysis_function_count(analysis) > 0, 1);
		check_series(analysis);
		check_heat(analysis);
		check_functions(analysis);
		check_files(analysis);
		check_overlap(trace, analysis);
		check_grids(analysis);
		check_ends(analysis);
		check_shares(trace, analysis);
		analysis_free(analysis);
	}
	options.sz--;
	SAME(!analysis_new(trace, &options), 1);
	reader_close(trace);
	return 0;
}
