/* SPDX-License-Identifier: MIT */
/* bursts.c - see bursts.h */
#include "analysis/bursts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/add.h"

#define GAP_LEAST 3u
#define GAP_SHARE 3

/* ---- gaps ---- */

static int by_value(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int64_t median(int64_t *values, unsigned count)
{
	if (count == 0)
		return 0;
	qsort(values, count, sizeof(*values), by_value);
	return values[count / 2];
}

/* Bins with less are between bursts. */
static int64_t least_of(const int64_t *bytes, unsigned count)
{
	int64_t sum = 0, least;

	for (unsigned i = 0; i < count; i++)
		add_to(&sum, bytes[i]);
	least = sum / count / 10;
	return least > 0 ? least : 1;
}

/* Lengths of what is busy but for gaps of less than GAP_LEAST bins, and of the gaps between. */
struct lengths {
	int64_t gaps[SERIES_BINS], runs[SERIES_BINS];
	unsigned gap_count, run_count;
};

static void measure(struct lengths *lengths, const int64_t *bytes, unsigned count, int64_t least)
{
	unsigned begin = 0, end = 0; /* of the run so far; end 0: none */

	lengths->gap_count = lengths->run_count = 0;
	for (unsigned i = 0; i < count; i++) {
		if (bytes[i] < least)
			continue;
		if (end > 0 && i - end >= GAP_LEAST) {
			lengths->gaps[lengths->gap_count++] = i - end;
			lengths->runs[lengths->run_count++] = end - begin;
			begin = i;
		} else if (end == 0) {
			begin = i;
		}
		end = i + 1;
	}
	if (end > 0)
		lengths->runs[lengths->run_count++] = end - begin;
}

/* From how many bins without much on a gap divides bursts. */
static unsigned dividing_gap(const int64_t *bytes, unsigned count, int64_t least)
{
	struct lengths lengths;
	int64_t gap;

	measure(&lengths, bytes, count, least);
	gap = median(lengths.gaps, lengths.gap_count);
	if (GAP_SHARE * gap < median(lengths.runs, lengths.run_count))
		return count;
	gap = (gap + 1) / 2;
	return gap > GAP_LEAST ? (unsigned)gap : GAP_LEAST;
}

/* ---- bursts ---- */

/* The next burst from bin *at on: [*first, *end); false: there is none. */
static bool next_burst(const int64_t *bytes, unsigned count, int64_t least, unsigned divides,
		       unsigned *first, unsigned *end)
{
	unsigned at = *end;

	while (at < count && bytes[at] < least)
		at++;
	if (at == count)
		return false;
	*first = at;
	for (*end = at; at < count && at - *end < divides; at++)
		if (bytes[at] >= least)
			*end = at + 1;
	return true;
}

static void fill_burst(struct analysis_burst *burst, const struct results *results,
		       const struct series *series, const int64_t *bytes, unsigned first,
		       unsigned end)
{
	burst->begin = series->begin + first * series->width;
	burst->end = series->begin + (end < series->count ? end * series->width : series->length);
	for (unsigned i = first; i < end; i++) {
		const struct analysis_overlap *overlap = &results->overlap_bins[i];

		add_to(&burst->bytes, bytes[i]);
		add_to(&burst->files_alone, overlap->files_alone);
		add_to(&burst->files, overlap->files_alone);
		add_to(&burst->files, overlap->files_with_program);
		add_to(&burst->files, overlap->files_with_mpi);
	}
}

/* How they follow each other. */
static void fill_rhythm(struct analysis_rhythm *rhythm, const struct analysis_burst *bursts,
			unsigned count)
{
	int64_t distances[SERIES_BINS];

	*rhythm = (struct analysis_rhythm){.bursts = count};
	for (unsigned i = 0; i < count; i++) {
		add_to(&rhythm->time, bursts[i].end - bursts[i].begin);
		add_to(&rhythm->bytes, bursts[i].bytes);
		add_to(&rhythm->files, bursts[i].files);
		add_to(&rhythm->files_alone, bursts[i].files_alone);
		if (i > 0)
			distances[i - 1] = bursts[i].begin - bursts[i - 1].begin;
	}
	if (count > 1)
		rhythm->period = median(distances, count - 1);
}

static void find_bursts(struct results *results, const struct series *series, const int64_t *bytes,
			enum analysis_direction direction)
{
	int64_t least = least_of(bytes, series->count);
	unsigned divides = dividing_gap(bytes, series->count, least), first, end = 0;
	unsigned before = results->burst_count;

	while (next_burst(bytes, series->count, least, divides, &first, &end)) {
		struct analysis_burst *burst = &results->bursts[results->burst_count++];

		burst->direction = direction;
		fill_burst(burst, results, series, bytes, first, end);
	}
	fill_rhythm(&results->rhythms[direction], results->bursts + before,
		    results->burst_count - before);
}

static int by_begin(const void *a, const void *b)
{
	const struct analysis_burst *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return (x->direction > y->direction) - (x->direction < y->direction);
}

int bursts_make(struct results *results, const struct tables *tables)
{
	const struct moved_bins *data = moved_at(&tables->moved, MOVED_DATA);

	results->bursts =
		calloc((size_t)ANALYSIS_DIRECTIONS * SERIES_BINS, sizeof(*results->bursts));
	if (!results->bursts)
		return -ENOMEM;
	if (!data)
		return 0;
	find_bursts(results, &tables->series, data->bytes_read, ANALYSIS_READS);
	find_bursts(results, &tables->series, data->bytes_written, ANALYSIS_WRITES);
	qsort(results->bursts, results->burst_count, sizeof(*results->bursts), by_begin);
	return 0;
}

#ifdef UNIT_TEST
#include "unittest.h"

static unsigned unit_bursts(const char *picture, unsigned firsts[], unsigned ends[])
{
	int64_t bytes[64];
	unsigned count = (unsigned)strlen(picture), found = 0, first, end = 0;

	for (unsigned i = 0; i < count; i++)
		bytes[i] = picture[i] == '.' ? 0 : picture[i] == ',' ? 1 : 100;
	while (next_burst(bytes, count, least_of(bytes, count),
			  dividing_gap(bytes, count, least_of(bytes, count)), &first, &end)) {
		firsts[found] = first;
		ends[found++] = end;
	}
	return found;
}

TEST_CASE(bursts_are_divided_by_gaps_as_long_as_most)
{
	unsigned first[64], end[64];

	EXPECT_EQ(unit_bursts("................", first, end), 0);
	EXPECT_EQ(unit_bursts("x", first, end), 1);
	/* a log's lines do not join checkpoints */
	EXPECT_EQ(unit_bursts("..xxx,,,,,,xx.x,,,,,,xxx,,,", first, end), 3);
	EXPECT_EQ(first[0], 2);
	EXPECT_EQ(end[0], 5);
	EXPECT_EQ(first[1], 11);
	EXPECT_EQ(end[1], 15);
	EXPECT_EQ(end[2], 24);
	EXPECT_EQ(unit_bursts("x.........................x....x....x....x", first, end), 5);
	/* it goes on all the time, and falters */
	EXPECT_EQ(unit_bursts("xxxxxxxxxx...xxxxxxxxxxxxxx...xxxxxxxxxxx...xxxx", first, end), 1);
	EXPECT_EQ(unit_bursts("xxxxxxxx", first, end), 1);
	EXPECT_EQ(end[0], 8);
}
#endif
