/* SPDX-License-Identifier: MIT */
/* cursor_by_end.c - a cursor in the order of ends, see cursor.h */
#include <errno.h>

#include "format/raw.h"
#include "read/cursor.h"

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

/* Adds the chunks of a thread that are asked for to those that are shared. 0 or -ENOMEM. */
static int share_thread(struct reader_cursor *cursor, const struct thread *thread)
{
	int error = 0;

	for (uint32_t i = 0; i < thread->chunk_count && !error; i++)
		if (filter_chunk(&cursor->filter, thread->stream, &thread->chunks[i]))
			error = share_add(&cursor->share, thread->chunks[i].count);
	return error;
}

int cursor_share_chunks(struct reader_cursor *cursor)
{
	const struct reader *trace = cursor->trace;

	for (unsigned i = cursor->first_stream; i < cursor->end_stream; i++) {
		const struct stream *stream = trace->streams[i];

		if (!filter_stream(&cursor->filter, stream))
			continue;
		for (uint32_t k = 0; k < stream->thread_count; k++)
			if (filter_thread(&cursor->filter, &stream->threads[k]) &&
			    share_thread(cursor, &stream->threads[k]))
				return -ENOMEM;
	}
	return share_deal(&cursor->share, cursor->part, cursor->parts);
}

/* Goes to the next thread that is asked for; NULL after the last one. */
static const struct thread *next_thread(struct reader_cursor *cursor)
{
	struct place *place = &cursor->place;
	struct reader *trace = cursor->trace;

	if (place->in_thread)
		place->thread++;
	if (place->stream < cursor->first_stream)
		place->stream = cursor->first_stream;
	for (; place->stream < cursor->end_stream; place->stream++, place->thread = 0) {
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
		const struct chunk *chunk = &thread->chunks[number];
		int error;

		if (!filter_chunk(&cursor->filter, thread->stream, chunk))
			continue;
		place->asked++;
		if (cursor->parts > 0 && !share_has(&cursor->share, place->asked - 1))
			continue;
		cursor->plain = (struct plain){0};
		error = chunk_reader_load(cursor->chunks, thread, number, &cursor->filter,
					  &cursor->converter, &cursor->records, &cursor->next);
		if (error == -ENOMEM)
			return error;
		if (!error)
			return 1;
	}
	return 0;
}

static const struct recorder_record *next_open_call(struct reader_cursor *cursor,
						    const struct thread *thread)
{
	struct place *place = &cursor->place;

	/* one of the shares has those of a thread, which are few */
	if (cursor->parts > 0 && (place->stream + place->thread) % cursor->parts != cursor->part)
		place->open_calls = 0;
	while (place->open_calls > 0) {
		const struct raw_record *raw = open_call(thread, --place->open_calls);
		const struct recorder_record *record =
			raw ? cursor_give_open(cursor, thread, raw) : NULL;

		if (record && filter_record(&cursor->filter, cursor->trace, record))
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

/* The next record of the chunk that is asked for; NULL none. */
static const struct recorder_record *next_in_chunk(struct reader_cursor *cursor)
{
	struct records *records = &cursor->records;

	if (cursor->next < records->count && cursor_can_be_plain(cursor, records)) {
		cursor_give_plain(cursor, records, cursor->next, records->count);
		cursor->next = records->count;
		return cursor_next_plain(cursor);
	}
	while (cursor->next < records->count) {
		uint32_t index = cursor->next++;
		const struct recorder_record *record;

		if (!records_wanted(records, index, &cursor->filter))
			continue;
		record = records_give(records, index, &cursor->converter);
		if (cursor->filter.none || filter_record(&cursor->filter, cursor->trace, record))
			return record;
	}
	return NULL;
}

const struct recorder_record *cursor_next_by_end(struct reader_cursor *cursor)
{
	const struct recorder_record *record = next_in_chunk(cursor);
	const struct thread *thread;
	int got;

	if (record)
		return record;
	thread = current_thread(cursor);
	if (!thread)
		thread = next_thread(cursor);
	for (; thread; thread = next_thread(cursor)) {
		while ((got = next_chunk(cursor, thread)) > 0) {
			record = next_in_chunk(cursor);
			if (record)
				return record;
		}
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
