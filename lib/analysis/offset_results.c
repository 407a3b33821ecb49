/* SPDX-License-Identifier: MIT */
/* offset_results.c - see offset_results.h */
#include "analysis/offset_results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/add.h"
#include "analysis/file_results.h"

/* The grid of a use that counts for the file; NULL: it has none. */
static const struct offset_grid *grid_of_use(const struct tables *tables,
					     const struct results *results,
					     const struct file_result *file, uint32_t index)
{
	const struct use_row *use = results->uses[index];
	size_t number = (size_t)(use - tables->files.uses);

	if (number >= tables->files.offsets.count || !tables->files.offsets.list[number].count ||
	    !file_results_count(tables, use, file->height))
		return NULL;
	return &tables->files.offsets.list[number];
}

/* How many cells there are at most, and how wide the widest rows. */
static uint32_t look_over(const struct tables *tables, const struct results *results,
			  const struct file_result *file, unsigned *row_shift)
{
	uint32_t count = 0;

	*row_shift = 0;
	for (uint32_t i = file->uses_begin; i < file->uses_end; i++) {
		const struct offset_grid *one = grid_of_use(tables, results, file, i);

		if (!one)
			continue;
		count += one->count;
		if (offset_row_shift(&tables->files.offsets, one) > *row_shift)
			*row_shift = offset_row_shift(&tables->files.offsets, one);
	}
	return count;
}

/* Its cells on that axis, one for each direction. */
static void add_cells(struct analysis_grid *grid, const struct offset_grid *one, unsigned rows,
		      enum analysis_axis axis)
{
	for (uint32_t i = 0; i < one->room; i++) {
		const struct offset_cell *from = &one->cells[i];
		unsigned column = from->key ? offset_column(from->key) : 0;
		struct analysis_cell *cell = &grid->cells[grid->cell_count];

		if (!from->key || (column >= OFFSET_TIMES) != (axis == ANALYSIS_BY_RANK))
			continue;
		*cell = (struct analysis_cell){.column = column >= OFFSET_TIMES
								 ? column - OFFSET_TIMES
								 : column,
					       .row = offset_coarser_row(from->key, rows)};
		if (offset_direction(from->key) == OFFSET_READ)
			cell->bytes_read = from->bytes;
		else
			cell->bytes_written = from->bytes;
		grid->cell_count++;
	}
}

static int by_place(const void *a, const void *b)
{
	const struct analysis_cell *x = a, *y = b;

	if (x->column != y->column)
		return x->column < y->column ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

/* Cells of one place, which follow each other, become one. */
static void join_cells(struct analysis_grid *grid)
{
	unsigned made = 0;

	for (unsigned i = 0; i < grid->cell_count; i++) {
		const struct analysis_cell *cell = &grid->cells[i];

		if (made > 0 && by_place(&grid->cells[made - 1], cell) == 0) {
			add_to(&grid->cells[made - 1].bytes_read, cell->bytes_read);
			add_to(&grid->cells[made - 1].bytes_written, cell->bytes_written);
		} else {
			grid->cells[made++] = *cell;
		}
		if (cell->row >= grid->rows)
			grid->rows = cell->row + 1;
	}
	grid->cell_count = made;
}

static void set_columns(struct analysis_grid *grid, const struct facts *facts, unsigned level,
			enum analysis_axis axis)
{
	int64_t each = axis == ANALYSIS_BY_RANK ? (int64_t)offset_ranks_each(facts)
						: offset_time_each(facts);
	int64_t all =
		axis == ANALYSIS_BY_RANK ? (int64_t)facts->rank_count : facts->end - facts->begin;

	grid->column_begin = axis == ANALYSIS_BY_RANK ? 0 : facts->begin;
	grid->column_width = each << level;
	grid->columns = all > 0 ? (unsigned)((all - 1) / grid->column_width) + 1 : 0;
}

int offset_results_make(struct analysis_grid *grid, const struct tables *tables,
			const struct results *results, const struct file_result *file,
			enum analysis_axis axis)
{
	const struct offset_grids *grids = &tables->files.offsets;
	unsigned row_shift;
	uint32_t most = look_over(tables, results, file, &row_shift);

	*grid = (struct analysis_grid){.row_bytes = (int64_t)1 << row_shift};
	set_columns(grid, tables->facts, grids->level, axis);
	grid->cells = calloc((size_t)most + 1, sizeof(*grid->cells));
	if (!grid->cells)
		return -ENOMEM;
	for (uint32_t i = file->uses_begin; i < file->uses_end; i++) {
		const struct offset_grid *one = grid_of_use(tables, results, file, i);

		if (one)
			add_cells(grid, one, row_shift - offset_row_shift(grids, one), axis);
	}
	qsort(grid->cells, grid->cell_count, sizeof(*grid->cells), by_place);
	join_cells(grid);
	return 0;
}
