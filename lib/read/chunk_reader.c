/* SPDX-License-Identifier: MIT */
/* chunk_reader.c - see chunk_reader.h */
#include "read/chunk_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/columns_decode.h"
#include "format/raw.h"
#include "read/body.h"
#include "read/streams.h"

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
	struct bytes raw;
	uint32_t given;     /* records, with those skipped */
	uint64_t raw_bytes; /* of them */
	uint64_t sequence;  /* of the next one */
	bool is_columns, ended, damaged;
	struct room functions, sites, column;
	/* The record that is given out. */
	_Alignas(8) uint8_t record[COLUMNS_RECORD_MAX];
};

struct chunk_reader *chunk_reader_new(struct reader *trace)
{
	struct chunk_reader *chunks = calloc(1, sizeof(*chunks));

	if (chunks) {
		chunks->trace = trace;
		chunks->ended = true;
	}
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
	free(chunks);
}

static void *room_for(struct room *room, size_t count, size_t each)
{
	size_t size = count * each + 1;

	if (size > room->size) {
		free(room->memory);
		room->memory = malloc(size);
		room->size = room->memory ? size : 0;
	}
	return room->memory;
}

/* Several cursors may come across it: it is told, and its records counted, once. */
static int damaged(struct chunk_reader *chunks, const char *what)
{
	struct chunk *chunk = chunks->chunk;
	struct stream *stream = chunks->thread->stream;
	uint32_t rest = chunk->count - chunks->given;

	chunks->ended = true;
	chunks->damaged = true;
	if (!atomic_exchange(&chunk->reported, 1)) {
		atomic_fetch_add(&stream->unreadable, rest);
		problem(chunks->trace, "%s/%s: offset %llu: DATA chunk %s: %u of %u records are unreadable",
			chunks->trace->dir, stream->rec_name ? stream->rec_name : stream->name,
			(unsigned long long)chunk->offset, what, rest, chunk->count);
	}
	return -EBADMSG;
}

static bool any_wanted(const struct chunk_reader *chunks, const struct columns_function *functions,
		       const uint8_t *wanted)
{
	const struct definitions *defs = &chunks->thread->stream->defs;

	for (uint32_t i = 0; i < chunks->columns.function_count; i++) {
		if (wanted[definitions_function(defs, functions[i].id)->info.id])
			return true;
	}
	return false;
}

/* The decoder's functions get the classes that the definitions say. */
static bool resolve(const struct chunk_reader *chunks, struct columns_function *functions)
{
	const struct definitions *defs = &chunks->thread->stream->defs;

	for (uint32_t i = 0; i < chunks->columns.function_count; i++) {
		const struct function *function = definitions_function(defs, functions[i].id);

		if (!function)
			return false;
		functions[i].arg_count = (uint8_t)function->info.arg_count;
		functions[i].result_class = (uint8_t)function->info.result.class_;
		functions[i].classes = function->classes;
	}
	return true;
}

static int open_columns(struct chunk_reader *chunks, const uint8_t *wanted)
{
	const struct chunk *chunk = chunks->chunk;
	struct columns *columns = &chunks->columns;
	struct chunk_header header = {
		.count = chunk->count, .carried = chunk->carried, .t_base = chunk->t_base};
	int error = body_inflate(&chunks->body, chunk->body_size, chunk->plain_size);
	struct columns_function *functions;
	struct columns_site *sites;
	struct column *column;

	if (error)
		return error == -EBADMSG ? damaged(chunks, "does not inflate") : error;
	if (columns_open(columns, &header, chunks->body.plain, chunk->plain_size))
		return damaged(chunks, "is malformed");
	functions = room_for(&chunks->functions, columns->function_count, sizeof(*functions));
	sites = room_for(&chunks->sites, columns->site_count, sizeof(*sites));
	if (!functions || !sites)
		return -ENOMEM;
	if (columns_functions(columns, functions))
		return damaged(chunks, "is malformed");
	if (!resolve(chunks, functions))
		return damaged(chunks, "uses a function that is not defined");
	column = room_for(&chunks->column, columns_needed(columns, functions), sizeof(*column));
	if (!column)
		return -ENOMEM;
	if (columns_begin(columns, functions, sites, column))
		return damaged(chunks, "is malformed");
	chunks->is_columns = true;
	chunks->ended = wanted && !any_wanted(chunks, functions, wanted);
	return 0;
}

static int open_body(struct chunk_reader *chunks, const uint8_t *wanted)
{
	const struct chunk *chunk = chunks->chunk;
	struct stream *stream = chunks->thread->stream;
	int error;

	if (chunk->encoding != DATA_RAW && chunk->encoding != DATA_COLUMNS)
		return damaged(chunks, "has an encoding that this reader does not know");
	error = body_read(&chunks->body, &chunks->trace->files, &stream->rec,
			  chunk->offset + sizeof(struct chunk_header), chunk->body_size,
			  chunk->body_crc);
	if (error == -EBADMSG)
		return damaged(chunks, "has a wrong checksum");
	if (error)
		return error == -ENOMEM ? error : damaged(chunks, strerror(-error));
	if (chunk->encoding == DATA_COLUMNS)
		return open_columns(chunks, wanted);
	chunks->raw = bytes_of(chunks->body.stored, chunk->body_size);
	chunks->ended = false;
	return 0;
}

int chunk_reader_open(struct chunk_reader *chunks, const struct thread *thread, uint32_t number,
		      const uint8_t *wanted)
{
	chunks->thread = thread;
	chunks->chunk = &thread->chunks[number];
	chunks->given = 0;
	chunks->raw_bytes = 0;
	chunks->sequence = chunks->chunk->first_sequence;
	chunks->is_columns = false;
	chunks->damaged = false;
	chunks->ended = true;
	if (!thread_is_tail(thread, number))
		return open_body(chunks, wanted);
	chunks->raw = bytes_of(thread->tail.records, thread->tail.size);
	chunks->ended = false;
	return 0;
}

/* A raw record is copied: it is to be changed, and may lie in a body that other cursors have. */
static const struct raw_record *next_raw(struct chunk_reader *chunks)
{
	struct raw_record *copy = (struct raw_record *)chunks->record;
	const struct raw_record *record;
	const struct function *function;

	if (chunks->given == chunks->chunk->count) {
		if (bytes_left(&chunks->raw) > 0)
			damaged(chunks, "has more than its records");
		chunks->ended = true;
		return NULL;
	}
	if (!raw_next(&chunks->raw, &record)) {
		damaged(chunks, "is malformed");
		return NULL;
	}
	function = definitions_function(&chunks->thread->stream->defs, record->function);
	if (!function || record->arg_count > function->info.arg_count) {
		damaged(chunks, "uses a function that is not defined");
		return NULL;
	}
	memcpy(copy, record, record->size);
	copy->reserved1 = 0;
	if (copy->repeat == 0)
		copy->repeat = 1;
	chunks->sequence = sequence_near(chunks->chunk->first_sequence + chunks->given,
					 record->sequence) + 1;
	return copy;
}

static const struct raw_record *next_column(struct chunk_reader *chunks)
{
	struct raw_record *record = (struct raw_record *)chunks->record;
	ssize_t size = columns_next(&chunks->columns, record);

	if (size > 0) {
		record->sequence = (uint32_t)chunks->sequence++;
		return record;
	}
	if (size < 0)
		damaged(chunks, "is malformed");
	chunks->ended = true;
	return NULL;
}

const struct raw_record *chunk_reader_next(struct chunk_reader *chunks)
{
	const struct raw_record *record;

	while (!chunks->ended) {
		record = chunks->is_columns ? next_column(chunks) : next_raw(chunks);
		if (!record)
			break;
		chunks->raw_bytes += record->size;
		if (chunks->raw_bytes > CHUNK_MAX_RAW) {
			damaged(chunks, "has more than 64 MiB of records");
			break;
		}
		if (chunks->given++ >= chunks->chunk->skip)
			return record;
	}
	return NULL;
}

uint64_t chunk_reader_sequence(const struct chunk_reader *chunks)
{
	return chunks->sequence - 1;
}

bool chunk_reader_whole(const struct chunk_reader *chunks)
{
	return chunks->ended && !chunks->damaged;
}
