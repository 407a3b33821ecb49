/* SPDX-License-Identifier: MIT */
/* thread_table.c - see thread_table.h */
#include "read/thread_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define THREADS_MAX (1u << 20)

struct thread *stream_find_thread(const struct stream *stream, uint32_t index)
{
	uint32_t hash = index_hash(&index, sizeof(index)), position = hash;
	int64_t number;

	while ((number = index_next(&stream->thread_index, hash, &position)) >= 0) {
		if (stream->threads[number].index == index)
			return &stream->threads[number];
	}
	return NULL;
}

struct thread *stream_thread(struct stream *stream, uint32_t index)
{
	struct thread *thread = stream_find_thread(stream, index);

	if (thread || stream->thread_count == THREADS_MAX)
		return thread;
	if (stream->thread_count == stream->thread_capacity) {
		uint32_t capacity = stream->thread_capacity ? stream->thread_capacity * 2 : 4;
		struct thread *threads = realloc(stream->threads, capacity * sizeof(*threads));

		if (!threads)
			return NULL;
		stream->threads = threads;
		stream->thread_capacity = capacity;
	}
	if (index_add(&stream->thread_index, index_hash(&index, sizeof(index)),
		      stream->thread_count))
		return NULL;
	thread = &stream->threads[stream->thread_count++];
	memset(thread, 0, sizeof(*thread));
	thread->stream = stream;
	thread->index = index;
	thread->name = "";
	return thread;
}

static int by_index(const void *a, const void *b)
{
	uint32_t x = ((const struct thread *)a)->index, y = ((const struct thread *)b)->index;

	return x < y ? -1 : x > y;
}

int stream_sort_threads(struct stream *stream)
{
	if (stream->thread_count == 0)
		return 0;
	qsort(stream->threads, stream->thread_count, sizeof(*stream->threads), by_index);
	index_release(&stream->thread_index);
	for (uint32_t i = 0; i < stream->thread_count; i++) {
		uint32_t index = stream->threads[i].index;

		if (index_add(&stream->thread_index, index_hash(&index, sizeof(index)), i))
			return -ENOMEM;
	}
	return 0;
}

struct chunk *thread_add_chunk(struct thread *thread, const struct chunk_header *header,
			       uint32_t segment, uint64_t offset)
{
	struct chunk *chunk;

	if (thread->chunk_count == thread->chunk_capacity) {
		uint32_t capacity = thread->chunk_capacity ? thread->chunk_capacity * 2 : 4;

		chunk = realloc(thread->chunks, capacity * sizeof(*chunk));
		if (!chunk)
			return NULL;
		thread->chunks = chunk;
		thread->chunk_capacity = capacity;
	}
	chunk = &thread->chunks[thread->chunk_count++];
	memset(chunk, 0, sizeof(*chunk));
	chunk->segment = segment;
	chunk->offset = offset;
	chunk->first_sequence = header->first_sequence;
	chunk->t_base = header->t_base;
	chunk->t_min = header->t_min;
	chunk->t_max = header->t_max;
	chunk->body_size = header->body_size;
	chunk->plain_size = header->plain_size;
	chunk->body_crc = header->body_crc;
	chunk->thread = header->thread;
	chunk->count = header->count;
	chunk->lost = header->lost;
	chunk->carried = (uint16_t)header->carried;
	chunk->encoding = header->encoding;
	chunk->flags = (uint8_t)header->flags;
	chunk->lost_reason = header->flags >> CHUNK_LOSS_SHIFT & 0xf;
	return chunk;
}
