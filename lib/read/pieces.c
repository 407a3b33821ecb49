/* SPDX-License-Identifier: MIT */
/* pieces.c - a trace divided into pieces of one thread each. */
#include <errno.h>
#include <stdlib.h>

#include <recorder/reader.h>

#include "read/filter.h"
#include "read/trace.h"

struct pieces {
	struct reader_piece *items;
	size_t count, capacity;
};

static struct reader_piece *add(struct pieces *pieces)
{
	struct reader_piece *items;

	if (pieces->count == pieces->capacity) {
		size_t capacity = pieces->capacity ? pieces->capacity * 2 : 64;

		items = realloc(pieces->items, capacity * sizeof(*items));
		if (!items)
			return NULL;
		pieces->items = items;
		pieces->capacity = capacity;
	}
	return &pieces->items[pieces->count++];
}

/* From chunk `first` on. */
static struct reader_piece piece_of(const struct filter *filter, const struct thread *thread,
				    uint32_t first, uint64_t size)
{
	struct reader_piece piece = {.stream = thread->stream->number,
				     .first = first,
				     .end = first};

	for (; piece.end < thread->chunk_count && piece.stored < size; piece.end++) {
		const struct chunk *chunk = &thread->chunks[piece.end];

		if (filter_chunk(filter, thread->stream, chunk))
			piece.stored += chunk->count - chunk->skip;
	}
	return piece;
}

static int divide(struct pieces *pieces, const struct filter *filter, const struct thread *thread,
		  uint32_t number, uint64_t size)
{
	uint32_t first = 0;

	if (thread->chunk_count == 0 && thread->open.count == 0)
		return 0;
	do {
		struct reader_piece *piece = add(pieces);

		if (!piece)
			return -ENOMEM;
		*piece = piece_of(filter, thread, first, size);
		piece->thread = number;
		first = piece->end;
	} while (first < thread->chunk_count);
	return 0;
}

int64_t reader_pieces(const struct reader *trace, const struct reader_filter *from, uint64_t size,
		      struct reader_piece **all)
{
	struct pieces pieces = {0};
	struct filter filter;
	int error = filter_parse(&filter, trace, from);

	if (error)
		return error;
	for (unsigned i = 0; i < trace->stream_count && !error; i++) {
		const struct stream *stream = trace->streams[i];

		if (!filter_stream(&filter, stream))
			continue;
		for (uint32_t k = 0; k < stream->thread_count && !error; k++)
			if (filter_thread(&filter, &stream->threads[k]))
				error = divide(&pieces, &filter, &stream->threads[k], k, size);
	}
	filter_release(&filter);
	if (error) {
		free(pieces.items);
		return error;
	}
	*all = pieces.items;
	return (int64_t)pieces.count;
}
