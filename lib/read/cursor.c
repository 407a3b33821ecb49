/* SPDX-License-Identifier: MIT */
/* cursor.c - walking over the records of a trace. */
#include "read/cursor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct recorder_record *cursor_next_special(struct reader_cursor *cursor,
						  const struct record_item *item)
{
	struct records *records = cursor->plain.records;

	return records_give(records, (uint32_t)(item - records->items), &cursor->converter);
}

const struct recorder_record *cursor_give_open(struct reader_cursor *cursor,
					       const struct thread *thread,
					       const struct raw_record *raw)
{
	const struct function *function =
		definitions_function(&thread->stream->defs, raw->function);

	if (!function || raw->arg_count > function->stored_args ||
	    !filter_function(&cursor->filter, function))
		return NULL;
	convert_open(&cursor->converter, thread, function, raw);
	return &cursor->converter.record;
}

static int start_beneath(struct reader_cursor *cursor)
{
	if (!cursor->trace->has_beneath)
		return 0;
	cursor->beneath = beneath_new(cursor->trace);
	cursor->levels = cursor->filter.levels;
	cursor->filter.levels = (struct number_set){0};
	return cursor->beneath ? 0 : -ENOMEM;
}

static int set_share(struct reader_cursor *cursor, const struct reader_filter *filter)
{
	if (filter->parts == 0)
		return 0;
	if (filter->order != READER_BY_END || filter->part >= filter->parts)
		return error_set(-EINVAL, filter->order != READER_BY_END
						  ? "only a cursor by end can have a share"
						  : "there is no such share");
	cursor->part = filter->part;
	cursor->parts = filter->parts;
	return cursor_share_chunks(cursor);
}

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
	if (!error)
		filter_stream_range(&cursor->filter, trace->stream_count, &cursor->first_stream,
				    &cursor->end_stream);
	if (!error)
		error = start_beneath(cursor);
	if (!error)
		error = set_share(cursor, &all);
	if (!error && cursor->order == READER_BY_TIME)
		error = cursor_start_by_time(cursor, all.piece);
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
	records_release(&cursor->records);
	chunk_reader_free(cursor->chunks);
	filter_release(&cursor->filter);
	free(cursor->levels.ranges);
	share_release(&cursor->share);
	beneath_free(cursor->beneath);
	free(cursor);
}

static __attribute__((noinline)) const struct recorder_record *next_in_order(
	struct reader_cursor *cursor)
{
	if (cursor->status)
		return NULL;
	return cursor->order == READER_BY_TIME ? cursor_next_by_time(cursor)
					       : cursor_next_by_end(cursor);
}

/* The next record that is on a level that is asked for, once those beneath others are on theirs. */
static __attribute__((noinline)) const struct recorder_record *next_placed(
	struct reader_cursor *cursor)
{
	for (;;) {
		const struct recorder_record *record = cursor->plain.next < cursor->plain.end
							       ? cursor_next_plain(cursor)
							       : next_in_order(cursor);

		if (!record)
			return NULL;
		cursor->placed = *record; /* its own memory may be that of many */
		cursor->status = beneath_place(cursor->beneath, &cursor->placed);
		if (cursor->status)
			return NULL;
		if (number_set_has(&cursor->levels, cursor->placed.level))
			return &cursor->placed;
	}
}

const struct recorder_record *reader_next(struct reader_cursor *cursor)
{
	if (__builtin_expect(cursor->beneath != NULL, 0))
		return next_placed(cursor);
	if (__builtin_expect(cursor->plain.next < cursor->plain.end, 1))
		return cursor_next_plain(cursor);
	return next_in_order(cursor);
}

int reader_cursor_status(const struct reader_cursor *cursor)
{
	return cursor->status;
}

int reader_move(struct reader_cursor *cursor, const struct reader_piece *piece)
{
	int error = cursor->of_piece ? cursor_set_piece(cursor, piece)
				     : error_set(-EINVAL, "the cursor is not one of pieces");

	if (error)
		return error;
	cursor->status = cursor_rewind(cursor);
	return cursor->status;
}

int reader_seek(struct reader_cursor *cursor, int64_t time)
{
	if (cursor->order != READER_BY_TIME)
		return error_set(-EINVAL, "only a cursor by time can be moved to a time");
	cursor->context.from = time;
	cursor->status = cursor_rewind(cursor);
	return cursor->status;
}
