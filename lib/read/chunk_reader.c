/* SPDX-License-Identifier: MIT */
/* chunk_reader.c - see chunk_reader.h */
#include "read/chunk_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/columns_decode.h"
#include "format/raw.h"
#include "format/signatures_decode.h"
#include "read/body.h"
#include "read/streams.h"

#define DECODING_FIRST ((size_t)256 << 10)
#define DECODING_MAX ((size_t)1 << 30)

/* Memory that grows and is not given back. */
struct room {
	void *memory;
	size_t size;
};

struct chunk_reader {
	struct reader *trace;
	const struct thread *thread;
	struct chunk *chunk;
	struct body body;
	struct columns columns;
	struct signatures signatures;
	struct room functions, sites, column, decoding;
	struct raw_buffer records; /* decoded */
	size_t given, next;        /* offsets in them of the one given last, and of the next */
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
	free(chunks->functions.memory);
	free(chunks->sites.memory);
	free(chunks->column.memory);
	free(chunks->decoding.memory);
	free(chunks->records.records);
	free(chunks);
}

static void *room_for(struct room *room, size_t count, size_t each)
{
	size_t size = count * each + 1; /* never NULL for none */

	if (size > room->size) {
		free(room->memory);
		room->memory = malloc(size);
		room->size = room->memory ? size : 0;
	}
	return room->memory;
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
	const struct stream *stream = chunks->thread->stream;

	return stream->rec_name ? stream->rec_name : stream->name;
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

/* ---- encodings 1 and 2 ---- */

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
		functions[i].arg_count = (uint8_t)function->info.arg_count;
		functions[i].result_class = (uint8_t)function->info.result.class_;
		functions[i].classes = function->classes;
	}
	return true;
}

/* The functions of the chunk, ready for its decoder; *none: none is wanted. 0 or what to return. */
static int take_functions(struct chunk_reader *chunks, const struct lists *lists,
			  const uint8_t *wanted, struct list_function **functions, bool *none)
{
	*functions = room_for(&chunks->functions, lists->function_count, sizeof(**functions));
	if (!*functions)
		return -ENOMEM;
	if (lists_functions(lists, *functions))
		return damaged(chunks, "is malformed");
	if (!resolve(chunks, *functions, lists->function_count))
		return damaged(chunks, "uses a function that is not defined");
	*none = wanted && !any_wanted(chunks, *functions, lists->function_count, wanted);
	chunks->unit = lists->unit;
	chunks->phase = lists->phase;
	return 0;
}

static ssize_t next_of_columns(struct chunk_reader *chunks, struct raw_record *record)
{
	return columns_next(&chunks->columns, record);
}

static ssize_t next_of_signatures(struct chunk_reader *chunks, struct raw_record *record)
{
	return signatures_next(&chunks->signatures, record);
}

static int decode(struct chunk_reader *chunks,
		  ssize_t (*next)(struct chunk_reader *, struct raw_record *))
{
	struct raw_buffer *records = &chunks->records;
	uint32_t sequence = (uint32_t)chunks->sequence;
	ssize_t size;

	do {
		struct raw_record *record = next_room(records, SIGNATURES_RECORD_MAX);

		if (!record)
			return -ENOMEM;
		size = next(chunks, record);
		if (size < 0)
			return damaged(chunks, "is malformed");
		record->sequence = sequence++;
		records->size += (size_t)size;
		if (records->size > CHUNK_MAX_RAW)
			return damaged(chunks, "has more than 64 MiB of records");
	} while (size > 0);
	return 0;
}

static int open_columns(struct chunk_reader *chunks, const struct chunk_header *header,
			const uint8_t *wanted)
{
	struct columns *columns = &chunks->columns;
	struct list_function *functions;
	struct list_site *sites;
	struct column *column;
	bool none;
	int error;

	if (columns_open(columns, header, chunks->body.plain, chunks->chunk->plain_size))
		return damaged(chunks, "is malformed");
	error = take_functions(chunks, &columns->lists, wanted, &functions, &none);
	if (error || none)
		return error;
	sites = room_for(&chunks->sites, columns->lists.site_count, sizeof(*sites));
	column = room_for(&chunks->column, columns_needed(columns, functions), sizeof(*column));
	if (!sites || !column)
		return -ENOMEM;
	if (columns_begin(columns, functions, sites, column))
		return damaged(chunks, "is malformed");
	return decode(chunks, next_of_columns);
}

/* The decoder's memory is doubled until it is enough. */
static int begin_signatures(struct chunk_reader *chunks, struct list_function *functions)
{
	size_t size = chunks->decoding.size ? chunks->decoding.size - 1 : DECODING_FIRST;
	int error;

	for (;; size *= 2) {
		if (!room_for(&chunks->decoding, size, 1))
			return -ENOMEM;
		error = signatures_begin(&chunks->signatures, functions, chunks->decoding.memory,
					 size);
		if (error != -ENOBUFS || size >= DECODING_MAX)
			return error ? -EBADMSG : 0;
	}
}

static int open_signatures(struct chunk_reader *chunks, const struct chunk_header *header,
			   uint32_t rest, const uint8_t *wanted)
{
	const struct chunk *chunk = chunks->chunk;
	struct signatures *signatures = &chunks->signatures;
	struct list_function *functions;
	bool none;
	int error;

	if (signatures_open(signatures, header, chunks->body.plain, chunk->plain_size,
			    chunks->body.stored + chunk->body_size - rest, rest))
		return damaged(chunks, "is malformed");
	error = take_functions(chunks, &signatures->lists, wanted, &functions, &none);
	if (error || none)
		return error;
	error = begin_signatures(chunks, functions);
	if (error)
		return error == -ENOMEM ? error : damaged(chunks, "is malformed");
	return decode(chunks, next_of_signatures);
}

static int open_deflated(struct chunk_reader *chunks, const uint8_t *wanted)
{
	const struct chunk *chunk = chunks->chunk;
	struct chunk_header header = {.count = chunk->count,
				      .carried = chunk->carried,
				      .t_base = chunk->t_base};
	uint32_t rest;
	int error = body_inflate(&chunks->body, chunk->body_size, chunk->plain_size, &rest);

	if (error)
		return error == -EBADMSG ? damaged(chunks, "does not inflate") : error;
	if (chunk->encoding == DATA_SIGNATURES)
		return open_signatures(chunks, &header, rest, wanted);
	return rest ? damaged(chunks, "does not inflate") : open_columns(chunks, &header, wanted);
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
	if (record->arg_count > function->info.arg_count ||
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

static int open_body(struct chunk_reader *chunks, const uint8_t *wanted)
{
	const struct chunk *chunk = chunks->chunk;
	struct stream *stream = chunks->thread->stream;
	int error;

	if (chunk->encoding > DATA_SIGNATURES)
		return unknown_encoding(chunks);
	error = body_read(&chunks->body, &chunks->trace->files, &stream->rec,
			  chunk->offset + sizeof(struct chunk_header), chunk->body_size,
			  chunk->body_crc);
	if (error == -EBADMSG)
		return damaged(chunks, "has a wrong checksum");
	if (error)
		return error == -ENOMEM ? error : damaged(chunks, strerror(-error));
	return chunk->encoding == DATA_RAW ? decode_raw(chunks) : open_deflated(chunks, wanted);
}

/* Records at the begin that an earlier chunk has. */
static void skip_records(struct chunk_reader *chunks)
{
	for (uint32_t i = 0; i < chunks->chunk->skip; i++)
		chunk_reader_next(chunks);
}

int chunk_reader_open(struct chunk_reader *chunks, const struct thread *thread, uint32_t number,
		      const uint8_t *wanted)
{
	int error;

	chunks->thread = thread;
	chunks->chunk = &thread->chunks[number];
	chunks->records.size = 0;
	chunks->next = 0;
	chunks->sequence = chunks->chunk->first_sequence;
	chunks->unit = 1;
	chunks->phase = 0;
	error = thread_is_tail(thread, number) ? copy_tail(chunks) : open_body(chunks, wanted);
	if (error)
		chunks->records.size = 0;
	else
		skip_records(chunks);
	return error;
}

const struct raw_record *chunk_reader_next(struct chunk_reader *chunks)
{
	const struct raw_record *record;

	if (chunks->next >= chunks->records.size)
		return NULL;
	chunks->given = chunks->next;
	record = (const struct raw_record *)(chunks->records.records + chunks->given);
	chunks->next += record->size;
	chunks->sequence = sequence_near(chunks->sequence, record->sequence) + 1;
	return record;
}

uint64_t chunk_reader_sequence(const struct chunk_reader *chunks)
{
	return chunks->sequence - 1;
}

size_t chunk_reader_offset(const struct chunk_reader *chunks)
{
	return chunks->given;
}

void chunk_reader_swap(struct chunk_reader *chunks, struct raw_buffer *buffer)
{
	struct raw_buffer records = chunks->records;

	chunks->records = *buffer;
	chunks->records.size = 0;
	chunks->next = 0;
	*buffer = records;
}

void chunk_reader_unit(const struct chunk_reader *chunks, uint64_t *unit, uint64_t *phase)
{
	*unit = chunks->unit;
	*phase = chunks->phase;
}
