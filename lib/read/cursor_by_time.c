/* SPDX-License-Identifier: MIT */
/* cursor_by_time.c - a cursor in the order of time, see cursor.h */
#include <errno.h>
#include <stdlib.h>

#include "read/cursor.h"

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
	/* the next piece needs as much */
	if (!cursor->of_piece)
		source_release(cursor->heap[0]);
	cursor->heap[0] = cursor->heap[--cursor->heap_count];
	if (cursor->heap_count > 0)
		heap_sink(cursor, 0);
}

/* How far the first source goes on, of which a record of its chunk was taken, before anything has to be compared. */
static void begin_stretch(struct reader_cursor *cursor)
{
	struct source *source = cursor->heap[0];

	cursor->limit = cursor->filter.before;
	for (uint32_t i = 1; i < 3 && i < cursor->heap_count; i++)
		if (cursor->heap[i]->key < cursor->limit)
			cursor->limit = cursor->heap[i]->key;
	if (source->carrier_bound < cursor->limit)
		cursor->limit = source->carrier_bound;
	cursor->stretch = source->ahead.count == 0 ? source : NULL;
}

/* If all that is left of the chunk comes next, one record after the other, it is given as by end. */
static void begin_plain(struct reader_cursor *cursor, struct source *source)
{
	struct records *records = &source->chunk;
	const uint32_t *queue = source->queue + source->queue_next;
	uint32_t left = source->queue_end - source->queue_next;

	if (cursor->heap_count != 1 || !cursor->stretch || cursor->limit != INT64_MAX ||
	    !source->sorted || left == 0 || queue[left - 1] - queue[0] != left - 1 ||
	    !cursor_can_be_plain(cursor, records))
		return;
	cursor_give_plain(cursor, records, queue[0], queue[0] + left);
	source->queue_next = source->queue_end;
	cursor->stretch = NULL;
}

static const struct recorder_record *give_ahead(struct reader_cursor *cursor, struct source *source)
{
	struct source_entry entry;
	const struct raw_record *raw = source_take_ahead(source, &entry);

	if (entry.open)
		return cursor_give_open(cursor, source->thread, raw);
	convert(&cursor->converter, source->thread, source_function(source->thread, raw), raw,
		entry.sequence);
	return &cursor->converter.record;
}

/* The record at the key of a ready source, NULL if it is not asked for. */
static const struct recorder_record *take(struct reader_cursor *cursor, struct source *source)
{
	const struct recorder_record *record;
	int64_t at = source_take_chunk(source);

	if (at < 0) {
		record = give_ahead(cursor, source);
	} else {
		record = records_give(&source->chunk, (uint32_t)at, &cursor->converter);
		begin_stretch(cursor);
		begin_plain(cursor, source);
	}
	if (record &&
	    (cursor->filter.none || filter_record(&cursor->filter, cursor->trace, record)))
		return record;
	return NULL;
}

/* The next record of a stretch; NULL: it has ended. */
static const struct recorder_record *next_in_stretch(struct reader_cursor *cursor)
{
	struct source *source = cursor->stretch;
	const struct recorder_record *record;

	while (source->queue_next < source->queue_end) {
		uint32_t index = source->queue[source->queue_next];

		if (source->chunk.items[index].tstart >= cursor->limit)
			break;
		source->queue_next++;
		record = records_give(&source->chunk, index, &cursor->converter);
		if (cursor->filter.none || filter_record(&cursor->filter, cursor->trace, record))
			return record;
	}
	cursor->stretch = NULL;
	return NULL;
}

const struct recorder_record *cursor_next_by_time(struct reader_cursor *cursor)
{
	const struct recorder_record *next = cursor->stretch ? next_in_stretch(cursor) : NULL;

	if (next)
		return next;
	while (cursor->heap_count > 0 && cursor->heap[0]->key < cursor->filter.before) {
		struct source *source = cursor->heap[0];
		const struct recorder_record *record;
		int got;

		if (source->ready) {
			record = take(cursor, source);
			if (record)
				return record;
			continue;
		}
		got = source_advance(source, &cursor->context);
		if (got < 0) {
			cursor->status = got;
			return NULL;
		}
		if (got == 0)
			heap_drop_first(cursor);
		else
			heap_sink(cursor, 0);
	}
	return NULL;
}

int cursor_rewind(struct reader_cursor *cursor)
{
	cursor->stretch = NULL;
	cursor->plain = (struct plain){0};
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

	for (unsigned i = cursor->first_stream; i < cursor->end_stream; i++)
		count += trace->streams[i]->thread_count;
	cursor->sources = calloc(count + 1, sizeof(*cursor->sources));
	cursor->heap = calloc(count + 1, sizeof(*cursor->heap));
	if (!cursor->sources || !cursor->heap)
		return -ENOMEM;
	for (unsigned i = cursor->first_stream; i < cursor->end_stream; i++) {
		const struct stream *stream = trace->streams[i];

		for (uint32_t k = 0; k < stream->thread_count; k++) {
			struct source *source = &cursor->sources[cursor->source_count];

			if (!filter_stream(&cursor->filter, stream) ||
			    !filter_thread(&cursor->filter, &stream->threads[k]))
				continue;
			source_init(source, &stream->threads[k]);
			source->order = cursor->source_count++;
		}
	}
	return 0;
}

int cursor_set_piece(struct reader_cursor *cursor, const struct reader_piece *piece)
{
	const struct reader *trace = cursor->trace;
	const struct thread *thread;

	if (piece->stream >= trace->stream_count ||
	    piece->thread >= trace->streams[piece->stream]->thread_count)
		return error_set(-EINVAL, "there is no such piece");
	thread = &trace->streams[piece->stream]->threads[piece->thread];
	if (piece->first > piece->end || piece->end > thread->chunk_count)
		return error_set(-EINVAL, "there is no such piece");
	source_init_piece(cursor->sources, thread, piece->first, piece->end);
	return 0;
}

static int add_piece(struct reader_cursor *cursor, const struct reader_piece *piece)
{
	cursor->sources = calloc(1, sizeof(*cursor->sources));
	cursor->heap = calloc(1, sizeof(*cursor->heap));
	if (!cursor->sources || !cursor->heap)
		return -ENOMEM;
	cursor->source_count = 1;
	cursor->of_piece = true;
	return cursor_set_piece(cursor, piece);
}

int cursor_start_by_time(struct reader_cursor *cursor, const struct reader_piece *piece)
{
	int error = piece ? add_piece(cursor, piece) : add_sources(cursor);

	cursor->context.trace = cursor->trace;
	cursor->context.filter = &cursor->filter;
	cursor->context.chunks = cursor->chunks;
	cursor->context.converter = &cursor->converter;
	cursor->context.from = INT64_MIN;
	return error ? error : cursor_rewind(cursor);
}
