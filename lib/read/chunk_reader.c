/* SPDX-License-Identifier: MIT */
/* chunk_reader.c - see chunk_reader.h */
#include "read/chunk_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/data_decode.h"
#include "format/raw.h"
#include "read/body.h"
#include "read/losses.h"
#include "read/streams.h"

struct chunk_reader {
	struct reader *trace;
	const struct thread *thread;
	struct chunk *chunk;
	struct body body;
	struct data_decoder decoder;
	struct raw_buffer records; /* decoded */
	size_t next;               /* offset in them of the next one */
	uint64_t sequence;         /* of the next one */
	uint64_t unit, phase;
};

struct chunk_reader *chunk_reader_new(struct reader *trace)
{
	struct chunk_reader *chunks = calloc(1, sizeof(*chunks));

	if (chunks)
		chunks->trace = trace;
	return chunks;
}

void chunk_reader_free(struct chunk_reader *chunks)
{
	if (!chunks)
		return;
	body_release(&chunks->body);
	data_release(&chunks->decoder);
	free(chunks->records.records);
	free(chunks);
}

/* Several cursors may come across it: its records are counted, and it is told, once. */
static bool first_to_report(struct chunk_reader *chunks)
{
	struct chunk *chunk = chunks->chunk;

	if (atomic_exchange(&chunk->reported, 1))
		return false;
	atomic_fetch_add(&chunks->thread->stream->unreadable, chunk->count - chunk->skip);
	return true;
}

static const char *file_name(const struct chunk_reader *chunks)
{
	return segment_file(stream_segment(chunks->thread->stream, chunks->chunk->segment));
}

static int damaged(struct chunk_reader *chunks, const char *what)
{
	const struct chunk *chunk = chunks->chunk;

	chunks->records.size = 0;
	if (first_to_report(chunks))
		problem(chunks->trace,
			"%s/%s: offset %llu: DATA chunk %s: %u records are unreadable",
			chunks->trace->dir, file_name(chunks), (unsigned long long)chunk->offset,
			what, chunk->count);
	return -EBADMSG;
}

/* Of a later version: not the trace's fault. */
static int unknown_encoding(struct chunk_reader *chunks)
{
	const struct chunk *chunk = chunks->chunk;

	if (first_to_report(chunks))
		notice(chunks->trace,
		       "%s/%s: offset %llu: DATA chunk has unknown encoding %u: "
		       "%u records are unreadable",
		       chunks->trace->dir, file_name(chunks), (unsigned long long)chunk->offset,
		       chunk->encoding, chunk->count);
	return -EBADMSG;
}

/* Room for one more record of at most `size` bytes; NULL: no memory. */
static struct raw_record *next_room(struct raw_buffer *records, size_t size)
{
	size_t capacity = records->capacity * 2 + size;
	uint8_t *larger;

	if (records->capacity - records->size < size) {
		larger = realloc(records->records, capacity);
		if (!larger)
			return NULL;
		records->records = larger;
		records->capacity = capacity;
	}
	return (struct raw_record *)(records->records + records->size);
}

/* ---- encodings 1 to 4 ---- */

static bool any_wanted(const struct chunk_reader *chunks, const struct list_function *functions,
		       uint32_t count, const uint8_t *wanted)
{
	const struct definitions *defs = &chunks->thread->stream->defs;

	for (uint32_t i = 0; i < count; i++) {
		if (wanted[definitions_function(defs, functions[i].id)->info.id])
			return true;
	}
	return false;
}

/* The decoder's functions get the classes that the definitions say. */
static bool resolve(const struct chunk_reader *chunks, struct list_function *functions,
		    uint32_t count)
{
	const struct definitions *defs = &chunks->thread->stream->defs;

	for (uint32_t i = 0; i < count; i++) {
		const struct function *function = definitions_function(defs, functions[i].id);

		if (!function)
			return false;
		functions[i].arg_count = function->stored_args;
		functions[i].result_class = (uint8_t)function->info.result.class_;
		functions[i].classes = function->classes;
	}
	return true;
}

static int decode(struct chunk_reader *chunks)
{
	struct raw_buffer *records = &chunks->records;
	uint32_t sequence = (uint32_t)chunks->sequence;
	ssize_t size;

	do {
		struct raw_record *record = next_room(records, DATA_RECORD_MAX);

		if (!record)
			return -ENOMEM;
		size = data_next(&chunks->decoder, record);
		if (size < 0)
			return damaged(chunks, "is malformed");
		record->sequence = sequence++;
		record->reserved0 = chunk_is_summed(chunks->chunk) ? RAW_TIMES_SUMMED : 0;
		records->size += (size_t)size;
		if (records->size > CHUNK_MAX_RAW)
			return damaged(chunks, "has more than 64 MiB of records");
	} while (size > 0);
	return 0;
}

/* 1: its records can be decoded; 0: none is wanted; else what to return. */
static int begin_body(struct chunk_reader *chunks, const uint8_t *wanted)
{
	const struct chunk *chunk = chunks->chunk;
	struct data_decoder *decoder = &chunks->decoder;
	struct chunk_header header = {.encoding = chunk->encoding,
				      .body_size = chunk->body_size,
				      .plain_size = chunk->plain_size,
				      .count = chunk->whole ? chunk->whole : chunk->count,
				      .carried = chunk->carried,
				      .t_base = chunk->t_base,
				      .t_min = chunk->t_min,
				      .t_max = chunk->t_max};
	const struct lists *lists;
	int error;

	body_give(&chunks->body, &decoder->inflater);
	error = data_open(decoder, &header, chunks->body.stored);
	lists = data_lists(decoder);
	if (error)
		return error == -EBADMSG ? damaged(chunks, decoder->what) : error;
	if (!resolve(chunks, decoder->functions, lists->function_count))
		return damaged(chunks, "uses a function that is not defined");
	chunks->unit = lists->unit;
	chunks->phase = lists->phase;
	if (wanted && !any_wanted(chunks, decoder->functions, lists->function_count, wanted))
		return 0;
	error = data_begin(decoder);
	if (!error && chunk->whole)
		error = looped_go(&decoder->looped, chunk->window);
	if (error)
		return error == -EBADMSG ? damaged(chunks, decoder->what) : error;
	/* a loop that is not divided yet is not to be had as a whole (windows.h) */
	return !data_is_loop(chunk->encoding) || chunk->whole;
}

static int decode_body(struct chunk_reader *chunks, const uint8_t *wanted)
{
	int got = begin_body(chunks, wanted);

	return got > 0 ? decode(chunks) : got;
}

/* ---- encoding 0 ---- */

/* What is wrong with a raw record, NULL nothing. */
static const char *check_raw(const struct chunk_reader *chunks, const struct raw_record *record,
			     uint64_t sequence)
{
	const struct function *function =
		definitions_function(&chunks->thread->stream->defs, record->function);

	if (!function)
		return "uses a function that is not defined";
	if (record->arg_count > function->stored_args ||
	    !raw_blocks_check(record, function->classes))
		return "is malformed";
	return record->sequence == (uint32_t)sequence ? NULL : "is out of sequence";
}

static int decode_raw(struct chunk_reader *chunks)
{
	struct bytes data = bytes_of(chunks->body.stored, chunks->chunk->body_size);
	const struct raw_record *record;
	uint32_t count = 0;

	while (raw_next(&data, &record)) {
		const char *what = check_raw(chunks, record, chunks->sequence + count);
		struct raw_record *copy;

		if (what)
			return damaged(chunks, what);
		copy = next_room(&chunks->records, record->size);
		if (!copy)
			return -ENOMEM;
		memcpy(copy, record, record->size);
		copy->reserved0 = chunk_is_summed(chunks->chunk) ? RAW_TIMES_SUMMED : 0;
		copy->reserved1 = 0;
		chunks->records.size += record->size;
		count++;
	}
	if (data.bad || count != chunks->chunk->count)
		return damaged(chunks, "is malformed");
	return 0;
}

/* Records of rings were looked at one by one when the trace was opened. */
static int copy_tail(struct chunk_reader *chunks)
{
	const struct raw_buffer *tail = &chunks->thread->tail;

	if (!next_room(&chunks->records, tail->size))
		return -ENOMEM;
	memcpy(chunks->records.records, tail->records, tail->size);
	chunks->records.size = tail->size;
	return 0;
}

/* ---- */

static int read_body(struct chunk_reader *chunks)
{
	const struct chunk *chunk = chunks->chunk;
	struct segment *segment = stream_segment(chunks->thread->stream, chunk->segment);
	int error;

	if (chunk->encoding > DATA_LAST)
		return unknown_encoding(chunks);
	if (chunk->held)
		error = body_take(&chunks->body, chunk->held, chunk->body_size, chunk->body_crc);
	else
		error = body_read(&chunks->body, &chunks->trace->files, &segment->rec,
				  chunk->offset + sizeof(struct chunk_header), chunk->body_size,
				  chunk->body_crc);
	if (error == -EBADMSG)
		return damaged(chunks, "has a wrong checksum");
	if (error)
		return error == -ENOMEM ? error : damaged(chunks, strerror(-error));
	return 0;
}

static int open_body(struct chunk_reader *chunks, const uint8_t *wanted)
{
	int error = read_body(chunks);

	if (error)
		return error;
	return chunks->chunk->encoding == DATA_RAW ? decode_raw(chunks)
						   : decode_body(chunks, wanted);
}

/* Records at the begin that an earlier chunk has. */
static void skip_records(struct chunk_reader *chunks)
{
	for (uint32_t i = 0; i < chunks->chunk->skip; i++)
		chunk_reader_next(chunks);
}

static void go_to(struct chunk_reader *chunks, const struct thread *thread, uint32_t number)
{
	chunks->thread = thread;
	chunks->chunk = &thread->chunks[number];
	chunks->records.size = 0;
	chunks->next = 0;
	chunks->sequence = chunks->chunk->first_sequence;
	chunks->unit = 1;
	chunks->phase = 0;
}

int chunk_reader_open(struct chunk_reader *chunks, const struct thread *thread, uint32_t number,
		      const uint8_t *wanted)
{
	int error;

	go_to(chunks, thread, number);
	error = thread_is_tail(thread, number) ? copy_tail(chunks) : open_body(chunks, wanted);
	if (error)
		chunks->records.size = 0;
	else
		skip_records(chunks);
	return error;
}

/* Signatures are not made raw records first. */
static int load_signatures(struct chunk_reader *chunks, const struct filter *filter,
			   struct converter *converter, struct records *records)
{
	int error = read_body(chunks);

	if (error)
		return error;
	error = begin_body(chunks, filter->functions);
	if (error <= 0)
		return error;
	error = records_decode(records, &chunks->decoder, filter, converter);
	if (error == -EBADMSG)
		return damaged(chunks, "is malformed");
	return error == -EFBIG ? damaged(chunks, "has more than 64 MiB of records") : error;
}

int chunk_reader_load(struct chunk_reader *chunks, const struct thread *thread, uint32_t number,
		      const struct filter *filter, struct converter *converter,
		      struct records *records, uint32_t *first)
{
	const struct chunk *chunk = &thread->chunks[number];
	struct raw_buffer raw;
	int error;

	go_to(chunks, thread, number);
	records_clear(records, thread, chunk);
	*first = chunk->skip;
	if ((chunk->encoding == DATA_SIGNATURES || chunk->encoding == DATA_SUMMED) &&
	    !thread_is_tail(thread, number)) {
		error = load_signatures(chunks, filter, converter, records);
		if (error)
			records->count = 0;
		return error;
	}
	error = thread_is_tail(thread, number) ? copy_tail(chunks)
					       : open_body(chunks, filter->functions);
	if (error)
		return error;
	raw = records->raw;
	records->raw = chunks->records;
	chunks->records = raw;
	chunks->records.size = 0;
	return records_of_raw(records);
}

const struct looped *chunk_reader_loop(struct chunk_reader *chunks, const struct thread *thread,
				       uint32_t number, int *error)
{
	const struct looped *looped = &chunks->decoder.looped;
	uint64_t span = 0;

	go_to(chunks, thread, number);
	*error = read_body(chunks);
	if (!*error)
		*error = begin_body(chunks, NULL);
	if (*error)
		return NULL;
	for (uint32_t i = 0; i < looped->windows && span <= looped->end - looped->start; i++)
		span = add_counts(span, looped_window(looped, i).span);
	if (span == looped->end - looped->start)
		return looped;
	*error = damaged(chunks, "is malformed");
	return NULL;
}

const struct raw_record *chunk_reader_next(struct chunk_reader *chunks)
{
	const struct raw_record *record;

	if (chunks->next >= chunks->records.size)
		return NULL;
	record = (const struct raw_record *)(chunks->records.records + chunks->next);
	chunks->next += record->size;
	chunks->sequence = sequence_near(chunks->sequence, record->sequence) + 1;
	return record;
}

uint64_t chunk_reader_sequence(const struct chunk_reader *chunks)
{
	return chunks->sequence - 1;
}

void chunk_reader_unit(const struct chunk_reader *chunks, uint64_t *unit, uint64_t *phase)
{
	*unit = chunks->unit;
	*phase = chunks->phase;
}
