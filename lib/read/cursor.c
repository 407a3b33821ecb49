/* SPDX-License-Identifier: MIT */
/* cursor.c - walking over the records of a trace. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <recorder/reader.h>

#include "format/raw.h"
#include "read/beneath.h"
#include "read/chunk_reader.h"
#include "read/convert.h"
#include "read/filter.h"
#include "read/share.h"
#include "read/source.h"
#include "read/trace.h"

/* Where a cursor by end is. */
struct place {
	unsigned stream, thread;
	uint32_t chunk;      /* the next one */
	uint32_t open_calls; /* of the thread, still to be given; innermost first */
	bool in_thread;
	size_t asked; /* chunks before it that are asked for */
};

/* Records that come one behind the other and need not be asked for anything, see templates.plain; zeroed: none. */
struct plain {
	const struct record_item *next, *end;
	struct template **templates;
	const uint64_t *values;
	uint64_t sequence;       /* of the next one */
	struct records *records; /* whose they are: of the chunk, or by time of the source */
};

struct reader_cursor {
	/* what each record needs: */
	struct beneath *beneath; /* NULL: no stream lies beneath another */
	struct plain plain;
	uint32_t next; /* of the records of a chunk that are not plain */
	struct reader *trace;
	struct filter filter;
	enum reader_order order;
	int status;
	unsigned part, parts;              /* 0 parts: all */
	struct share share;                /* of the chunks that are asked for */
	unsigned first_stream, end_stream; /* between them is all that the filter lets through */
	struct chunk_reader *chunks;
	struct place place; /* by end, as is the next one */
	struct records records;
	struct source_context context; /* by time, as is the rest */
	struct source *sources;
	uint32_t source_count;
	struct source **heap;
	uint32_t heap_count;
	struct source *stretch; /* the first one, if its next records may come before all others */
	int64_t limit;          /* as long as they begin before this */
	bool of_piece;
	struct number_set
		levels; /* asked for, of a trace with such streams: of what lies beneath they are not those that are stored */
	struct recorder_record placed;
	struct converter converter;
};

/* ---- where nothing has to be asked ---- */

/* Whether none of the records of a chunk has to be asked for anything. */
static bool can_be_plain(const struct reader_cursor *cursor, const struct records *records)
{
	return !records->raw_form && records->templates.plain && cursor->filter.none;
}

/* Records `first` to before `end` come next. */
static void give_plain(struct reader_cursor *cursor, struct records *records, uint32_t first,
		       uint32_t end)
{
	cursor->plain = (struct plain){.next = records->items + first,
				       .end = records->items + end,
				       .templates = records->templates.all,
				       .values = records->values,
				       .sequence = records->first_sequence + first,
				       .records = records};
}

static __attribute__((noinline)) const struct recorder_record *next_special(
	struct reader_cursor *cursor, const struct record_item *item)
{
	struct records *records = cursor->plain.records;

	return records_give(records, (uint32_t)(item - records->items), &cursor->converter);
}

/* The next one of these. What is rare is called last, so that all else needs no place for what a call would destroy. */
static inline const struct recorder_record *next_plain(struct reader_cursor *cursor)
{
	struct plain *plain = &cursor->plain;
	const struct record_item *item = plain->next++;
	struct template *template = plain->templates[item->signature];
	uint64_t sequence = plain->sequence++;

	if (__builtin_expect(!template->words, 0))
		return next_special(cursor, item);
	templates_put_words(template, plain->values + item->at);
	template->record.flags = template->flags;
	records_stamp(&template->record, item, sequence);
	return &template->record;
}

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

/* Adds the chunks of a thread that are asked for to those that are shared. 0 or -ENOMEM. */
static int share_thread(struct reader_cursor *cursor, const struct thread *thread)
{
	int error = 0;

	for (uint32_t i = 0; i < thread->chunk_count && !error; i++)
		if (filter_chunk(&cursor->filter, thread->stream, &thread->chunks[i]))
			error = share_add(&cursor->share, thread->chunks[i].count);
	return error;
}

static int share_chunks(struct reader_cursor *cursor)
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

static const struct recorder_record *give_open(struct reader_cursor *cursor,
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

static const struct recorder_record *next_open_call(struct reader_cursor *cursor,
						    const struct thread *thread)
{
	struct place *place = &cursor->place;

	/* one of the shares has those of a thread, which are few */
	if (cursor->parts > 0 && (place->stream + place->thread) % cursor->parts != cursor->part)
		place->open_calls = 0;
	while (place->open_calls > 0) {
		const struct raw_record *raw = open_call(thread, --place->open_calls);
		const struct recorder_record *record = raw ? give_open(cursor, thread, raw) : NULL;

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

	if (cursor->next < records->count && can_be_plain(cursor, records)) {
		give_plain(cursor, records, cursor->next, records->count);
		cursor->next = records->count;
		return next_plain(cursor);
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

static const struct recorder_record *next_by_end(struct reader_cursor *cursor)
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
	    !can_be_plain(cursor, records))
		return;
	give_plain(cursor, records, queue[0], queue[0] + left);
	source->queue_next = source->queue_end;
	cursor->stretch = NULL;
}

static const struct recorder_record *give_ahead(struct reader_cursor *cursor, struct source *source)
{
	struct source_entry entry;
	const struct raw_record *raw = source_take_ahead(source, &entry);

	if (entry.open)
		return give_open(cursor, source->thread, raw);
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

static const struct recorder_record *next_by_time(struct reader_cursor *cursor)
{
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

static int rewind_sources(struct reader_cursor *cursor)
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

static int set_piece(struct reader_cursor *cursor, const struct reader_piece *piece)
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
	return set_piece(cursor, piece);
}

static int start_by_time(struct reader_cursor *cursor, const struct reader_piece *piece)
{
	int error = piece ? add_piece(cursor, piece) : add_sources(cursor);

	cursor->context.trace = cursor->trace;
	cursor->context.filter = &cursor->filter;
	cursor->context.chunks = cursor->chunks;
	cursor->context.converter = &cursor->converter;
	cursor->context.from = INT64_MIN;
	return error ? error : rewind_sources(cursor);
}

/* ---- the public functions ---- */

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
	return share_chunks(cursor);
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
		error = start_by_time(cursor, all.piece);
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
	const struct recorder_record *record = NULL;

	if (cursor->status)
		return NULL;
	if (cursor->order != READER_BY_TIME)
		return next_by_end(cursor);
	if (cursor->stretch)
		record = next_in_stretch(cursor);
	return record ? record : next_by_time(cursor);
}

/* The next record that is on a level that is asked for, once those beneath others are on theirs. */
static __attribute__((noinline)) const struct recorder_record *next_placed(
	struct reader_cursor *cursor)
{
	for (;;) {
		const struct recorder_record *record = cursor->plain.next < cursor->plain.end
							       ? next_plain(cursor)
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
		return next_plain(cursor);
	return next_in_order(cursor);
}

int reader_cursor_status(const struct reader_cursor *cursor)
{
	return cursor->status;
}

int reader_move(struct reader_cursor *cursor, const struct reader_piece *piece)
{
	int error = cursor->of_piece ? set_piece(cursor, piece)
				     : error_set(-EINVAL, "the cursor is not one of pieces");

	if (error)
		return error;
	cursor->status = rewind_sources(cursor);
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
