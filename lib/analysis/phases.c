/* SPDX-License-Identifier: MIT */
/* phases.c - see phases.h */
#include "analysis/phases.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/add.h"
#include "analysis/rows.h"

/* Tags that rows are of. */
#define COUNTS (1u << READER_EPOCH | 1u << READER_STEP)

/* ---- rows ---- */

/* What was divided `from` times, divided `to` times: rounded down, also of negative numbers. */
static int64_t halved(int64_t number, uint32_t from, uint32_t to)
{
	uint32_t times = to - from;

	if (to >= PHASES_HALVINGS)
		return 0;
	return number >= 0 ? number >> times : -(int64_t)(~(uint64_t)number >> times) - 1;
}

static int find_row(struct phases *phases, struct phase_key key, uint32_t *number)
{
	uint32_t before = phases->keys.count;
	struct phase_row *rows = rows_grown(phases->rows, &phases->room, before, sizeof(*rows));
	int error;

	if (!rows)
		return -ENOMEM;
	phases->rows = rows;
	error = dictionary_number(&phases->keys, &key, sizeof(key), number);
	if (!error && phases->keys.count > before)
		phases->rows[*number] = (struct phase_row){.begin = INT64_MAX, .end = INT64_MIN};
	return error;
}

void phase_row_add(struct phase_row *into, const struct phase_row *from)
{
	if (from->begin < into->begin)
		into->begin = from->begin;
	if (from->end > into->end)
		into->end = from->end;
	for (unsigned state = 0; state < OVERLAP_STATES; state++)
		add_to(&into->overlap.time[state], from->overlap.time[state]);
	into->calls += from->calls;
	into->errors += from->errors;
	into->loads += from->loads;
	add_to(&into->loading, from->loading);
	for (unsigned height = 0; height < HEIGHT_NONE; height++) {
		add_to(&into->bytes_read[height], from->bytes_read[height]);
		add_to(&into->bytes_written[height], from->bytes_written[height]);
	}
}

/* All rows of `from`, in whose halvings or more. */
static int add_rows(struct phases *into, const struct phases *from)
{
	for (uint32_t i = 0; i < from->keys.count; i++) {
		struct phase_key key;
		uint32_t number;
		size_t size;

		memcpy(&key, dictionary_key(&from->keys, i, &size), sizeof(key));
		key.epoch = halved(key.epoch, from->epoch_halvings, into->epoch_halvings);
		key.step = halved(key.step, from->step_halvings, into->step_halvings);
		if (find_row(into, key, &number))
			return -ENOMEM;
		phase_row_add(&into->rows[number], &from->rows[i]);
	}
	return 0;
}

static void release_rows(struct phases *phases)
{
	dictionary_release(&phases->keys);
	free(phases->rows);
	memset(&phases->keys, 0, sizeof(phases->keys));
	phases->rows = NULL;
	phases->room = 0;
}

/* The same rows, divided as often as is said. */
static int halve_to(struct phases *phases, uint32_t epoch_halvings, uint32_t step_halvings)
{
	struct phases fewer = *phases;
	int error;

	fewer.rows = NULL;
	fewer.room = 0;
	memset(&fewer.keys, 0, sizeof(fewer.keys));
	fewer.epoch_halvings = epoch_halvings;
	fewer.step_halvings = step_halvings;
	error = add_rows(&fewer, phases);
	release_rows(error ? &fewer : phases);
	if (!error)
		*phases = fewer;
	return error;
}

static int keep_few(struct phases *phases)
{
	int error = 0;

	while (!error && phases->keys.count > PHASES_MOST &&
	       phases->epoch_halvings < PHASES_HALVINGS) {
		bool steps = phases->step_halvings < PHASES_HALVINGS;

		error = halve_to(phases, phases->epoch_halvings + !steps,
				 phases->step_halvings + steps);
	}
	return error;
}

/* The row of what holds, of tags of which at least one counts. */
static int row_of(struct phase_watch *watch, const struct reader_tag_values *tags, int64_t *number)
{
	struct phases *phases = watch->phases;
	uint32_t found;

	for (;;) {
		uint32_t epoch_halvings = phases->epoch_halvings;
		uint32_t step_halvings = phases->step_halvings;
		struct phase_key key = {.epoch = halved(tags->values[READER_EPOCH], 0,
							epoch_halvings),
					.step = halved(tags->values[READER_STEP], 0, step_halvings),
					.has = tags->has & COUNTS,
					.process = watch->process};
		int error = find_row(phases, key, &found);

		if (!error)
			error = keep_few(phases);
		if (error)
			return error;
		if (epoch_halvings == phases->epoch_halvings &&
		    step_halvings == phases->step_halvings)
			break;
	}
	*number = found;
	return 0;
}

/* ---- what holds ---- */

static bool has_phase(const struct reader_tag_values *tags)
{
	return tags->has & (1u << READER_EPOCH | 1u << READER_STEP);
}

/* In the process: in its main thread, else in that of the one above it. */
static void look_up(const struct phase_watch *watch, int64_t time, struct reader_tag_values *tags)
{
	struct reader_tag_values above;

	reader_tags_at(watch->own, watch->main, time, tags);
	if (has_phase(tags) || !watch->above)
		return;
	reader_tags_at(watch->above, watch->above_main, time, &above);
	if (tags->end < above.end)
		above.end = tags->end;
	*tags = above;
}

/* Puts the row of the process at a time into `now`. */
static int come_to(struct phase_watch *watch, int64_t time)
{
	const struct phases *phases = watch->phases;
	struct reader_tag_values tags;
	int error = 0;

	if (time >= watch->now.begin && time < watch->now.end &&
	    watch->now.epoch_halvings == phases->epoch_halvings &&
	    watch->now.step_halvings == phases->step_halvings)
		return 0;
	look_up(watch, time, &tags);
	watch->now.row = -1;
	if (has_phase(&tags))
		error = row_of(watch, &tags, &watch->now.row);
	watch->now.begin = time;
	watch->now.end = error ? time : tags.end;
	watch->now.epoch_halvings = phases->epoch_halvings;
	watch->now.step_halvings = phases->step_halvings;
	return error;
}

void phase_watch_state(struct phase_watch *watch, unsigned state, int64_t begin, int64_t end)
{
	while (watch->phases && begin < end && !watch->error) {
		int64_t until;
		struct phase_row *row;

		watch->error = come_to(watch, begin);
		if (watch->error)
			return;
		until = end < watch->now.end ? end : watch->now.end;
		if (watch->now.row >= 0) {
			row = &watch->phases->rows[watch->now.row];
			add_to(&row->overlap.time[state], until - begin);
			if (begin < row->begin)
				row->begin = begin;
			if (until > row->end)
				row->end = until;
		}
		begin = until;
	}
}

/* Regions that wait for data count once, however many are in each other. */
static void count_loading(struct phase_watch *watch, struct phase_row *row,
			  const struct recorder_record *record)
{
	if (!watch->phases->facts->functions[record->func_id].loads)
		return;
	if (record->thread == watch->loading_thread && record->tstart < watch->loading_until)
		return;
	watch->loading_thread = record->thread;
	watch->loading_until = record->tend;
	row->loads += record->repeat;
	add_to(&row->loading, record->busy);
}

static void count_call(struct phase_row *row, const struct recorder_record *record,
		       enum layer_height height, int64_t bytes_read, int64_t bytes_written)
{
	if (record->tstart < row->begin)
		row->begin = record->tstart;
	if (record->tstart > row->end)
		row->end = record->tstart;
	row->calls += record->repeat;
	row->errors += record->err ? record->repeat : 0;
	if (height >= HEIGHT_NONE)
		return;
	add_to(&row->bytes_read[height], bytes_read);
	add_to(&row->bytes_written[height], bytes_written);
}

int phase_watch_call(struct phase_watch *watch, const struct recorder_record *record,
		     enum layer_height height, int64_t bytes_read, int64_t bytes_written)
{
	struct reader_tag_values tags;
	int64_t number = -1;
	int error;

	reader_tags_of(watch->own, record, &tags);
	if (has_phase(&tags)) {
		error = row_of(watch, &tags, &number);
	} else {
		error = come_to(watch, record->tstart);
		number = watch->now.row;
	}
	if (error || number < 0)
		return error;
	count_call(&watch->phases->rows[number], record, height, bytes_read, bytes_written);
	count_loading(watch, &watch->phases->rows[number], record);
	return 0;
}

/* ---- streams ---- */

/* The nearest process above a stream that says anything. 0 or a negative errno. */
static int find_above(struct phase_watch *watch, unsigned stream)
{
	struct phases *phases = watch->phases;
	const struct facts *facts = phases->facts;
	unsigned tries = facts->info.streams; /* parents in a circle */

	while ((stream = facts->parents[stream]) != NO_STREAM && tries-- > 0) {
		if (!phases->above || phases->above_stream != stream) {
			reader_tags_free(phases->above);
			phases->above = reader_tags_some(facts->trace, stream, COUNTS);
			phases->above_stream = stream;
			if (!phases->above)
				return -errno;
		}
		if (!reader_tags_any(phases->above))
			continue;
		watch->above = phases->above;
		facts_main_thread(facts, stream, &watch->above_main);
		return 0;
	}
	return 0;
}

int phase_watch_begin(struct phase_watch *watch, struct phases *phases, unsigned stream)
{
	const struct facts *facts = phases->facts;

	memset(watch, 0, sizeof(*watch));
	if (!facts->parents)
		return 0;
	watch->phases = phases;
	watch->process = stream / phases_group(facts);
	watch->loading_until = INT64_MIN;
	facts_main_thread(facts, stream, &watch->main);
	watch->own = reader_tags_some(facts->trace, stream, COUNTS);
	return watch->own ? find_above(watch, stream) : -errno;
}

int phase_watch_end(struct phase_watch *watch)
{
	reader_tags_free(watch->own);
	return watch->error;
}

/* ---- adding up ---- */

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

int phases_merge(struct phases *into, const struct phases *from)
{
	int error = halve_to(into, larger(into->epoch_halvings, from->epoch_halvings),
			     larger(into->step_halvings, from->step_halvings));

	if (!error)
		error = add_rows(into, from);
	return error ? error : keep_few(into);
}

void phases_release(struct phases *phases)
{
	release_rows(phases);
	reader_tags_free(phases->above);
	phases->above = NULL;
}
