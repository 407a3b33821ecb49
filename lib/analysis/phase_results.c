/* SPDX-License-Identifier: MIT */
/* phase_results.c - see phase_results.h */
#include "analysis/phase_results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/add.h"
#include "analysis/results.h"

#define EPOCH (1u << READER_EPOCH)
#define STEP (1u << READER_STEP)

/* A row of the tables on its way to the rows that are given out. */
struct line {
	struct phase_key key;
	const struct phase_row *row;
};

struct making {
	const struct phases *phases;
	struct phase_results *results;
	enum layer_height height; /* the one whose bytes count */
	unsigned process_count;
};

static int order_of(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_epoch(const struct phase_key *a, const struct phase_key *b)
{
	int order = order_of(a->has & EPOCH, b->has & EPOCH);

	return order ? order : order_of(a->epoch, b->epoch);
}

static int by_process(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int order = by_epoch(&x->key, &y->key);

	return order ? order : order_of(x->key.process, y->key.process);
}

static int by_step(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int order = by_epoch(&x->key, &y->key);

	if (!order)
		order = order_of(x->key.has & STEP, y->key.has & STEP);
	if (!order)
		order = order_of(x->key.step, y->key.step);
	return order ? order : order_of(x->key.process, y->key.process);
}

/* The first and the last number of those that became `number`. */
static void put_numbers(int64_t number, uint32_t halvings, int64_t *first, int64_t *last)
{
	if (halvings >= PHASES_HALVINGS - 1) {
		*first = number < 0 || halvings == PHASES_HALVINGS ? INT64_MIN : 0;
		*last = number < 0 && halvings < PHASES_HALVINGS ? -1 : INT64_MAX;
		return;
	}
	*first = (int64_t)((uint64_t)number << halvings);
	*last = *first + (int64_t)((1ull << halvings) - 1);
}

static void fill(const struct making *making, struct analysis_phase *phase,
		 const struct phase_key *key, unsigned has, const struct phase_row *row)
{
	const struct phases *phases = making->phases;

	*phase = (struct analysis_phase){
		.has = has,
		.stream = key->process * phases_group(phases->facts),
		.begin = row->begin,
		.end = row->end,
		.overlap = results_overlap(row->overlap.time),
		.loads = row->loads,
		.loading = row->loading,
		.calls = row->calls,
		.errors = row->errors,
		.bytes_read = row->bytes_read[making->height],
		.bytes_written = row->bytes_written[making->height],
	};
	for (unsigned state = 0; state < OVERLAP_STATES; state++)
		add_to(&phase->time, row->overlap.time[state]);
	phase->length = phase->end - phase->begin;
	if (phase->time > 0 && phase->time < phase->length)
		phase->length = phase->time;
	if (has & EPOCH)
		put_numbers(key->epoch, phases->epoch_halvings, &phase->epoch, &phase->epoch_last);
	if (has & STEP)
		put_numbers(key->step, phases->step_halvings, &phase->step, &phase->step_last);
}

static struct phase_row empty_row(void)
{
	return (struct phase_row){.begin = INT64_MAX, .end = INT64_MIN};
}

/* A phase of all these lines, which are sorted by process. */
static void add_phase(struct making *making, const struct line *lines, size_t count, unsigned has)
{
	struct phase_results *results = making->results;
	struct phase_row whole = empty_row();
	unsigned first = making->process_count;
	int64_t longest = 0;

	for (size_t i = 0; i < count;) {
		struct phase_row own = empty_row();
		size_t k = i;

		for (; k < count && lines[k].key.process == lines[i].key.process; k++)
			phase_row_add(&own, lines[k].row);
		fill(making, &results->processes[making->process_count], &lines[i].key, has, &own);
		if (results->processes[making->process_count].length > longest)
			longest = results->processes[making->process_count].length;
		results->processes[making->process_count++].processes = 1;
		phase_row_add(&whole, &own);
		i = k;
	}
	fill(making, &results->phases[results->count], &lines[0].key, has, &whole);
	results->phases[results->count].length = longest;
	results->phases[results->count].processes = making->process_count - first;
	results->begins[results->count++] = first;
}

/* Its steps: `lines` are of one epoch, or of none. */
static void add_steps(struct making *making, struct line *lines, size_t count)
{
	unsigned has = lines[0].key.has | STEP;

	qsort(lines, count, sizeof(*lines), by_step);
	for (size_t i = 0; i < count;) {
		size_t k = i;

		while (k < count && lines[k].key.has == lines[i].key.has &&
		       lines[k].key.step == lines[i].key.step)
			k++;
		if (lines[i].key.has & STEP)
			add_phase(making, &lines[i], k - i, has);
		i = k;
	}
}

static void add_all(struct making *making, struct line *lines, size_t count)
{
	qsort(lines, count, sizeof(*lines), by_process);
	for (size_t i = 0; i < count;) {
		size_t k = i;

		while (k < count && by_epoch(&lines[k].key, &lines[i].key) == 0)
			k++;
		if (lines[i].key.has & EPOCH)
			add_phase(making, &lines[i], k - i, EPOCH);
		add_steps(making, &lines[i], k - i);
		i = k;
	}
}

/* As all that was moved is seen at several heights, the lowest at which any was counts. */
static enum layer_height lowest_height(const struct phases *phases)
{
	for (unsigned height = 0; height < HEIGHT_NONE; height++)
		for (uint32_t i = 0; i < phases->keys.count; i++)
			if (phases->rows[i].bytes_read[height] > 0 ||
			    phases->rows[i].bytes_written[height] > 0)
				return (enum layer_height)height;
	return HEIGHT_SYSTEM;
}

int phase_results_make(struct phase_results *results, const struct phases *phases)
{
	uint32_t count = phases->keys.count;
	struct making making = {.phases = phases,
				.results = results,
				.height = lowest_height(phases)};
	struct line *lines;

	memset(results, 0, sizeof(*results));
	if (count == 0)
		return 0;
	/* each row is of a step or none, and of an epoch or none */
	lines = calloc(count, sizeof(*lines));
	results->phases = calloc(2 * (size_t)count, sizeof(*results->phases));
	results->processes = calloc(2 * (size_t)count, sizeof(*results->processes));
	results->begins = calloc(2 * (size_t)count + 1, sizeof(*results->begins));
	if (!lines || !results->phases || !results->processes || !results->begins) {
		free(lines);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < count; i++) {
		size_t size;

		memcpy(&lines[i].key, dictionary_key(&phases->keys, i, &size),
		       sizeof(lines[i].key));
		lines[i].row = &phases->rows[i];
	}
	add_all(&making, lines, count);
	results->begins[results->count] = making.process_count;
	free(lines);
	return 0;
}

void phase_results_release(struct phase_results *results)
{
	free(results->phases);
	free(results->processes);
	free(results->begins);
}
