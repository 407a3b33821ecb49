/* SPDX-License-Identifier: MIT */
/* answers.c - what an analysis has found, row by row, see recorder/analysis.h; answers_ranks.c has what is between ranks */
#include <errno.h>

#include "analysis/add.h"
#include "analysis/analysis_state.h"
#include "analysis/offset_results.h"

unsigned analysis_layer_count(const struct analysis *analysis)
{
	return analysis->results.layers ? analysis->facts.layer_count : 0;
}

const struct analysis_layer *analysis_layer(const struct analysis *analysis, unsigned index)
{
	return index < analysis_layer_count(analysis) ? &analysis->results.layers[index] : NULL;
}

const struct analysis_sizes *analysis_layer_sizes(const struct analysis *analysis, unsigned layer)
{
	return layer < analysis_layer_count(analysis) ? &analysis->tables.layers[layer].sizes
						      : NULL;
}

unsigned analysis_layer_size_count(const struct analysis *analysis, unsigned layer,
				   enum analysis_direction direction)
{
	const unsigned *begin;

	if (layer >= analysis_layer_count(analysis) || (unsigned)direction >= ANALYSIS_DIRECTIONS)
		return 0;
	begin = &analysis->results.size_begins[layer * ANALYSIS_DIRECTIONS + direction];
	return begin[1] - begin[0];
}

const struct analysis_size *analysis_layer_size(const struct analysis *analysis, unsigned layer,
						enum analysis_direction direction, unsigned index)
{
	if (index >= analysis_layer_size_count(analysis, layer, direction))
		return NULL;
	return &analysis->results
			.sizes[index + analysis->results.size_begins[layer * ANALYSIS_DIRECTIONS +
								     direction]];
}

int analysis_layer_sizes_are_exact(const struct analysis *analysis, unsigned layer)
{
	return layer >= analysis_layer_count(analysis) ||
	       !(analysis->tables.sizes[layer][ANALYSIS_READS].level |
		 analysis->tables.sizes[layer][ANALYSIS_WRITES].level);
}

unsigned analysis_function_count(const struct analysis *analysis)
{
	return analysis->results.function_count;
}

const struct analysis_function *analysis_function(const struct analysis *analysis, unsigned index)
{
	return index < analysis->results.function_count ? &analysis->results.functions[index]
							: NULL;
}

/* A quantile lies where its bucket does; a call is not longer than the longest. */
static int64_t between(int64_t value, int64_t least, int64_t most)
{
	if (value < least)
		return least;
	return value > most ? most : value;
}

int64_t analysis_function_quantile(const struct analysis *analysis, unsigned index, double share)
{
	const struct analysis_function *function = analysis_function(analysis, index);

	if (!function)
		return -1;
	return between((int64_t)sketch_quantile(
			       analysis->tables.functions[function->function->id].times, share),
		       function->least, function->most);
}

unsigned analysis_error_count(const struct analysis *analysis)
{
	return analysis->results.error_count;
}

const struct analysis_error *analysis_error(const struct analysis *analysis, unsigned index)
{
	return index < analysis->results.error_count ? &analysis->results.errors[index] : NULL;
}

unsigned analysis_rank_count(const struct analysis *analysis)
{
	return analysis->results.ranks ? analysis->facts.rank_count : 0;
}

const struct analysis_rank *analysis_rank(const struct analysis *analysis, unsigned index)
{
	return index < analysis_rank_count(analysis) ? &analysis->results.ranks[index] : NULL;
}

int64_t analysis_rank_wall(const struct analysis_rank *rank)
{
	return time_between(rank->start, rank->end);
}

const struct analysis_overlap *analysis_overlap(const struct analysis *analysis, unsigned rank,
						enum analysis_where where)
{
	return rank < analysis_rank_count(analysis) && (unsigned)where < ANALYSIS_PLACES
		       ? &analysis->results.overlaps[rank][where]
		       : NULL;
}

static void add_overlap(struct analysis_overlap *into, const struct analysis_overlap *from)
{
	add_to(&into->files_alone, from->files_alone);
	add_to(&into->files_with_program, from->files_with_program);
	add_to(&into->files_with_mpi, from->files_with_mpi);
	add_to(&into->program, from->program);
	add_to(&into->mpi, from->mpi);
	add_to(&into->waiting, from->waiting);
}

struct analysis_overlap analysis_overlap_total(const struct analysis *analysis,
					       enum analysis_where where)
{
	struct analysis_overlap total = {0};

	for (unsigned rank = 0; rank < analysis_rank_count(analysis); rank++)
		for (unsigned place = 0; place < ANALYSIS_PLACES; place++) {
			bool main =
				place == ANALYSIS_MAIN && !analysis_rank(analysis, rank)->beside;

			if (where == ANALYSIS_PLACES || main == (where == ANALYSIS_MAIN))
				add_overlap(&total, &analysis->results.overlaps[rank][place]);
		}
	return total;
}

const struct analysis_overlap *analysis_overlap_series(const struct analysis *analysis)
{
	return analysis->results.overlap_bins;
}

unsigned analysis_process_count(const struct analysis *analysis)
{
	return analysis->results.process_count;
}

const struct analysis_process *analysis_process(const struct analysis *analysis, unsigned index)
{
	return index < analysis->results.process_count ? &analysis->results.processes[index] : NULL;
}

unsigned analysis_filesystem_count(const struct analysis *analysis)
{
	return analysis->results.filesystem_count;
}

const struct analysis_filesystem *analysis_filesystem(const struct analysis *analysis,
						      unsigned index)
{
	return index < analysis->results.filesystem_count ? &analysis->results.filesystems[index]
							  : NULL;
}

unsigned analysis_burst_count(const struct analysis *analysis)
{
	return analysis->results.burst_count;
}

const struct analysis_burst *analysis_burst(const struct analysis *analysis, unsigned index)
{
	return index < analysis->results.burst_count ? &analysis->results.bursts[index] : NULL;
}

const struct analysis_rhythm *analysis_rhythm(const struct analysis *analysis,
					      enum analysis_direction direction)
{
	return (unsigned)direction < ANALYSIS_DIRECTIONS ? &analysis->results.rhythms[direction]
							 : NULL;
}

/* ---- epochs and steps ---- */

unsigned analysis_phase_count(const struct analysis *analysis)
{
	return analysis->results.phases.count;
}

const struct analysis_phase *analysis_phase(const struct analysis *analysis, unsigned index)
{
	return index < analysis->results.phases.count ? &analysis->results.phases.phases[index]
						      : NULL;
}

unsigned analysis_phase_process_count(const struct analysis *analysis, unsigned phase)
{
	const struct phase_results *phases = &analysis->results.phases;

	return phase < phases->count ? phases->begins[phase + 1] - phases->begins[phase] : 0;
}

const struct analysis_phase *analysis_phase_process(const struct analysis *analysis, unsigned phase,
						    unsigned index)
{
	const struct phase_results *phases = &analysis->results.phases;

	return index < analysis_phase_process_count(analysis, phase)
		       ? &phases->processes[phases->begins[phase] + index]
		       : NULL;
}

/* ---- call sites ---- */

unsigned analysis_site_count(const struct analysis *analysis)
{
	return analysis->results.site_count;
}

const struct analysis_site *analysis_site(const struct analysis *analysis, unsigned index)
{
	return index < analysis->results.site_count ? &analysis->results.sites[index] : NULL;
}

/* ---- files ---- */

static const struct file_result *file_at(const struct analysis *analysis, unsigned index)
{
	return index < analysis->results.file_count ? &analysis->results.files[index] : NULL;
}

unsigned analysis_file_count(const struct analysis *analysis)
{
	return analysis->results.file_count;
}

const struct analysis_file *analysis_file(const struct analysis *analysis, unsigned index)
{
	const struct file_result *file = file_at(analysis, index);

	return file ? &file->file : NULL;
}

const struct analysis_access *analysis_file_layer(const struct analysis *analysis, unsigned file,
						  unsigned index, unsigned *layer)
{
	const struct file_result *found = file_at(analysis, file);
	const struct use_row *use;

	if (!found || index >= found->uses_end - found->uses_begin)
		return NULL;
	use = analysis->results.uses[found->uses_begin + index];
	*layer = use->layer;
	return &use->access;
}

const struct analysis_file_rank *analysis_file_rank(const struct analysis *analysis, unsigned file,
						    unsigned index)
{
	const struct file_result *found = file_at(analysis, file);

	if (!found || index >= found->shares_end - found->shares_begin)
		return NULL;
	return &analysis->results.shares[found->shares_begin + index];
}

int analysis_file_grid(const struct analysis *analysis, unsigned file, enum analysis_axis axis,
		       struct analysis_grid *grid)
{
	const struct file_result *found = file_at(analysis, file);

	if (!found || (unsigned)axis > ANALYSIS_BY_RANK)
		return -ERANGE;
	return offset_results_make(grid, &analysis->tables, &analysis->results, found, axis);
}

/* ---- findings ---- */

unsigned analysis_finding_count(const struct analysis *analysis)
{
	return analysis->judging.count;
}

const struct analysis_finding *analysis_finding(const struct analysis *analysis, unsigned index)
{
	return index < analysis->judging.count ? &analysis->judging.list[index] : NULL;
}

/* ---- over time ---- */

unsigned analysis_bin_count(const struct analysis *analysis)
{
	return analysis->results.bins ? analysis->tables.series.count : 0;
}

int64_t analysis_bin_begin(const struct analysis *analysis)
{
	return analysis->tables.series.begin;
}

int64_t analysis_bin_width(const struct analysis *analysis)
{
	return analysis->tables.series.width;
}

const struct analysis_bin *analysis_layer_series(const struct analysis *analysis, unsigned layer)
{
	size_t count = analysis_bin_count(analysis);

	return layer < analysis_layer_count(analysis) ? &analysis->results.bins[layer * count]
						      : NULL;
}

unsigned analysis_group_count(const struct analysis *analysis)
{
	return analysis->results.heat ? analysis->tables.series.groups : 0;
}

int analysis_group(const struct analysis *analysis, unsigned group, unsigned *first, unsigned *end)
{
	unsigned size = analysis->tables.series.group_size;

	if (group >= analysis_group_count(analysis))
		return -ERANGE;
	*first = group * size;
	*end = *first + size < analysis->facts.rank_count ? *first + size
							  : analysis->facts.rank_count;
	return 0;
}

const int64_t *analysis_heat(const struct analysis *analysis, unsigned group, enum analysis_use use)
{
	size_t line = (size_t)group * SERIES_HEATS + use;

	if (group >= analysis_group_count(analysis) || (unsigned)use >= ANALYSIS_USES)
		return NULL;
	return &analysis->results.heat[line * analysis->tables.series.count];
}

const int64_t *analysis_heat_direction(const struct analysis *analysis, unsigned group,
				       enum analysis_direction direction)
{
	size_t line = (size_t)group * SERIES_HEATS + ANALYSIS_USES + direction;

	if (group >= analysis_group_count(analysis) || (unsigned)direction >= ANALYSIS_DIRECTIONS)
		return NULL;
	return &analysis->results.heat[line * analysis->tables.series.count];
}
