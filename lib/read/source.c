/* SPDX-License-Identifier: MIT */
/* source.c - see source.h */
#include "read/source.h"

#include <errno.h>
#include <stdlib.h>

#include "format/raw.h"

#define AHEAD_MAX_RECORDS 65536u /* levels are 16 bits: no thread has more calls open at once */
#define AHEAD_MAX_BYTES (64u << 20)
#define NEVER INT64_MAX

/* ---- the order of a chunk ---- */

/* Room for the numbers of all records of the chunk. 0 or -ENOMEM. */
static int reserve(uint32_t **numbers, uint32_t *capacity, uint32_t count)
{
	if (*capacity >= count)
		return 0;
	free(*numbers);
	*numbers = malloc(count * sizeof(**numbers));
	*capacity = *numbers ? count : 0;
	return *numbers ? 0 : -ENOMEM;
}

/*
 * Merges pairs of runs that are there already: calls that enclose none are in order, and cost
 * one look.
 */
static int sort_queue(struct source *source, struct source_context *context)
{
	uint32_t count = source->queue_end;

	if (source->sorted ||
	    record_order_run_end(&source->chunk, source->queue, 0, count) == count)
		return 0;
	for (uint32_t runs = 2; runs > 1;) {
		uint32_t *queue = source->queue, capacity = source->queue_capacity;

		if (reserve(&context->sort_space, &context->sort_capacity, count))
			return -ENOMEM;
		runs = record_order_merge_runs(&source->chunk, queue, count, context->sort_space);
		source->queue = context->sort_space;
		source->queue_capacity = context->sort_capacity;
		context->sort_space = queue;
		context->sort_capacity = capacity;
	}
	return 0;
}

/* ---- loading ---- */

const struct function *source_function(const struct thread *thread, const struct raw_record *raw)
{
	return definitions_function(&thread->stream->defs, raw->function);
}

static bool in_range(const struct source_context *context, int64_t tstart)
{
	return tstart >= context->from && tstart < context->filter->before;
}

/* Whether a raw record is asked for, as far as can be said without converting it. */
static bool wanted(const struct source *source, const struct source_context *context,
		   const struct raw_record *record, int64_t *tstart)
{
	const struct function *function = source_function(source->thread, record);

	if (!function || record->arg_count > function->stored_args ||
	    !filter_function(context->filter, function) ||
	    !number_set_has(&context->filter->levels, record->level))
		return false;
	*tstart = timeline_ns(&source->thread->stream->timeline, record->tstart);
	return in_range(context, *tstart);
}

/* Copies the carried records of a chunk to the heap. 0 or -ENOMEM. */
static int fetch_carried(struct source *source, struct source_context *context, uint32_t number)
{
	const struct thread *thread = source->thread;
	const struct chunk *chunk = &thread->chunks[number];
	const struct raw_record *record;
	int64_t tstart;
	int error;

	if (!filter_chunk(context->filter, thread->stream, chunk))
		return 0;
	error = chunk_reader_open(context->chunks, thread, number, context->filter->functions);
	if (error)
		return error == -ENOMEM ? error : 0;
	while ((record = chunk_reader_next(context->chunks))) {
		if (record->tstart >= chunk->t_base || !wanted(source, context, record, &tstart))
			continue;
		if (ahead_add(&source->ahead, record, tstart,
			      chunk_reader_sequence(context->chunks), false))
			return -ENOMEM;
	}
	return 0;
}

/* Puts the records that are asked for into the queue, with or without the carried ones. 0 or -ENOMEM. */
static int fill_queue(struct source *source, const struct source_context *context, uint32_t first,
		      bool carried)
{
	const struct records *records = &source->chunk;
	int64_t last = INT64_MIN;

	if (reserve(&source->queue, &source->queue_capacity, records->count))
		return -ENOMEM;
	source->sorted = true;
	for (uint32_t i = first; i < records->count; i++) {
		const struct record_item *item = &records->items[i];

		if (!in_range(context, item->tstart) ||
		    (!carried && item->flags & RECORD_CARRIED) ||
		    !records_wanted(records, i, context->filter))
			continue;
		source->queue[source->queue_end++] = i;
		source->sorted &= item->tstart > last;
		last = item->tstart;
	}
	return 0;
}

/* Takes the records of a chunk over. 0 or -ENOMEM. */
static int take_chunk(struct source *source, struct source_context *context, uint32_t number,
		      bool carried)
{
	const struct thread *thread = source->thread;
	uint32_t first;
	int error;

	source->queue_next = source->queue_end = 0;
	if (!filter_chunk(context->filter, thread->stream, &thread->chunks[number]))
		return 0;
	error = chunk_reader_load(context->chunks, thread, number, context->filter,
				  context->converter, &source->chunk, &first);
	if (error)
		return error == -ENOMEM ? error : 0;
	error = fill_queue(source, context, first, carried);
	return error ? error : sort_queue(source, context);
}

/* Whether the chunk's carried records were fetched ahead. */
static bool was_carrier(const struct source *source, const struct chunk *chunk)
{
	return chunk->carried > 0 && chunk->carry_rank < source->next_carrier;
}

static int load_next_chunk(struct source *source, struct source_context *context)
{
	uint32_t number = source->next_chunk++;
	const struct chunk *chunk = &source->thread->chunks[number];

	return take_chunk(source, context, number, !was_carrier(source, chunk));
}

static bool chunk_is_empty(const struct source *source)
{
	return source->queue_next == source->queue_end;
}

static int look_at_carrier(struct source *source, struct source_context *context)
{
	uint32_t number = source->thread->carriers[source->next_carrier];
	bool loaded = number < source->next_chunk;

	if (!loaded && number == source->next_chunk && chunk_is_empty(source)) {
		int error = load_next_chunk(source, context);

		source->next_carrier++;
		return error;
	}
	if (!loaded && (source->ahead.count >= AHEAD_MAX_RECORDS ||
			source->ahead.raw.size >= AHEAD_MAX_BYTES)) {
		problem(context->trace,
			"%s/%s: thread %u: too many calls open at once to order them",
			context->trace->dir, source->thread->stream->name, source->thread->index);
		source->unordered = true;
		return 0;
	}
	source->next_carrier++;
	if (loaded)
		return 0;
	if (ahead_compact(&source->ahead))
		return -ENOMEM;
	return fetch_carried(source, context, number);
}

/* ---- what comes next ---- */

static int64_t ns(const struct source *source, uint64_t ticks)
{
	return timeline_ns(&source->thread->stream->timeline, ticks);
}

/* What the headers of the chunks to come promise. */
static void set_bounds(struct source *source)
{
	const struct thread *thread = source->thread;
	const struct chunk *chunk;

	source->carrier_bound = NEVER;
	source->chunk_bound = NEVER;
	if (!source->unordered && source->next_carrier < thread->carrier_count) {
		chunk = &thread->chunks[thread->carriers[source->next_carrier]];
		source->carrier_bound = ns(source, chunk->t_min);
	}
	if (source->next_chunk < source->end_chunk) {
		chunk = &thread->chunks[source->next_chunk];
		source->chunk_bound = ns(source, !source->unordered && chunk->carried > 0 &&
								 chunk->t_min < chunk->t_base
							 ? chunk->t_base
							 : chunk->t_min);
	}
}

/* Whether what comes next of what is in memory was fetched ahead; there is something. */
static bool next_is_ahead(const struct source *source)
{
	struct source_entry entry;

	if (source->ahead.count == 0 || chunk_is_empty(source))
		return source->ahead.count > 0;
	entry = record_order_entry(&source->chunk, source->queue[source->queue_next]);
	return record_order_before(source->ahead.entries, &entry);
}

static int64_t next_tstart(const struct source *source)
{
	if (next_is_ahead(source))
		return source->ahead.entries->tstart;
	return source->chunk.items[source->queue[source->queue_next]].tstart;
}

/*
 * Sets key and ready from what is in memory and what the headers promise. False: nothing is
 * left.
 */
static bool settle(struct source *source)
{
	int64_t later = source->carrier_bound, first;
	bool more = later != NEVER, any = source->ahead.count > 0 || !chunk_is_empty(source);

	if (chunk_is_empty(source) && source->next_chunk < source->end_chunk) {
		later = source->chunk_bound < later ? source->chunk_bound : later;
		more = true;
	}
	first = any ? next_tstart(source) : later;
	/* What begins at the same time may still come before it. */
	source->ready = any && (first < later || later == NEVER);
	source->key = source->ready ? first : later;
	return any || more;
}

static int add_open_calls(struct source *source, struct source_context *context)
{
	struct bytes data = bytes_of(source->thread->open.records, source->thread->open.size);
	const struct raw_record *record;
	int64_t tstart;

	while (raw_next(&data, &record)) {
		if (!wanted(source, context, record, &tstart))
			continue;
		if (ahead_add(&source->ahead, record, tstart, source->thread->stored, true))
			return -ENOMEM;
	}
	return 0;
}

/* Chunks that end before the time that is looked for need not be decoded. */
static uint32_t first_chunk(const struct source *source, int64_t from)
{
	const struct thread *thread = source->thread;
	uint32_t low = 0, high = thread->chunk_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (ns(source, thread->chunks[middle].t_max) < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The first carrier that is not before the next chunk, or has such a one before it. */
static uint32_t first_carrier(const struct source *source)
{
	const struct thread *thread = source->thread;
	uint32_t low = 0, high = thread->carrier_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (thread->reach[middle] < source->next_chunk)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void source_init(struct source *source, const struct thread *thread)
{
	source->thread = thread;
	source->first_chunk = 0;
	source->end_chunk = thread->chunk_count;
	source->by_chunk = false;
}

void source_init_piece(struct source *source, const struct thread *thread, uint32_t first,
		       uint32_t end)
{
	source->thread = thread;
	source->first_chunk = first;
	source->end_chunk = end;
	source->by_chunk = true;
}

int source_rewind(struct source *source, struct source_context *context)
{
	int error = 0;

	ahead_clear(&source->ahead);
	source->queue_next = source->queue_end = 0;
	source->unordered = source->by_chunk;
	source->next_chunk = source->first_chunk;
	if (context->from != INT64_MIN && !source->by_chunk)
		source->next_chunk = first_chunk(source, context->from);
	source->next_carrier = source->by_chunk ? 0 : first_carrier(source);
	if (context->filter->in_flight == 2) {
		source->next_chunk = source->end_chunk;
		source->next_carrier = source->thread->carrier_count;
	}
	if (context->filter->in_flight && source->end_chunk == source->thread->chunk_count)
		error = add_open_calls(source, context);
	set_bounds(source);
	settle(source);
	return error;
}

int source_advance(struct source *source, struct source_context *context)
{
	int error;

	if (!settle(source))
		return 0;
	if (source->ready)
		return 1;
	if (source->key == source->carrier_bound)
		error = look_at_carrier(source, context);
	else
		error = load_next_chunk(source, context);
	set_bounds(source);
	if (error)
		return error;
	return settle(source);
}

int64_t source_take_chunk(struct source *source)
{
	source->ready = false;
	if (next_is_ahead(source))
		return -1;
	return source->queue[source->queue_next++];
}

const struct raw_record *source_take_ahead(struct source *source, struct source_entry *entry)
{
	*entry = *source->ahead.entries;
	ahead_drop_first(&source->ahead);
	return ahead_record(&source->ahead, entry);
}

void source_release(struct source *source)
{
	records_release(&source->chunk);
	free(source->queue);
	source->queue = NULL;
	source->queue_capacity = 0;
	ahead_release(&source->ahead);
}
