/* SPDX-License-Identifier: MIT */
/* offset_runs.c - see offset_runs.h */
#include "analysis/offset_runs.h"

static void find_column(struct offset_runs *runs, const struct facts *facts, int64_t time)
{
	int64_t each, left;

	runs->begin = runs->end = time;
	if (time < facts->begin || time >= facts->end)
		return;
	each = offset_time_each(facts);
	runs->begin -= (time - facts->begin) % each;
	left = facts->end - runs->begin;
	runs->end = runs->begin + (left < each ? left : each);
}

/* Whether a transfer lies in one column, which becomes that of `runs`. */
static bool is_in_column(struct offset_runs *runs, const struct facts *facts,
			 const struct offset_transfer *transfer)
{
	if (transfer->from < runs->begin || transfer->from >= runs->end)
		find_column(runs, facts, transfer->from);
	return transfer->from <= transfer->to && transfer->to < runs->end;
}

static bool goes_on(const struct offset_runs *runs, const struct offset_run *run, uint32_t use,
		    const struct offset_transfer *transfer)
{
	const struct offset_transfer *before = &run->transfer;

	return before->bytes > 0 && run->use == use && run->column == runs->begin &&
	       before->direction == transfer->direction && before->rank == transfer->rank &&
	       before->begin + before->bytes == transfer->begin;
}

static int end_run(struct offset_run *run, struct offset_grids *grids, const struct facts *facts)
{
	struct offset_transfer transfer = run->transfer;

	if (transfer.bytes == 0)
		return 0;
	run->transfer.bytes = 0;
	return offsets_take(grids, facts, run->use, &transfer);
}

int offset_runs_take(struct offset_runs *runs, struct offset_grids *grids,
		     const struct facts *facts, uint32_t use,
		     const struct offset_transfer *transfer)
{
	struct offset_run *run = &runs->list[(2 * use + transfer->direction) % OFFSET_RUNS];
	int error;

	if (!offset_transfer_is_possible(transfer) || !is_in_column(runs, facts, transfer))
		return offsets_take(grids, facts, use, transfer);
	if (goes_on(runs, run, use, transfer)) {
		run->transfer.bytes += transfer->bytes;
		return 0;
	}
	error = end_run(run, grids, facts);
	*run = (struct offset_run){use, runs->begin, *transfer};
	return error;
}

int offset_runs_end(struct offset_runs *runs, struct offset_grids *grids, const struct facts *facts)
{
	int error = 0;

	for (unsigned i = 0; i < OFFSET_RUNS; i++) {
		int this = end_run(&runs->list[i], grids, facts);

		error = error ? error : this;
	}
	return error;
}

#ifdef UNIT_TEST
#include "unittest.h"

static const struct facts unit_facts = {.begin = 1000, .end = 129000, .rank_count = 3};

/* Pieces that go on in a file, begin anew now and then, and cross columns of time; of three uses in turns. */
static struct offset_transfer unit_transfer(struct offset_transfer *last, unsigned i)
{
	struct offset_transfer next = *last;

	next.begin = i % 17 ? last->begin + last->bytes : (int64_t)(i * 7919u % 100000);
	next.bytes = 1 + i % 5 * 100;
	next.direction = i / 40 % 2 ? OFFSET_WRITTEN : OFFSET_READ;
	next.rank = i / 300 % 3;
	next.from = 900 + (int64_t)i * 33;
	next.to = next.from + (i % 11 ? 20 : 3000);
	*last = next;
	return next;
}

static int64_t bytes_of(const struct offset_grid *grid, uint32_t key)
{
	for (uint32_t i = 0; i < grid->room; i++)
		if (grid->cells[i].key == key)
			return grid->cells[i].bytes;
	return -1;
}

TEST_CASE(offset_runs_fill_the_same_cells)
{
	enum { USES = 3, TRANSFERS = 4000 };
	struct offset_transfer last[USES] = {{0}, {0}, {0}};
	struct offset_grids direct = {0}, grids = {0};
	struct offset_runs runs = {0};
	unsigned cells = 0;

	for (unsigned i = 0; i < TRANSFERS; i++) {
		struct offset_transfer transfer = unit_transfer(&last[i % USES], i);

		REQUIRE(offsets_take(&direct, &unit_facts, i % USES, &transfer) == 0);
		REQUIRE(offset_runs_take(&runs, &grids, &unit_facts, i % USES, &transfer) == 0);
	}
	REQUIRE(offset_runs_end(&runs, &grids, &unit_facts) == 0);
	for (uint32_t use = 0; use < USES; use++) {
		const struct offset_grid *a = &direct.list[use], *b = &grids.list[use];

		EXPECT_EQ(a->count, b->count);
		for (uint32_t i = 0; i < a->room; i++)
			if (a->cells[i].key) {
				EXPECT_EQ(a->cells[i].bytes, bytes_of(b, a->cells[i].key));
				cells++;
			}
	}
	EXPECT(cells > 100);
	offsets_release(&direct);
	offsets_release(&grids);
}

TEST_CASE(offset_runs_let_pass_what_a_trace_may_say)
{
	struct offset_grids grids = {0};
	struct offset_runs runs = {0};
	const struct offset_transfer odd[] = {
		{OFFSET_READ, 0, INT64_MAX - 1, 9, 2000, 2001},
		{OFFSET_READ, 0, INT64_MAX - 1, 1, 2000, 2001},
		{OFFSET_READ, 0, -5, 9, 2000, 2001},
		{OFFSET_READ, 0, 0, 0, 2000, 2001},
		{OFFSET_READ, 0, 0, 10, 5000, 4000},
		{OFFSET_READ, 0, 10, 10, INT64_MIN, INT64_MAX},
	};

	for (unsigned i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		EXPECT_EQ(offset_runs_take(&runs, &grids, &unit_facts, 0, &odd[i]), 0);
	EXPECT_EQ(offset_runs_end(&runs, &grids, &unit_facts), 0);
	EXPECT(offsets_are_valid(&grids.list[0]));
	offsets_release(&grids);
}
#endif
