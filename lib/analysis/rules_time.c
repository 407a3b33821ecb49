/* SPDX-License-Identifier: MIT */
/* rules_time.c - findings about what happens when, and what beside it, see judging.h */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/add.h"
#include "analysis/judging.h"
#include "analysis/quantities.h"

#define BURSTS_LEAST 3
#define BURST_BYTES_LEAST 10000000
#define LOADS_LEAST 3
#define STEPS_LEAST 10u
#define STEP_TIMES 3 /* as long as most */

void rule_unoverlapped_checkpoint(struct judging *judging)
{
	const struct analysis_rhythm *writes = analysis_rhythm(judging->analysis, ANALYSIS_WRITES);
	char period[QUANTITY_ROOM], bytes[QUANTITY_ROOM], time[QUANTITY_ROOM], share[QUANTITY_ROOM];

	if (writes->bursts < BURSTS_LEAST || writes->bytes < BURST_BYTES_LEAST ||
	    !is_share((double)writes->time, (double)judging->duration, 5) ||
	    !is_share((double)writes->files_alone, (double)writes->files, 80))
		return;
	judging_found(judging, writes->files_alone,
		      "%u bursts of writes, one every %s, of %s in %s on average: in %s of the "
		      "time that processes then are on files, none of their threads computes.",
		      writes->bursts, quantity_time(period, writes->period),
		      quantity_bytes(bytes, writes->bytes / writes->bursts),
		      quantity_time(time, writes->time / writes->bursts),
		      quantity_share(share, (double)writes->files_alone, (double)writes->files));
}

/* ---- epochs and steps ---- */

/* Epochs have their steps in them. */
static bool is_outermost(const struct analysis_phase *phase)
{
	return !(phase->has >> READER_STEP & 1) || !(phase->has >> READER_EPOCH & 1);
}

/* Of processes that fetch data alone: what workers do meanwhile is not waiting. */
static void add_loading(const struct judging *judging, unsigned number, int64_t *loading,
			int64_t *time, uint64_t *loads)
{
	const struct analysis *analysis = judging->analysis;

	for (unsigned i = 0; i < analysis_phase_process_count(analysis, number); i++) {
		const struct analysis_phase *process = analysis_phase_process(analysis, number, i);

		if (!process->loads)
			continue;
		*loads += process->loads;
		add_to(loading, process->loading);
		add_to(time, process->time);
	}
}

void rule_waits_for_data(struct judging *judging)
{
	int64_t loading = 0, time = 0;
	uint64_t loads = 0;
	char waited[QUANTITY_ROOM], share[QUANTITY_ROOM], count[QUANTITY_ROOM];

	for (unsigned i = 0; i < analysis_phase_count(judging->analysis); i++)
		if (is_outermost(analysis_phase(judging->analysis, i)))
			add_loading(judging, i, &loading, &time, &loads);
	if (loads < LOADS_LEAST || !is_share((double)loading, (double)time, 10))
		return;
	judging_found(judging, loading,
		      "The program waits %s for data in %s fetches, %s of the time of its epochs "
		      "and steps.",
		      quantity_time(waited, loading), quantity_count(count, loads),
		      quantity_share(share, (double)loading, (double)time));
}

static int by_time(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* How long most steps take. -1: there are too few, or no memory. */
static int64_t median_step(struct judging *judging)
{
	const struct analysis *analysis = judging->analysis;
	unsigned all = analysis_phase_count(analysis), count = 0;
	int64_t *lengths = calloc((size_t)all + 1, sizeof(*lengths)), median = -1;

	if (!lengths) {
		judging->error = -ENOMEM;
		return -1;
	}
	for (unsigned i = 0; i < all; i++)
		if (analysis_phase(analysis, i)->has >> READER_STEP & 1)
			lengths[count++] = analysis_phase(analysis, i)->length;
	qsort(lengths, count, sizeof(*lengths), by_time);
	if (count >= STEPS_LEAST)
		median = lengths[count / 2];
	free(lengths);
	return median;
}

void rule_long_steps(struct judging *judging)
{
	const struct analysis *analysis = judging->analysis;
	const struct analysis_phase *longest = NULL;
	int64_t median = median_step(judging), more = 0;
	char usual[QUANTITY_ROOM], most[QUANTITY_ROOM], extra[QUANTITY_ROOM];
	unsigned count = 0;

	for (unsigned i = 0; median > 0 && i < analysis_phase_count(analysis); i++) {
		const struct analysis_phase *phase = analysis_phase(analysis, i);

		if (!(phase->has >> READER_STEP & 1) || phase->length / STEP_TIMES < median)
			continue;
		count++;
		add_to(&more, phase->length - median);
		if (!longest || phase->length > longest->length)
			longest = phase;
	}
	if (!longest || !is_share((double)more, (double)judging->duration, 5))
		return;
	judging_found(judging, more,
		      "%u steps take three times as long as most, which take %s: together %s more. "
		      "The longest takes %s, from second %.3f of the run on.",
		      count, quantity_time(usual, median), quantity_time(extra, more),
		      quantity_time(most, longest->length), (double)longest->begin / 1e9);
}
