/* SPDX-License-Identifier: MIT */
/* report_offsets.c - where in files bytes were moved, for the page of recorder report, see report_data.h */
#include <stdlib.h>

#include "message.h"
#include "report_data.h"

/* Files, those of data with most time. */
#define FILES_SHOWN 16u
#define ROWS_MOST 128u

static int64_t cell_bytes(const struct analysis_cell *cell, enum analysis_direction direction)
{
	return direction == ANALYSIS_READS ? cell->bytes_read : cell->bytes_written;
}

/* A line for each column, of its rows. */
static void put_lines(struct json *json, const char *key, const struct analysis_grid *grid,
		      enum analysis_direction direction)
{
	int64_t most = 1;
	unsigned at = 0;

	for (unsigned i = 0; i < grid->cell_count; i++)
		if (cell_bytes(&grid->cells[i], direction) > most)
			most = cell_bytes(&grid->cells[i], direction);
	json_begin(json, key, '{');
	json_put_integer(json, "most", most);
	json_begin(json, "lines", '[');
	for (unsigned column = 0; column < grid->columns; column++) {
		int64_t cells[ROWS_MOST] = {0};

		for (; at < grid->cell_count && grid->cells[at].column == column; at++)
			if (grid->cells[at].row < ROWS_MOST)
				cells[grid->cells[at].row] =
					cell_bytes(&grid->cells[at], direction);
		report_line(json, cells, grid->rows < ROWS_MOST ? grid->rows : ROWS_MOST, most);
	}
	json_end(json, ']');
	json_end(json, '}');
}

/* What is moved in each row, or each column, exactly. */
static void put_sums(struct json *json, const char *key, const struct analysis_grid *grid,
		     int by_column, enum analysis_direction direction)
{
	unsigned count = by_column ? grid->columns : grid->rows;
	int64_t *sums = calloc((size_t)count + 1, sizeof(*sums));

	if (!sums)
		die("out of memory");
	for (unsigned i = 0; i < grid->cell_count; i++)
		sums[by_column ? grid->cells[i].column : grid->cells[i].row] +=
			cell_bytes(&grid->cells[i], direction);
	json_begin(json, key, '[');
	for (unsigned i = 0; i < count; i++)
		json_put_integer(json, NULL, sums[i]);
	json_end(json, ']');
	free(sums);
}

/* First and last row of each column with bytes, -1: none. */
static void put_reach(struct json *json, const struct analysis_grid *grid)
{
	unsigned at = 0;

	json_begin(json, "reach", '[');
	for (unsigned column = 0; column < grid->columns; column++) {
		int64_t first = -1, last = -1;

		for (; at < grid->cell_count && grid->cells[at].column == column; at++) {
			first = first < 0 ? (int64_t)grid->cells[at].row : first;
			last = (int64_t)grid->cells[at].row;
		}
		json_begin(json, NULL, '[');
		json_put_integer(json, NULL, first);
		json_put_integer(json, NULL, last);
		json_end(json, ']');
	}
	json_end(json, ']');
}

static void put_grid(struct json *json, const char *key, const struct analysis_grid *grid)
{
	json_begin(json, key, '{');
	json_put_unsigned(json, "columns", grid->columns);
	json_put_unsigned(json, "rows", grid->rows);
	json_put_integer(json, "begin", grid->column_begin);
	json_put_integer(json, "width", grid->column_width);
	json_put_integer(json, "row_bytes", grid->row_bytes);
	put_lines(json, "read", grid, ANALYSIS_READS);
	put_lines(json, "written", grid, ANALYSIS_WRITES);
	put_sums(json, "column_read", grid, 1, ANALYSIS_READS);
	put_sums(json, "column_written", grid, 1, ANALYSIS_WRITES);
	put_sums(json, "row_read", grid, 0, ANALYSIS_READS);
	put_sums(json, "row_written", grid, 0, ANALYSIS_WRITES);
	put_reach(json, grid);
	json_end(json, '}');
}

/* Whether it was one to show, which it is if it is known where bytes were moved. */
static int put_file(struct json *json, const struct analysis *analysis, unsigned index)
{
	const struct analysis_file *file = analysis_file(analysis, index);
	struct analysis_grid by_time, by_rank;

	if (file->class_ != ANALYSIS_DATA)
		return 0;
	if (analysis_file_grid(analysis, index, ANALYSIS_BY_TIME, &by_time) ||
	    analysis_file_grid(analysis, index, ANALYSIS_BY_RANK, &by_rank))
		die("out of memory");
	if (by_time.cell_count > 0) {
		json_begin(json, NULL, '{');
		report_text(json, "path", file->path);
		json_put_unsigned(json, "unknown",
				  file->access.read_pattern.unknown +
					  file->access.write_pattern.unknown);
		put_grid(json, "time", &by_time);
		put_grid(json, "rank", &by_rank);
		json_end(json, '}');
	}
	free(by_time.cells);
	free(by_rank.cells);
	return by_time.cell_count > 0;
}

void report_offsets(struct json *json, const struct summary *summary)
{
	unsigned given = 0;

	json_begin(json, "offsets", '[');
	for (unsigned i = 0; given < FILES_SHOWN && i < analysis_file_count(summary->analysis); i++)
		given += (unsigned)put_file(json, summary->analysis, i);
	json_end(json, ']');
}
