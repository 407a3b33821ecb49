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

static bool is_possible(const struct offset_transfer *transfer)
{
	return transfer->begin >= 0 && transfer->bytes > 0 &&
	       transfer->bytes <= INT64_MAX - transfer->begin;
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

	if (!is_possible(transfer) || !is_in_column(runs, facts, transfer))
		return offsets_take(grids, facts, use, transfer);
	if (goes_on(runs, run, use, transfer)) {
		run->transfer.bytes += transfer->bytes;
		return 0;
	}
	error = end_run(run, grids, facts);
	*run = (struct offset_run){use, runs->begin, *transfer};
	return error;
}

int offset_runs_end(struct offset_runs *runs, struct offset_grids *grids,
		    const struct facts *facts)
{
	int error = 0;

	for (unsigned i = 0; i < OFFSET_RUNS; i++) {
		int this = end_run(&runs->list[i], grids, facts);

		error = error ? error : this;
	}
	return error;
}
