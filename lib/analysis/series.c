/* SPDX-License-Identifier: MIT */
/* series.c - see series.h */
#include "analysis/series.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/add.h"

int series_begin(struct series *series, const struct facts *facts)
{
	int64_t duration = facts->end - facts->begin;

	memset(series, 0, sizeof(*series));
	series->facts = facts;
	series->begin = facts->begin;
	series->length = duration;
	series->width = (duration - 1) / SERIES_BINS + 1;
	series->count = (unsigned)((duration - 1) / series->width) + 1;
	series->group_size = (facts->rank_count + SERIES_GROUPS - 1) / SERIES_GROUPS;
	if (series->group_size > 0)
		series->groups = (facts->rank_count + series->group_size - 1) / series->group_size;
	series->layers = calloc(facts->layer_count + 1, sizeof(*series->layers));
	series->heat = calloc((size_t)series->groups * SERIES_HEATS + 1, sizeof(*series->heat));
	series->states = calloc(OVERLAP_STATES, sizeof(*series->states));
	return series->layers && series->heat && series->states ? 0 : -ENOMEM;
}

void series_release(struct series *series)
{
	free(series->layers);
	free(series->heat);
	free(series->states);
}

/* ---- bins ---- */

/* The bin of a time since the series' begin; what lies beyond is of the first or the last. Calls come by time, so it is mostly that of the one before. */
static unsigned bin_of(struct series *series, int64_t time)
{
	int64_t in_bin = time - series->recent * series->width;

	if (in_bin >= 0 && in_bin < series->width)
		return (unsigned)series->recent;
	if (time <= 0)
		return 0;
	time /= series->width;
	series->recent = time < series->count ? time : series->count - 1;
	return (unsigned)series->recent;
}

static void add_far_interval(const struct series *series, struct busy_bins *bins,
			     const struct series_call *call, int64_t sign)
{
	add_to(&bins->part[call->first],
	       sign * ((int64_t)(call->first + 1) * series->width - call->begin));
	add_to(&bins->part[call->last], sign * (call->end - (int64_t)call->last * series->width));
	bins->through[call->first + 1] += sign;
	bins->through[call->last] -= sign;
}

static inline void add_interval(const struct series *series, struct busy_bins *bins,
				const struct series_call *call, int64_t sign)
{
	if (call->first == call->last)
		add_to(&bins->part[call->first], sign * (call->end - call->begin));
	else
		add_far_interval(series, bins, call, sign);
}

void series_spread_far(const struct series *series, int64_t *bins, const struct series_call *call,
		       int64_t amount)
{
	unsigned bin = call->first;
	int64_t given = 0;

	for (; bin < call->last; bin++) {
		__int128 before = (__int128)(bin + 1) * series->width - call->begin;
		int64_t until = (int64_t)(before * amount / (call->end - call->begin));

		add_to(&bins[bin], until - given);
		given = until;
	}
	add_to(&bins[bin], amount - given);
}

static void add_busy(const struct series *series, struct busy_bins *bins,
		     const struct series_call *call, int64_t sign)
{
	if (call->first == call->last)
		add_to(&bins->part[call->first], sign * call->busy);
	else if (call->busy == call->end - call->begin)
		add_far_interval(series, bins, call, sign);
	else
		series_spread_far(series, bins->part, call, sign * call->busy);
}

/* ---- calls ---- */

/* Time of a call in the lines of its group. */
static void add_heat(const struct series *series, const struct series_call *call,
		     enum analysis_use use, enum analysis_operation operation, int64_t sign)
{
	struct busy_bins *group = &series->heat[call->rank / series->group_size * SERIES_HEATS];

	add_busy(series, &group[use], call, sign);
	if (use == ANALYSIS_USE_STORAGE && operation_moves(operation))
		add_busy(series,
			 &group[ANALYSIS_USES +
				(operation == ANALYSIS_WRITE ? ANALYSIS_WRITES : ANALYSIS_READS)],
			 call, sign);
}

/* Of `amount`, as much as `part` is of `whole`. */
static int64_t share_of(int64_t amount, int64_t part, int64_t whole)
{
	return (int64_t)((__int128)amount * part / whole);
}

/* Leaves of a call what lies in the series' time, counted from its begin. */
static void clip(const struct series *series, struct series_call *call)
{
	int64_t whole = call->end - call->begin, part;

	if (call->begin >= series->begin && call->begin <= call->end &&
	    call->end <= series->begin + series->length) {
		call->begin -= series->begin;
		call->end -= series->begin;
		return;
	}

	call->begin = call->begin > series->begin ? call->begin - series->begin : 0;
	call->end = call->end > series->begin ? call->end - series->begin : 0;
	if (call->end > series->length)
		call->end = series->length;
	if (call->begin > call->end)
		call->begin = call->end;
	part = call->end - call->begin;
	if (part == whole)
		return;
	call->busy = share_of(call->busy, part, whole);
	call->bytes_read = share_of(call->bytes_read, part, whole);
	call->bytes_written = share_of(call->bytes_written, part, whole);
}

void series_place(struct series *series, struct series_call *call)
{
	clip(series, call);
	call->first = bin_of(series, call->begin);
	call->last = bin_of(series, call->end);
}

void series_count(struct series *series, const struct series_call *call)
{
	struct layer_bins *layer = &series->layers[call->layer];

	add_busy(series, &layer->busy, call, 1);
	add_heat(series, call, call->use, call->operation, 1);
	layer->calls[call->first] += call->calls;
	if (operation_is_metadata(call->operation))
		layer->metadata[call->first] += call->calls;
	if (call->bytes_read > 0)
		series_spread(series, layer->bytes_read, call, call->bytes_read);
	if (call->bytes_written > 0)
		series_spread(series, layer->bytes_written, call, call->bytes_written);
}

void series_take_off(struct series *series, const struct series_call *call,
		     const struct function_facts *function, enum analysis_use use)
{
	add_busy(series, &series->layers[function->layer].busy, call, -1);
	add_heat(series, call, use, function->operation, -1);
}

void series_add_time(struct series *series, struct busy_bins *bins, int64_t begin, int64_t end)
{
	struct series_call call = {.begin = begin, .end = end};

	series_place(series, &call);
	add_interval(series, bins, &call, 1);
}

unsigned series_bin_at(struct series *series, int64_t time, int64_t *begin, int64_t *end)
{
	unsigned bin = bin_of(series, time - series->begin);

	*begin = series->begin + bin * series->width;
	*end = *begin + series->width;
	return bin;
}

/* ---- sums ---- */

static void merge_busy(struct busy_bins *into, const struct busy_bins *from)
{
	for (unsigned i = 0; i < SERIES_BINS; i++) {
		add_to(&into->part[i], from->part[i]);
		into->through[i] += from->through[i];
	}
}

void series_merge(struct series *into, const struct series *from)
{
	for (unsigned layer = 0; layer < into->facts->layer_count; layer++) {
		struct layer_bins *a = &into->layers[layer];
		const struct layer_bins *b = &from->layers[layer];

		merge_busy(&a->busy, &b->busy);
		for (unsigned i = 0; i < into->count; i++) {
			a->calls[i] += b->calls[i];
			a->metadata[i] += b->metadata[i];
			add_to(&a->bytes_read[i], b->bytes_read[i]);
			add_to(&a->bytes_written[i], b->bytes_written[i]);
		}
	}
	for (size_t i = 0; i < (size_t)into->groups * SERIES_HEATS; i++)
		merge_busy(&into->heat[i], &from->heat[i]);
	for (unsigned i = 0; i < OVERLAP_STATES; i++)
		merge_busy(&into->states[i], &from->states[i]);
}

void busy_bins_sum(const struct busy_bins *bins, unsigned count, int64_t width,
		   int64_t sums[SERIES_BINS])
{
	int64_t through = 0;

	for (unsigned i = 0; i < count; i++) {
		through += bins->through[i];
		sums[i] = bins->part[i];
		add_to(&sums[i], through * width);
	}
}

#ifdef UNIT_TEST
#include "unittest.h"

static struct layer_facts unit_layers[] = {{.name = "mpiio", .use = ANALYSIS_USE_STORAGE},
					   {.name = "mpi", .use = ANALYSIS_USE_MESSAGES}};
static const struct facts unit_facts = {
	.begin = 0, .end = 10240, .layers = unit_layers, .layer_count = 2, .rank_count = 300};

TEST_CASE(series_have_every_nanosecond_once)
{
	struct series_call outer = {.begin = 5, .end = 5000, .busy = 4995, .calls = 1, .rank = 299},
			   inner = {.begin = 20,
				    .end = 41,
				    .busy = 21,
				    .layer = 1,
				    .use = ANALYSIS_USE_MESSAGES,
				    .calls = 1,
				    .rank = 299};
	int64_t sums[SERIES_BINS];
	struct series series;

	REQUIRE(series_begin(&series, &unit_facts) == 0);
	EXPECT_EQ(series.count, 1024);
	EXPECT_EQ(series.width, 10);
	EXPECT_EQ(series.groups, 150);
	series_place(&series, &outer);
	series_count(&series, &outer);
	series_place(&series, &inner);
	series_count(&series, &inner);
	series_take_off(&series, &inner, &(struct function_facts){.layer = outer.layer}, outer.use);
	busy_bins_sum(&series.layers[0].busy, series.count, series.width, sums);
	EXPECT_EQ(sums[0], 5);
	EXPECT_EQ(sums[1], 10);
	EXPECT_EQ(sums[2], 0);
	EXPECT_EQ(sums[3], 0);
	EXPECT_EQ(sums[4], 9);
	EXPECT_EQ(sums[499], 10);
	EXPECT_EQ(sums[500], 0);
	busy_bins_sum(&series.heat[149 * SERIES_HEATS + ANALYSIS_USE_MESSAGES], series.count,
		      series.width, sums);
	EXPECT_EQ(sums[2] + sums[3] + sums[4], 21);
	series_release(&series);
}

TEST_CASE(series_are_of_the_time_that_is_looked_at)
{
	struct facts facts = unit_facts;
	struct series_call call = {
		.begin = 900, .end = 1100, .busy = 200, .calls = 1, .bytes_read = 400};
	int64_t sums[SERIES_BINS];
	struct series series;

	facts.begin = 1000;
	facts.end = 1010;
	REQUIRE(series_begin(&series, &facts) == 0);
	EXPECT_EQ(series.count, 10);
	EXPECT_EQ(series.width, 1);
	series_place(&series, &call);
	series_count(&series, &call);
	busy_bins_sum(&series.layers[0].busy, series.count, series.width, sums);
	for (unsigned i = 0; i < series.count; i++) {
		EXPECT_EQ(sums[i], 1);
		EXPECT_EQ(series.layers[0].bytes_read[i], 2);
	}
	series_release(&series);
}

TEST_CASE(series_spread_bytes_and_runs)
{
	struct series_call run = {.begin = 7, .end = 34, .busy = 9, .calls = 3, .bytes_read = 100};
	int64_t sums[SERIES_BINS], bytes = 0, busy = 0;
	struct series series;

	REQUIRE(series_begin(&series, &unit_facts) == 0);
	series_place(&series, &run);
	series_count(&series, &run);
	busy_bins_sum(&series.layers[0].busy, series.count, series.width, sums);
	for (unsigned i = 0; i < 4; i++) {
		EXPECT(sums[i] > 0);
		busy += sums[i];
		bytes += series.layers[0].bytes_read[i];
	}
	EXPECT_EQ(busy, 9);
	EXPECT_EQ(bytes, 100);
	EXPECT_EQ(series.layers[0].calls[0], 3);
	series_release(&series);
}
#endif
