/* SPDX-License-Identifier: MIT */
/* windows.c - see windows.h */
#include "read/windows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "read/chunk_reader.h"

/* Room for `more` chunks in the place of number `at`. */
static int make_room(struct thread *thread, uint32_t at, uint32_t more)
{
	uint32_t count = thread->chunk_count - 1 + more;
	struct chunk *chunks;

	if (count > thread->chunk_capacity) {
		chunks = realloc(thread->chunks, count * sizeof(*chunks));
		if (!chunks)
			return -ENOMEM;
		thread->chunks = chunks;
		thread->chunk_capacity = count;
	}
	memmove(&thread->chunks[at + more], &thread->chunks[at + 1],
		(thread->chunk_count - at - 1) * sizeof(*thread->chunks));
	thread->chunk_count = count;
	return 0;
}

static struct chunk window_of(const struct chunk *whole, const struct looped *looped,
			      uint32_t number, uint64_t *time)
{
	struct looped_window window = looped_window(looped, number);
	const struct lists *lists = &looped->lists;
	struct chunk chunk = *whole;

	chunk.whole = whole->count;
	chunk.window = number;
	chunk.first_sequence += window.first;
	chunk.count = window.count;
	chunk.skip = whole->skip > window.first ? (uint32_t)(whole->skip - window.first) : 0;
	if (number > 0) {
		chunk.t_base = chunk.t_min = *time * lists->unit + lists->phase;
		chunk.lost = 0;
		chunk.lost_before = 0;
	}
	*time += window.span;
	chunk.t_max = *time * lists->unit + lists->phase;
	return chunk;
}

/* Windows of which an earlier chunk has all records are left out. How many are left is returned, or -ENOMEM. */
static int64_t divide(struct thread *thread, uint32_t at, const struct looped *looped)
{
	struct chunk whole = thread->chunks[at];
	uint64_t time = looped->start;
	uint32_t next = at;
	int error = make_room(thread, at, looped->windows);

	if (error)
		return error;
	for (uint32_t i = 0; i < looped->windows; i++) {
		struct chunk chunk = window_of(&whole, looped, i, &time);

		if (chunk.skip < chunk.count)
			thread->chunks[next++] = chunk;
	}
	memmove(&thread->chunks[next], &thread->chunks[at + looped->windows],
		(thread->chunk_count - at - looped->windows) * sizeof(*thread->chunks));
	thread->chunk_count -= at + looped->windows - next;
	return next - at;
}

int windows_divide(struct thread *thread)
{
	struct chunk_reader *chunks = NULL;
	int64_t count = 1;

	for (uint32_t i = 0; i < thread->chunk_count && count >= 0; i += (uint32_t)count) {
		const struct looped *looped;
		int error = 0;

		count = 1;
		if (!data_is_loop(thread->chunks[i].encoding))
			continue;
		if (!chunks)
			chunks = chunk_reader_new(thread->stream->trace);
		looped = chunks ? chunk_reader_loop(chunks, thread, i, &error) : NULL;
		if (looped)
			count = divide(thread, i, looped);
		else if (error != -EBADMSG)
			count = -ENOMEM;
	}
	chunk_reader_free(chunks);
	return count < 0 ? (int)count : 0;
}
