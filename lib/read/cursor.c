/* SPDX-License-Identifier: MIT */
/* cursor.c - walking over the records of a trace. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <recorder/reader.h>

#include "format/raw.h"
#include "read/chunk_reader.h"
#include "read/convert.h"
#include "read/filter.h"
#include "read/source.h"
#include "read/trace.h"

/* Where a cursor by end is. */
struct place {
	unsigned stream, thread;
	uint32_t chunk;      /* the next one */
	uint32_t open_calls; /* of the thread, still to be given; innermost first */
	bool in_thread;
};

struct reader_cursor {
	struct reader *trace;
	struct filter filter;
	enum reader_order order;
	int status;
	struct chunk_reader *chunks;
	struct place place;            /* by end */
	struct source_context context; /* by time, as is the rest */
	struct source *sources;
	uint32_t source_count;
	struct source **heap;
	uint32_t heap_count;
	struct converter converter;
};

/* ---- by end ---- */

/* The calls in flight of a thread, from the innermost: `left` counts down to the outermost. */
static const struct raw_record *open_call(const struct thread *thread, uint32_t number)
{
	struct bytes data = bytes_of(thread->open.records, thread->open.size);
	const struct raw_record *record = NULL;

	for (uint32_t i = 0; i <= number; i++) {
		if (!raw_next(&data, &record))
			return NULL;
	}
	return record;
}

/* Goes to the next thread that is asked for; NULL after the last one. */
static const struct thread *next_thread(struct reader_cursor *cursor)
{
	struct place *place = &cursor->place;
	struct reader *trace = cursor->trace;

	if (place->in_thread)
		place->thread++;
	for (; place->stream < trace->stream_count; place->stream++, place->thread = 0) {
		const struct stream *stream = trace->streams[place->stream];

		if (!filter_stream(&cursor->filter, stream))
			continue;
		for (; place->thread < stream->thread_count; place->thread++) {
			const struct thread *thread = &stream->threads[place->thread];

			if (!filter_thread(&cursor->filter, thread))
				continue;
			place->in_thread = true;
			place->chunk = cursor->filter.in_flight == 2 ? thread->chunk_count : 0;
			place->open_calls = cursor->filter.in_flight ? thread->open.count : 0;
			return thread;
		}
	}
	place->in_thread = false;
	return NULL;
}

/* 1: a chunk is open; 0: the thread has no more; -ENOMEM. */
static int next_chunk(struct reader_cursor *cursor, const struct thread *thread)
{
	struct place *place = &cursor->place;

	while (place->chunk < thread->chunk_count) {
		uint32_t number = place->chunk++;
		int error;

		if (!filter_chunk(&cursor->filter, thread->stream, &thread->chunks[number]))
			continue;
		error = chunk_reader_open(cursor->chunks, thread, number, cursor->filter.functions);
		if (error == -ENOMEM)
			return error;
		if (!error)
			return 1;
	}
	return 0;
}

static const struct recorder_record *give(struct reader_cursor *cursor, const struct thread *thread,
					  const struct raw_record *raw, uint64_t sequence,
					  bool open)
{
	const struct function *function =
		definitions_function(&thread->stream->defs, raw->function);

	if (!function || raw->arg_count > function->info.arg_count ||
	    !filter_function(&cursor->filter, function))
		return NULL;
	if (open)
		convert_open(&cursor->converter, thread, function, raw);
	else
		convert(&cursor->converter, thread, function, raw, sequence);
	if (!filter_record(&cursor->filter, cursor->trace, &cursor->converter.record))
		return NULL;
	return &cursor->converter.record;
}

static const struct recorder_record *next_open_call(struct reader_cursor *cursor,
						    const struct thread *thread)
{
	while (cursor->place.open_calls > 0) {
		const struct raw_record *raw = open_call(thread, --cursor->place.open_calls);
		const struct recorder_record *record =
			raw ? give(cursor, thread, raw, 0, true) : NULL;

		if (record)
			return record;
	}
	return NULL;
}

static const struct thread *current_thread(const struct reader_cursor *cursor)
{
	const struct place *place = &cursor->place;

	return place->in_thread ? &cursor->trace->streams[place->stream]->threads[place->thread]
				: NULL;
}

static const struct recorder_record *next_by_end(struct reader_cursor *cursor)
{
	const struct thread *thread = current_thread(cursor);
	const struct recorder_record *record;
	const struct raw_record *raw;
	int got;

	if (!thread)
		thread = next_thread(cursor);
	for (; thread; thread = next_thread(cursor)) {
		do {
			while ((raw = chunk_reader_next(cursor->chunks))) {
				record = give(cursor, thread, raw,
					      chunk_reader_sequence(cursor->chunks), false);
				if (record)
					return record;
			}
			got = next_chunk(cursor, thread);
		} while (got > 0);
		if (got < 0) {
			cursor->status = got;
			return NULL;
		}
		record = next_open_call(cursor, thread);
		if (record)
			return record;
	}
	return NULL;
}

/* ---- by time ---- */

static inline bool source_before(const struct source *a, const struct source *b)
{
	return a->key < b->key || (a->key == b->key && a->order < b->order);
}

/* Lets the first source sink to its place after its key has grown. */
static void heap_sink(struct reader_cursor *cursor, uint32_t i)
{
	struct source **heap = cursor->heap, *source = heap[i];

	for (;;) {
		uint32_t child = 2 * i + 1;

		if (child + 1 < cursor->heap_count && source_before(heap[child + 1], heap[child]))
			child++;
		if (child >= cursor->heap_count || !source_before(heap[child], source))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = source;
}

static void heap_drop_first(struct reader_cursor *cursor)
{
	source_release(cursor->heap[0]);
	cursor->heap[0] = cursor->heap[--cursor->heap_count];
	if (cursor->heap_count > 0)
		heap_sink(cursor, 0);
}

static const struct recorder_record *next_by_time(struct reader_cursor *cursor)
{
	while (cursor->heap_count > 0 && cursor->heap[0]->key < cursor->filter.before) {
		struct source *source = cursor->heap[0];
		const struct recorder_record *record;
		const struct raw_record *raw;
		struct source_entry entry;
		int got;

		if (!source->ready) {
			got = source_advance(source, &cursor->context);
			if (got < 0) {
				cursor->status = got;
				return NULL;
			}
			if (got == 0)
				heap_drop_first(cursor);
			else
				heap_sink(cursor, 0);
			continue;
		}
		raw = source_take(source, &entry);
		record = give(cursor, source->thread, raw, entry.sequence, entry.open);
		if (record)
			return record;
	}
	return NULL;
}

static int rewind_sources(struct reader_cursor *cursor)
{
	cursor->heap_count = 0;
	for (uint32_t i = 0; i < cursor->source_count; i++) {
		int error = source_rewind(&cursor->sources[i], &cursor->context);

		if (error)
			return error;
		cursor->heap[cursor->heap_count++] = &cursor->sources[i];
	}
	for (uint32_t i = cursor->heap_count / 2; i-- > 0;)
		heap_sink(cursor, i);
	return 0;
}

static int add_sources(struct reader_cursor *cursor)
{
	struct reader *trace = cursor->trace;
	size_t count = 0;

	for (unsigned i = 0; i < trace->stream_count; i++)
		count += trace->streams[i]->thread_count;
	cursor->sources = calloc(count + 1, sizeof(*cursor->sources));
	cursor->heap = calloc(count + 1, sizeof(*cursor->heap));
	if (!cursor->sources || !cursor->heap)
		return -ENOMEM;
	for (unsigned i = 0; i < trace->stream_count; i++) {
		const struct stream *stream = trace->streams[i];

		for (uint32_t k = 0; k < stream->thread_count; k++) {
			struct source *source = &cursor->sources[cursor->source_count];

			if (!filter_stream(&cursor->filter, stream) ||
			    !filter_thread(&cursor->filter, &stream->threads[k]))
				continue;
			source->thread = &stream->threads[k];
			source->order = cursor->source_count++;
		}
	}
	return 0;
}

static int start_by_time(struct reader_cursor *cursor)
{
	int error = add_sources(cursor);

	cursor->context.trace = cursor->trace;
	cursor->context.filter = &cursor->filter;
	cursor->context.chunks = cursor->chunks;
	cursor->context.from = INT64_MIN;
	return error ? error : rewind_sources(cursor);
}

/* ---- the public functions ---- */

struct reader_cursor *reader_cursor_new(struct reader *trace, const struct reader_filter *filter)
{
	struct reader_cursor *cursor = calloc(1, sizeof(*cursor));
	struct reader_filter all = {0};
	int error = -ENOMEM;

	if (cursor) {
		if (filter)
			memcpy(&all, filter, filter->sz < sizeof(all) ? filter->sz : sizeof(all));
		cursor->trace = trace;
		cursor->order = all.order;
		cursor->chunks = chunk_reader_new(trace);
		error = cursor->chunks ? filter_parse(&cursor->filter, trace, &all) : -ENOMEM;
	}
	if (!error && cursor->order == READER_BY_TIME)
		error = start_by_time(cursor);
	if (!error)
		return cursor;
	if (error == -ENOMEM)
		error_set(error, "out of memory");
	reader_cursor_free(cursor);
	errno = -error;
	return NULL;
}

void reader_cursor_free(struct reader_cursor *cursor)
{
	if (!cursor)
		return;
	for (uint32_t i = 0; i < cursor->source_count; i++)
		source_release(&cursor->sources[i]);
	free(cursor->sources);
	free(cursor->heap);
	free(cursor->context.sort_space);
	chunk_reader_free(cursor->chunks);
	filter_release(&cursor->filter);
	free(cursor);
}

const struct recorder_record *reader_next(struct reader_cursor *cursor)
{
	if (cursor->status)
		return NULL;
	return cursor->order == READER_BY_TIME ? next_by_time(cursor) : next_by_end(cursor);
}

int reader_cursor_status(const struct reader_cursor *cursor)
{
	return cursor->status;
}

int reader_seek(struct reader_cursor *cursor, int64_t time)
{
	if (cursor->order != READER_BY_TIME)
		return error_set(-EINVAL, "only a cursor by time can be moved to a time");
	cursor->context.from = time;
	cursor->status = rewind_sources(cursor);
	return cursor->status;
}
