/* SPDX-License-Identifier: MIT */
/* source.c - see source.h */
#include "read/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/raw.h"

#define AHEAD_MAX_RECORDS 65536u /* levels are 16 bits: no thread has more calls open at once */
#define AHEAD_MAX_BYTES (64u << 20)
#define NEVER INT64_MAX

/* ---- batches ---- */

static struct source_entry *batch_entry(struct batch *batch)
{
	struct source_entry *entries;

	if (batch->count == batch->capacity) {
		uint32_t capacity = batch->capacity ? batch->capacity * 2 : 64;

		entries = realloc(batch->entries, capacity * sizeof(*entries));
		if (!entries)
			return NULL;
		batch->entries = entries;
		batch->capacity = capacity;
	}
	return &batch->entries[batch->count++];
}

static void batch_clear(struct batch *batch)
{
	batch->count = 0;
	batch->raw.size = 0;
	batch->raw.count = 0;
}

static void batch_release(struct batch *batch)
{
	free(batch->raw.records);
	free(batch->entries);
	memset(batch, 0, sizeof(*batch));
}

static const struct raw_record *batch_record(const struct batch *batch,
					     const struct source_entry *entry)
{
	return (const struct raw_record *)(batch->raw.records + entry->offset);
}

/* ---- the order of a thread ---- */

static inline bool is_before(const struct source_entry *a, const struct source_entry *b)
{
	if (a->tstart != b->tstart)
		return a->tstart < b->tstart;
	if (a->level != b->level)
		return a->level < b->level;
	return a->sequence < b->sequence;
}

/* Merges the sorted runs [0, middle) and [middle, count). */
static void merge(const struct source_entry *from, uint32_t middle, uint32_t count,
		  struct source_entry *to)
{
	uint32_t a = 0, b = middle;

	while (a < middle && b < count)
		*to++ = is_before(&from[b], &from[a]) ? from[b++] : from[a++];
	memcpy(to, from + a, (middle - a) * sizeof(*to));
	to += middle - a;
	memcpy(to, from + b, (count - b) * sizeof(*to));
}

/* How far the entries from `begin` on are in order. */
static uint32_t run_end(const struct source_entry *entries, uint32_t begin, uint32_t count)
{
	uint32_t end = begin + 1;

	while (end < count && !is_before(&entries[end], &entries[end - 1]))
		end++;
	return end < count ? end : count;
}

/*
 * Merges pairs of runs that are there already: calls that enclose none are in order, and cost
 * one look.
 */
static int sort_entries(struct batch *batch, struct source_context *context)
{
	struct source_entry *space;
	uint32_t runs = 2;

	while (runs > 1 && batch->count > 1) {
		uint32_t begin = 0;

		runs = 0;
		if (run_end(batch->entries, 0, batch->count) == batch->count)
			return 0;
		if (context->sort_capacity < batch->count) {
			space = realloc(context->sort_space, batch->count * sizeof(*space));
			if (!space)
				return -ENOMEM;
			context->sort_space = space;
			context->sort_capacity = batch->count;
		}
		while (begin < batch->count) {
			uint32_t middle = run_end(batch->entries, begin, batch->count);
			uint32_t end = middle < batch->count
					       ? run_end(batch->entries, middle, batch->count)
					       : middle;

			merge(batch->entries + begin, middle - begin, end - begin,
			      context->sort_space + begin);
			begin = end;
			runs++;
		}
		memcpy(batch->entries, context->sort_space, batch->count * sizeof(*batch->entries));
	}
	return 0;
}

/* ---- the heap of carried records ---- */

static void swap(struct source_entry *a, struct source_entry *b)
{
	struct source_entry entry = *a;

	*a = *b;
	*b = entry;
}

static void heap_up(struct batch *heap)
{
	uint32_t i = heap->count - 1;

	for (; i > 0 && is_before(&heap->entries[i], &heap->entries[(i - 1) / 2]); i = (i - 1) / 2)
		swap(&heap->entries[i], &heap->entries[(i - 1) / 2]);
}

static void heap_drop_first(struct batch *heap)
{
	uint32_t i = 0;

	heap->entries[0] = heap->entries[--heap->count];
	for (;;) {
		uint32_t child = 2 * i + 1;

		if (child + 1 < heap->count &&
		    is_before(&heap->entries[child + 1], &heap->entries[child]))
			child++;
		if (child >= heap->count || !is_before(&heap->entries[child], &heap->entries[i]))
			break;
		swap(&heap->entries[i], &heap->entries[child]);
		i = child;
	}
}

/* ---- loading ---- */

static const struct function *function_of(const struct thread *thread,
					  const struct raw_record *record)
{
	return definitions_function(&thread->stream->defs, record->function);
}

/* Whether a record of a chunk is asked for, as far as can be said without converting it. */
static bool wanted(const struct source *source, const struct source_context *context,
		   const struct raw_record *record, int64_t *tstart)
{
	const struct function *function = function_of(source->thread, record);

	if (!function || !filter_function(context->filter, function) ||
	    !number_set_has(&context->filter->levels, record->level))
		return false;
	*tstart = timeline_ns(&source->thread->stream->timeline, record->tstart);
	return *tstart >= context->from && *tstart < context->filter->before;
}

static int heap_add(struct batch *heap, const struct raw_record *record, int64_t tstart,
		    uint64_t sequence, bool open)
{
	struct source_entry *entry = batch_entry(heap);

	if (!entry)
		return -ENOMEM;
	*entry = (struct source_entry){
		.tstart = tstart,
		.offset = (uint32_t)heap->raw.size,
		.level = record->level,
		.open = open,
		.sequence = sequence,
	};
	if (raw_buffer_add(&heap->raw, record))
		return -ENOMEM;
	heap_up(heap);
	return 0;
}

/* Decodes a chunk; 1: its records can be walked, 0: there are none, -ENOMEM. */
static int open_chunk(struct source *source, struct source_context *context, uint32_t number)
{
	const struct thread *thread = source->thread;
	int error;

	if (!filter_chunk(context->filter, thread->stream, &thread->chunks[number]))
		return 0;
	error = chunk_reader_open(context->chunks, thread, number, context->filter->functions);
	if (error)
		return error == -ENOMEM ? error : 0;
	return 1;
}

/* Copies the carried records of a chunk to the heap. 0 or -ENOMEM. */
static int fetch_carried(struct source *source, struct source_context *context, uint32_t number)
{
	const struct chunk *chunk = &source->thread->chunks[number];
	int got = open_chunk(source, context, number);
	const struct raw_record *record;
	int64_t tstart;

	while (got > 0 && (record = chunk_reader_next(context->chunks))) {
		if (record->tstart >= chunk->t_base || !wanted(source, context, record, &tstart))
			continue;
		if (heap_add(&source->ahead, record, tstart, chunk_reader_sequence(context->chunks),
			     false))
			return -ENOMEM;
	}
	return got < 0 ? got : 0;
}

/* Takes the records of a chunk over, with or without the carried ones. 0 or -ENOMEM. */
static int take_chunk(struct source *source, struct source_context *context, uint32_t number,
		      bool carried)
{
	const struct chunk *chunk = &source->thread->chunks[number];
	int got = open_chunk(source, context, number);
	const struct raw_record *record;
	int64_t tstart;

	while (got > 0 && (record = chunk_reader_next(context->chunks))) {
		struct source_entry *entry;

		if ((!carried && record->tstart < chunk->t_base) ||
		    !wanted(source, context, record, &tstart))
			continue;
		entry = batch_entry(&source->chunk);
		if (!entry)
			return -ENOMEM;
		*entry = (struct source_entry){
			.tstart = tstart,
			.offset = (uint32_t)chunk_reader_offset(context->chunks),
			.level = record->level,
			.sequence = chunk_reader_sequence(context->chunks),
		};
	}
	if (got > 0)
		chunk_reader_swap(context->chunks, &source->chunk.raw);
	return got < 0 ? got : 0;
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
	int error;

	batch_clear(&source->chunk);
	source->next_entry = 0;
	error = take_chunk(source, context, number, !was_carrier(source, chunk));
	if (!error)
		error = sort_entries(&source->chunk, context);
	return error;
}

static bool chunk_is_empty(const struct source *source)
{
	return source->next_entry == source->chunk.count;
}

/*
 * Records that were taken leave holes; once these are most of the memory the rest moves
 * together.
 */
static int compact_ahead(struct source *source)
{
	struct batch *ahead = &source->ahead;
	struct raw_buffer raw = {0};

	if (ahead->raw.count < 64 || ahead->raw.count / 4 < ahead->count)
		return 0;
	for (uint32_t i = 0; i < ahead->count; i++) {
		size_t offset = raw.size;

		if (raw_buffer_add(&raw, batch_record(ahead, &ahead->entries[i]))) {
			free(raw.records);
			return -ENOMEM;
		}
		ahead->entries[i].offset = (uint32_t)offset;
	}
	free(ahead->raw.records);
	ahead->raw = raw;
	return 0;
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
	if (compact_ahead(source))
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
	if (source->next_chunk < thread->chunk_count) {
		chunk = &thread->chunks[source->next_chunk];
		source->chunk_bound = ns(source, chunk->carried > 0 && chunk->t_min < chunk->t_base
							 ? chunk->t_base
							 : chunk->t_min);
	}
}

/* The entry that comes next of those in memory; NULL none. */
static const struct source_entry *first_entry(const struct source *source)
{
	const struct source_entry *chunk =
		chunk_is_empty(source) ? NULL : &source->chunk.entries[source->next_entry];
	const struct source_entry *ahead = source->ahead.count ? source->ahead.entries : NULL;

	if (!chunk || !ahead)
		return chunk ? chunk : ahead;
	return is_before(ahead, chunk) ? ahead : chunk;
}

/*
 * Sets key and ready from what is in memory and what the headers promise. False: nothing is
 * left.
 */
static bool settle(struct source *source)
{
	const struct source_entry *entry = first_entry(source);
	int64_t later = source->carrier_bound;
	bool more = later != NEVER;

	if (chunk_is_empty(source) && source->next_chunk < source->thread->chunk_count) {
		later = source->chunk_bound < later ? source->chunk_bound : later;
		more = true;
	}
	/* What begins at the same time may still come before it. */
	source->ready = entry && (entry->tstart < later || later == NEVER);
	source->key = source->ready ? entry->tstart : later;
	return entry || more;
}

static int add_open_calls(struct source *source, struct source_context *context)
{
	struct bytes data = bytes_of(source->thread->open.records, source->thread->open.size);
	const struct raw_record *record;
	int64_t tstart;

	while (raw_next(&data, &record)) {
		if (!wanted(source, context, record, &tstart))
			continue;
		if (heap_add(&source->ahead, record, tstart, source->thread->stored, true))
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

int source_rewind(struct source *source, struct source_context *context)
{
	int error = 0;

	batch_clear(&source->chunk);
	batch_clear(&source->ahead);
	source->next_entry = 0;
	source->next_carrier = 0;
	source->unordered = false;
	source->next_chunk = context->from == INT64_MIN ? 0 : first_chunk(source, context->from);
	if (context->filter->in_flight == 2) {
		source->next_chunk = source->thread->chunk_count;
		source->next_carrier = source->thread->carrier_count;
	}
	if (context->filter->in_flight)
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

const struct raw_record *source_take(struct source *source, struct source_entry *entry)
{
	const struct source_entry *first = first_entry(source);
	const struct raw_record *record;

	*entry = *first;
	source->ready = false;
	if (source->ahead.count > 0 && first == source->ahead.entries) {
		record = batch_record(&source->ahead, first);
		heap_drop_first(&source->ahead);
		return record;
	}
	record = batch_record(&source->chunk, first);
	source->next_entry++;
	return record;
}

void source_release(struct source *source)
{
	batch_release(&source->chunk);
	batch_release(&source->ahead);
}
