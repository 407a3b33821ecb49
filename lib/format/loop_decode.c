/* SPDX-License-Identifier: MIT */
/* loop_decode.c - see loop_decode.h */
#include "format/loop_decode.h"

#include <errno.h>

/* ---- windows ---- */

static uint64_t first_iteration(const struct looped *looped, uint32_t window)
{
	uint64_t more = looped->iterations % looped->windows;

	return window * (looped->iterations / looped->windows) + (window < more ? window : more);
}

static struct histogram_share share_of(const struct looped *looped, uint32_t histogram,
				       uint32_t window)
{
	return (struct histogram_share){looped->each[histogram % looped->context_count], window,
					looped->windows};
}

struct looped_window looped_window(const struct looped *looped, uint32_t window)
{
	uint64_t first = first_iteration(looped, window);
	struct looped_window found = {
		.first = first * looped->turn,
		.count = (uint32_t)((first_iteration(looped, window + 1) - first) * looped->turn)};

	for (uint32_t i = 0; i < 2 * looped->context_count; i++) {
		uint64_t sum = histogram_sum(&looped->runs[i], share_of(looped, i, window));

		if (__builtin_add_overflow(found.span, sum, &found.span))
			found.span = UINT64_MAX;
	}
	return found;
}

static int begin_window(struct looped *looped, uint32_t window)
{
	struct bump bump = looped->bump;

	looped->window = window;
	looped->iteration = first_iteration(looped, window);
	looped->left = first_iteration(looped, window + 1) - looped->iteration;
	looped->part = looped->part_time = looped->at = looped->index = 0;
	for (uint32_t i = 0; i < 2 * looped->context_count; i++)
		if (histogram_deal(&looped->dealt[i], &looped->runs[i], share_of(looped, i, window),
				   &bump))
			return -ENOBUFS;
	return 0;
}

int looped_go(struct looped *looped, uint32_t window)
{
	looped->single = window != LOOPED_ALL;
	looped->time = looped->start;
	return begin_window(looped, looped->single ? window : 0);
}

int looped_begin(struct looped *looped, const struct list_function *functions, void *memory,
		 size_t size)
{
	int error = looped_read(looped, functions, memory, size);

	return error ? error : looped_go(looped, LOOPED_ALL);
}

/* ---- records ---- */

/* Times of the part that begins. False: they are beyond the end. */
static bool deal(struct looped *looped)
{
	const struct loop_part *part = &looped->parts[looped->part];

	for (uint32_t i = loop_events_from(part, looped->part, looped->part_time); i < part->until;
	     i++) {
		const struct loop_event *event = &looped->events[i];
		uint32_t context = looped->context[event->record];
		uint64_t gap;

		if (!histogram_next(
			    &looped->dealt[context + (event->end ? looped->context_count : 0)],
			    &gap) ||
		    gap > looped->end - looped->time)
			return false;
		looped->time += gap;
		(event->end ? looped->ends : looped->begins)[event->record] = looped->time;
	}
	return true;
}

static uint64_t *word_at(struct raw_record *record, uint32_t at)
{
	return (uint64_t *)(void *)((uint8_t *)record + at);
}

/* Steps that were taken since the first iteration, of the record at `at`; they are in the order of records. */
static void grow(const struct looped *looped, struct raw_record *record)
{
	uint32_t low = 0, high = looped->step_count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (looped->steps[middle].at < looped->at)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < looped->step_count && looped->steps[low].at < looped->at + record->size;
	     low++) {
		const struct looped_step *step = &looped->steps[low];
		uint64_t *value = word_at(record, step->at - looped->at);
		uint64_t before = *value;

		*value = loop_sum(before, step->step, looped->iteration, step->pair);
		*value = loop_sum(*value, step->within, looped->part_time, step->pair);
		if (step->sum_at > 0)
			*word_at(record, step->sum_at - looped->at) += *value - before;
	}
}

static void put_record(const struct looped *looped, struct raw_record *record, bool *bad)
{
	const struct raw_record *from = looped_record_at(looped, looped->at);
	const struct list_site *site = &looped->sites[from->callsite];

	memcpy(record, from, from->size);
	grow(looped, record);
	record->callsite = site->offset;
	record->reserved1 = site->module;
	record->tstart = lists_ticks(&looped->lists, looped->begins[looped->index], bad);
	record->tend = lists_ticks(&looped->lists, looped->ends[looped->index], bad);
}

/* Goes on to the next window if need be. 1; 0: there is no further iteration; -EBADMSG, -ENOBUFS. */
static int next_iteration(struct looped *looped)
{
	if (looped->left == 0 && (looped->single || looped->window + 1 == looped->windows))
		return looped->time == looped->end ? 0 : -EBADMSG;
	if (looped->left == 0) {
		int error = begin_window(looped, looped->window + 1);

		if (error)
			return error;
	}
	return 1;
}

/* The part has come: again, the next one, or the first of the next iteration. */
static void end_part(struct looped *looped)
{
	const struct loop_part *part = &looped->parts[looped->part];

	if (++looped->part_time == part->times) {
		looped->part_time = 0;
		looped->part++;
	}
	if (looped->part == looped->part_count) {
		looped->part = 0;
		looped->iteration++;
		looped->left--;
	}
	looped->at = looped->parts[looped->part].at;
	looped->index = looped->parts[looped->part].first;
}

/* 1; 0: there is no further part; -EBADMSG, -ENOBUFS. */
static int begin_part(struct looped *looped)
{
	int got = looped->part == 0 && looped->part_time == 0 ? next_iteration(looped) : 1;

	return got == 1 && !deal(looped) ? -EBADMSG : got;
}

ssize_t looped_next(struct looped *looped, struct raw_record *record)
{
	const struct loop_part *part = &looped->parts[looped->part];
	bool bad = false;

	if (looped->index == part->first) {
		int got = begin_part(looped);

		if (got <= 0)
			return got;
	}
	put_record(looped, record, &bad);
	if (bad)
		return -EBADMSG;
	looped->at += record->size;
	looped->index++;
	if (looped->index == part->first + part->count)
		end_part(looped);
	return (ssize_t)record->size;
}
