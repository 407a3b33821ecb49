/* SPDX-License-Identifier: MIT */
/*
 * offsets.h - where in files bytes were moved, when and by which ranks: for each use of a file two grids, of offset by time and of offset by rank.
 *
 * A grid's columns are fixed: equal parts of the time that is looked at, or groups of ranks. Its rows are as many bytes each as it takes to have the largest offset
 * within the last row: a power of two, which doubles when the file turns out longer, and then two rows become one. Bytes of a transfer count in the rows they lie in,
 * and its time in the columns it lies in, as if it had gone on evenly. Only cells with bytes are kept.
 *
 * Memory is bounded for any number of files: when columns with bytes, times the rows they may have, are more than OFFSET_CELLS, all grids become coarser by two in
 * both directions. That number never shrinks as transfers are added, nor does the largest offset, so the result does not depend on their order.
 */
#ifndef RECORDER_ANALYSIS_OFFSETS_H
#define RECORDER_ANALYSIS_OFFSETS_H

#include "analysis/facts.h"

#define OFFSET_ROWS 96u
#define OFFSET_ROW_BITS 7u /* of their numbers */
#define OFFSET_TIMES 128u  /* columns of time */
#define OFFSET_RANKS 64u   /* columns of ranks, at most */
#define OFFSET_COLUMNS (OFFSET_TIMES + OFFSET_RANKS)
#define OFFSET_LEVELS 5u
#define OFFSET_CELLS 4000000u
#define OFFSET_WORDS ((OFFSET_COLUMNS + 63) / 64)

enum offset_direction { OFFSET_READ, OFFSET_WRITTEN, OFFSET_DIRECTIONS };

struct offset_cell {
	uint32_t key; /* direction, column, row, see offset_key(); 0: not used */
	int64_t bytes;
};

struct offset_grid {
	uint64_t columns[OFFSET_DIRECTIONS][OFFSET_WORDS]; /* those with bytes */
	unsigned used;                                     /* how many */
	int64_t most;                                      /* the largest offset */
	uint32_t count, room;                              /* cells, a hash table */
	uint32_t shift; /* a row of level 0 is 1 << shift bytes */
	uint32_t recent
		[2]; /* places of the cells that were added to last, of a column of time and of one of ranks */
	struct offset_cell *cells;
};

/* Zeroed: none. */
struct offset_grids {
	struct offset_grid *list; /* by use */
	uint32_t room, count;
	uint32_t level;  /* columns and rows are 1 << level times as wide as at first */
	uint64_t weight; /* cells that there may be */
	int64_t recent;  /* the column of time that was asked for last */
};

/* Where bytes were moved. */
struct offset_transfer {
	enum offset_direction direction;
	unsigned rank;
	int64_t begin, bytes; /* in the file */
	int64_t from, to;     /* ns */
};

/* A trace may say anything. */
static inline bool offset_transfer_is_possible(const struct offset_transfer *transfer)
{
	return transfer->begin >= 0 && transfer->bytes > 0 &&
	       transfer->bytes <= INT64_MAX - transfer->begin;
}

/* Ranks in a column of level 0. */
static inline unsigned offset_ranks_each(const struct facts *facts)
{
	return facts->rank_count / OFFSET_RANKS + (facts->rank_count % OFFSET_RANKS > 0);
}

/* ns of a column of level 0. */
static inline int64_t offset_time_each(const struct facts *facts)
{
	return (facts->end - facts->begin - 1) / OFFSET_TIMES + 1;
}

/* Columns of ranks come behind those of time. */
static inline uint32_t offset_key(unsigned direction, unsigned column, unsigned row)
{
	return 1 + (row | column << 8 | direction << 16);
}

static inline unsigned offset_row(uint32_t key)
{
	return (key - 1) & 0xff;
}

/* The row that one becomes where rows are 1 << more times as large: files may be 2^62 times as long as at first. */
static inline unsigned offset_coarser_row(uint32_t key, unsigned more)
{
	return more < OFFSET_ROW_BITS ? offset_row(key) >> more : 0;
}

static inline unsigned offset_column(uint32_t key)
{
	return (key - 1) >> 8 & 0xff;
}

static inline unsigned offset_direction(uint32_t key)
{
	return (key - 1) >> 16 & 1;
}

/* Bytes of a row. */
static inline unsigned offset_row_shift(const struct offset_grids *grids,
					const struct offset_grid *grid)
{
	return grid->shift + grids->level;
}

/* Counts a transfer of a use. 0 or -ENOMEM. */
int offsets_take(struct offset_grids *grids, const struct facts *facts, uint32_t use,
		 const struct offset_transfer *transfer);
/* Adds what others have counted; `uses`: what their uses are called here. 0 or -ENOMEM. */
int offsets_merge(struct offset_grids *into, const struct offset_grids *from, const uint32_t *uses);
/* Counts the columns of a grid that has been loaded. */
void offsets_count_columns(struct offset_grid *grid);
/* A grid that has been loaded: whether all in it is possible. */
bool offsets_are_valid(const struct offset_grid *grid);
void offsets_release(struct offset_grids *grids);

#endif
