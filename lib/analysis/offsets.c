/* SPDX-License-Identifier: MIT */
/* offsets.c - see offsets.h */
#include "analysis/offsets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/add.h"

#define LEAST_SHIFT 6u
#define CELLS_FIRST 8u

/* ---- cells ---- */

static struct offset_cell *place_of(struct offset_cell *cells, uint32_t room, uint32_t key)
{
	uint32_t at = (uint32_t)((uint64_t)(key * 2654435769u) * room >> 32);

	while (cells[at].key && cells[at].key != key)
		at = (at + 1) & (room - 1);
	return &cells[at];
}

/* Whether a table of so many has no room for one more cell. */
static bool is_full(uint32_t room, uint32_t count)
{
	return 4 * ((uint64_t)count + 1) > 3 * (uint64_t)room;
}

static int add_cell(struct offset_grid *grid, uint32_t key, int64_t bytes);

/* Puts all cells into a table of another size, in which each is called what its columns and rows become. */
static int rebuild(struct offset_grid *grid, uint32_t room, unsigned columns, unsigned rows)
{
	struct offset_grid made = *grid;

	made.count = 0;
	made.room = room;
	made.cells = calloc(room, sizeof(*made.cells));
	if (!made.cells)
		return -ENOMEM;
	for (uint32_t i = 0; i < grid->room; i++) {
		uint32_t key = grid->cells[i].key;
		unsigned column = key ? offset_column(key) : 0, row;
		bool of_ranks = column >= OFFSET_TIMES;

		if (!key)
			continue;
		column -= of_ranks ? OFFSET_TIMES : 0;
		column = (column >> columns) + (of_ranks ? OFFSET_TIMES : 0);
		row = offset_coarser_row(key, rows);
		add_cell(&made, offset_key(offset_direction(key), column, row),
			 grid->cells[i].bytes);
	}
	free(grid->cells);
	*grid = made;
	return 0;
}

static int add_cell(struct offset_grid *grid, uint32_t key, int64_t bytes)
{
	uint32_t *recent = &grid->recent[offset_column(key) >= OFFSET_TIMES];
	struct offset_cell *cell;

	if (*recent < grid->room && grid->cells[*recent].key == key) {
		add_to(&grid->cells[*recent].bytes, bytes);
		return 0;
	}
	if (is_full(grid->room, grid->count) &&
	    rebuild(grid, grid->room ? 2 * grid->room : CELLS_FIRST, 0, 0))
		return -ENOMEM;
	cell = place_of(grid->cells, grid->room, key);
	if (!cell->key) {
		cell->key = key;
		grid->count++;
	}
	*recent = (uint32_t)(cell - grid->cells);
	add_to(&cell->bytes, bytes);
	return 0;
}

/* ---- how much there may be ---- */

static uint64_t weight_of(const struct offset_grid *grid, uint32_t level)
{
	uint64_t rows = ((uint64_t)grid->most >> (LEAST_SHIFT + level)) + 1;

	if (rows > OFFSET_ROWS >> level)
		rows = OFFSET_ROWS >> level;
	return grid->used * rows;
}

void offsets_count_columns(struct offset_grid *grid)
{
	grid->used = 0;
	for (unsigned i = 0; i < OFFSET_DIRECTIONS; i++)
		for (unsigned word = 0; word < OFFSET_WORDS; word++)
			grid->used += (unsigned)__builtin_popcountll(grid->columns[i][word]);
}

static bool has_column(const struct offset_grid *grid, unsigned direction, unsigned column)
{
	return grid->columns[direction][column / 64] >> column % 64 & 1;
}

static void set_column(struct offset_grid *grid, unsigned direction, unsigned column)
{
	grid->used += !has_column(grid, direction, column);
	grid->columns[direction][column / 64] |= 1ull << column % 64;
}

static void halve_columns(struct offset_grid *grid)
{
	struct offset_grid made = {0};

	for (unsigned i = 0; i < OFFSET_DIRECTIONS; i++)
		for (unsigned column = 0; column < OFFSET_COLUMNS; column++)
			if (has_column(grid, i, column))
				set_column(&made, i,
					   column < OFFSET_TIMES
						   ? column / 2
						   : OFFSET_TIMES + (column - OFFSET_TIMES) / 2);
	memcpy(grid->columns, made.columns, sizeof(grid->columns));
	grid->used = made.used;
}

/* Gives back what cells that have become few do not need. 0 or -ENOMEM. */
static int shrink(struct offset_grid *grid)
{
	uint32_t room = CELLS_FIRST;

	while (is_full(room, grid->count))
		room *= 2;
	return room < grid->room ? rebuild(grid, room, 0, 0) : 0;
}

static int next_level(struct offset_grids *grids)
{
	grids->level++;
	grids->weight = 0;
	for (uint32_t i = 0; i < grids->count; i++) {
		struct offset_grid *grid = &grids->list[i];

		if (grid->room && (rebuild(grid, grid->room, 1, 1) || shrink(grid)))
			return -ENOMEM;
		halve_columns(grid);
		grids->weight += weight_of(grid, grids->level);
	}
	return 0;
}

static int keep_bounds(struct offset_grids *grids)
{
	while (grids->weight > OFFSET_CELLS && grids->level < OFFSET_LEVELS)
		if (next_level(grids))
			return -ENOMEM;
	return 0;
}

/* ---- grids ---- */

static struct offset_grid *grid_of(struct offset_grids *grids, uint32_t use)
{
	if (use >= grids->room) {
		uint32_t room = use + use / 2 + 16;
		struct offset_grid *list = realloc(grids->list, room * sizeof(*list));

		if (!list)
			return NULL;
		memset(list + grids->room, 0, (room - grids->room) * sizeof(*list));
		grids->list = list;
		grids->room = room;
	}
	if (use >= grids->count)
		grids->count = use + 1;
	return &grids->list[use];
}

/* Makes rows wide enough for an offset. */
static int reach(struct offset_grid *grid, int64_t offset)
{
	unsigned shift = grid->shift > LEAST_SHIFT ? grid->shift : LEAST_SHIFT, more;

	if (offset > grid->most)
		grid->most = offset;
	while (grid->most >> shift >= OFFSET_ROWS)
		shift++;
	more = grid->shift ? shift - grid->shift : 0;
	grid->shift = shift;
	return more && grid->room ? rebuild(grid, grid->room, 0, more) : 0;
}

/* Bytes from begin to end, in a column. */
static int fill(struct offset_grid *grid, unsigned row_shift, unsigned direction, unsigned column,
		int64_t begin, int64_t end)
{
	for (int64_t row = begin >> row_shift; begin < end; row++) {
		int64_t until = (int64_t)((uint64_t)(row + 1) << row_shift);

		if (until > end || until < 0)
			until = end;
		if (add_cell(grid, offset_key(direction, column, (unsigned)row), until - begin))
			return -ENOMEM;
		begin = until;
	}
	return 0;
}

/* Calls come by time, so it is mostly the column of the one before. */
static unsigned time_column(struct offset_grids *grids, const struct facts *facts, int64_t time)
{
	int64_t each = offset_time_each(facts), since;

	if (time >= facts->end)
		time = facts->end - 1;
	if (time <= facts->begin)
		return 0;
	since = time - facts->begin;
	if (since < grids->recent * each || since >= (grids->recent + 1) * each)
		grids->recent = since / each;
	return (unsigned)grids->recent;
}

/* Column by column, each with the part of the bytes that its part of the time stands for. */
static int fill_times(struct offset_grids *grids, struct offset_grid *grid,
		      const struct facts *facts, const struct offset_transfer *transfer)
{
	unsigned column = time_column(grids, facts, transfer->from),
		 last = time_column(grids, facts, transfer->to);
	int64_t begin = transfer->begin, end = begin + transfer->bytes;

	for (; begin < end && column <= last; column++) {
		int64_t until = end;

		if (column < last) {
			__int128 border =
				(__int128)(column + 1) * offset_time_each(facts) + facts->begin;

			until = transfer->begin +
				(int64_t)(transfer->bytes * (border - transfer->from) /
					  ((__int128)transfer->to - transfer->from));
		}
		if (until <= begin)
			continue;
		set_column(grid, transfer->direction, column >> grids->level);
		if (fill(grid, offset_row_shift(grids, grid), transfer->direction,
			 column >> grids->level, begin, until))
			return -ENOMEM;
		begin = until;
	}
	return 0;
}

static int fill_rank(const struct offset_grids *grids, struct offset_grid *grid,
		     const struct facts *facts, const struct offset_transfer *transfer)
{
	unsigned column =
		OFFSET_TIMES + (transfer->rank / offset_ranks_each(facts) >> grids->level);

	set_column(grid, transfer->direction, column);
	return fill(grid, offset_row_shift(grids, grid), transfer->direction, column,
		    transfer->begin, transfer->begin + transfer->bytes);
}

int offsets_take(struct offset_grids *grids, const struct facts *facts, uint32_t use,
		 const struct offset_transfer *transfer)
{
	struct offset_grid *grid = grid_of(grids, use);
	unsigned used;
	int64_t most;
	uint64_t before;

	if (!grid)
		return -ENOMEM;
	if (!offset_transfer_is_possible(transfer))
		return 0;
	before = weight_of(grid, grids->level);
	used = grid->used;
	most = grid->most;
	if (reach(grid, transfer->begin + transfer->bytes - 1) ||
	    fill_times(grids, grid, facts, transfer) || fill_rank(grids, grid, facts, transfer))
		return -ENOMEM;
	if (grid->used == used && grid->most == most)
		return 0;
	grids->weight += weight_of(grid, grids->level) - before;
	return keep_bounds(grids);
}

/* ---- merging ---- */

static int merge_grid(struct offset_grids *into, struct offset_grid *grid,
		      const struct offset_grids *from, const struct offset_grid *other)
{
	unsigned columns = into->level - from->level, rows;
	struct offset_grid same = *other;
	uint64_t before = weight_of(grid, into->level);

	if (reach(grid, other->most))
		return -ENOMEM;
	rows = grid->shift - other->shift + columns;
	same.cells = malloc(other->room * sizeof(*same.cells));
	if (!same.cells)
		return -ENOMEM;
	memcpy(same.cells, other->cells, other->room * sizeof(*same.cells));
	if (rebuild(&same, same.room, columns, rows)) {
		free(same.cells);
		return -ENOMEM;
	}
	for (unsigned i = 0; i < columns; i++)
		halve_columns(&same);
	for (unsigned i = 0; i < OFFSET_DIRECTIONS; i++)
		for (unsigned word = 0; word < OFFSET_WORDS; word++)
			grid->columns[i][word] |= same.columns[i][word];
	offsets_count_columns(grid);
	for (uint32_t i = 0; i < same.room; i++)
		if (same.cells[i].key && add_cell(grid, same.cells[i].key, same.cells[i].bytes)) {
			free(same.cells);
			return -ENOMEM;
		}
	free(same.cells);
	into->weight += weight_of(grid, into->level) - before;
	return 0;
}

int offsets_merge(struct offset_grids *into, const struct offset_grids *from, const uint32_t *uses)
{
	while (into->level < from->level)
		if (next_level(into))
			return -ENOMEM;
	for (uint32_t i = 0; i < from->count; i++) {
		struct offset_grid *grid;

		if (!from->list[i].count)
			continue;
		grid = grid_of(into, uses[i]);
		if (!grid || merge_grid(into, grid, from, &from->list[i]) || keep_bounds(into))
			return -ENOMEM;
	}
	return 0;
}

bool offsets_are_valid(const struct offset_grid *grid)
{
	uint32_t used = 0;

	if (grid->most < 0 || grid->shift < LEAST_SHIFT || grid->shift > 62 ||
	    grid->most >> grid->shift >= OFFSET_ROWS ||
	    (grid->shift > LEAST_SHIFT && grid->most >> (grid->shift - 1) < OFFSET_ROWS))
		return false;
	for (uint32_t i = 0; i < grid->room; i++) {
		uint32_t key = grid->cells[i].key;

		if (key && (offset_row(key) >= OFFSET_ROWS ||
			    offset_column(key) >= OFFSET_COLUMNS || (key - 1) >> 17))
			return false;
		used += key != 0;
	}
	return used == grid->count && used < grid->room && !(grid->room & (grid->room - 1));
}

void offsets_release(struct offset_grids *grids)
{
	for (uint32_t i = 0; i < grids->count; i++)
		free(grids->list[i].cells);
	free(grids->list);
}

#ifdef UNIT_TEST
#include "unittest.h"

static const struct facts unit_facts = {.begin = 0, .end = 1280, .rank_count = 128};

static int64_t bytes_at(const struct offset_grids *grids, unsigned direction, unsigned column,
			unsigned row)
{
	const struct offset_grid *grid = &grids->list[0];

	return place_of(grid->cells, grid->room, offset_key(direction, column, row))->bytes;
}

static void take(struct offset_grids *grids, uint32_t use, struct offset_transfer transfer)
{
	EXPECT_EQ(offsets_take(grids, &unit_facts, use, &transfer), 0);
}

TEST_CASE(offsets_lie_in_rows_and_columns)
{
	struct offset_grids grids = {0};

	/* 64 bytes a row: half of it in each of two columns of time */
	take(&grids, 0, (struct offset_transfer){OFFSET_WRITTEN, 127, 32, 128, 5, 15});
	EXPECT_EQ(bytes_at(&grids, OFFSET_WRITTEN, 0, 0), 32);
	EXPECT_EQ(bytes_at(&grids, OFFSET_WRITTEN, 0, 1), 32);
	EXPECT_EQ(bytes_at(&grids, OFFSET_WRITTEN, 1, 1), 32);
	EXPECT_EQ(bytes_at(&grids, OFFSET_WRITTEN, 1, 2), 32);
	EXPECT_EQ(bytes_at(&grids, OFFSET_WRITTEN, OFFSET_TIMES + 63, 1), 64);
	/* the file becomes longer: 96 rows of 128 bytes */
	take(&grids, 0, (struct offset_transfer){OFFSET_READ, 0, 96 * 64, 1, 1279, 1280});
	EXPECT_EQ(grids.list[0].shift, 7);
	EXPECT_EQ(bytes_at(&grids, OFFSET_WRITTEN, 0, 0), 64);
	EXPECT_EQ(bytes_at(&grids, OFFSET_WRITTEN, 1, 0), 32);
	EXPECT_EQ(bytes_at(&grids, OFFSET_READ, 127, 48), 1);
	EXPECT_EQ(bytes_at(&grids, OFFSET_READ, OFFSET_TIMES, 48), 1);
	/* what a trace may say, too */
	take(&grids, 0, (struct offset_transfer){OFFSET_READ, 0, INT64_MAX - 1, 9, -5, 9999});
	take(&grids, 0, (struct offset_transfer){OFFSET_READ, 0, INT64_MAX - 1, 1, -5, 9999});
	EXPECT(offsets_are_valid(&grids.list[0]));
	offsets_release(&grids);
}

static struct offset_transfer unit_transfer(uint32_t number)
{
	uint32_t dice = number * 2654435769u;
	int64_t time = dice >> 8 & 1023;

	return (struct offset_transfer){dice >> 31,
					dice >> 3 & 127,
					(int64_t)(dice & 0xffff) << (number % 7 == 0 ? 20 : 4),
					1 + (dice >> 20),
					time,
					time + (dice >> 24)};
}

static int compare_cells(const void *a, const void *b)
{
	const struct offset_cell *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

static void expect_same(struct offset_grids *a, struct offset_grids *b)
{
	EXPECT_EQ(a->level, b->level);
	EXPECT_EQ(a->weight, b->weight);
	for (uint32_t use = 0; use < a->count; use++) {
		struct offset_grid *x = &a->list[use], *y = &b->list[use];

		EXPECT_EQ(x->shift, y->shift);
		EXPECT_EQ(x->count, y->count);
		qsort(x->cells, x->room, sizeof(*x->cells), compare_cells);
		qsort(y->cells, y->room, sizeof(*y->cells), compare_cells);
		EXPECT(x->count == y->count &&
		       !memcmp(x->cells + (x->room - x->count), y->cells + (y->room - y->count),
			       x->count * sizeof(*x->cells)));
	}
}

/* 400 files, so that grids become coarser: whoever takes which transfer, and in whatever order. */
TEST_CASE(offsets_do_not_depend_on_order)
{
	enum { USES = 400, TRANSFERS = 120000 };
	struct offset_grids all = {0}, parts[2] = {{0}, {0}}, merged = {0};
	uint32_t uses[2][USES];

	for (uint32_t i = 0; i < USES; i++) {
		uses[0][i] = i;
		uses[1][USES - 1 - i] = i;
	}
	for (uint32_t i = 0; i < TRANSFERS; i++)
		take(&all, i % USES, unit_transfer(i));
	for (uint32_t i = TRANSFERS; i-- > 0;)
		take(&parts[i / 7 % 2], uses[i / 7 % 2][i % USES], unit_transfer(i));
	for (unsigned i = 2; i-- > 0;)
		EXPECT_EQ(offsets_merge(&merged, &parts[i], uses[i]), 0);
	EXPECT(all.level > 0);
	EXPECT(all.weight <= OFFSET_CELLS);
	expect_same(&all, &merged);
	offsets_release(&all);
	offsets_release(&merged);
	offsets_release(&parts[0]);
	offsets_release(&parts[1]);
}
#endif
