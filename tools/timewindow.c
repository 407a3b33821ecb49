/* SPDX-License-Identifier: MIT */
/* timewindow.c - see timewindow.h */
#include "timewindow.h"

#include <stdlib.h>

#include "buffer.h"
#include "message.h"
#include "read/filter.h"

/* A chunk: records that end at about that time. */
struct weight {
	int64_t time;
	uint64_t records;
};

static int by_time(const void *a, const void *b)
{
	const struct weight *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

static void add_stream(struct buffer *weights, const struct filter *filter,
		       const struct stream *stream)
{
	for (uint32_t i = 0; i < stream->thread_count; i++) {
		const struct thread *thread = &stream->threads[i];

		for (uint32_t k = 0; filter_thread(filter, thread) && k < thread->chunk_count;
		     k++) {
			const struct chunk *chunk = &thread->chunks[k];
			struct weight weight = {timeline_ns(&stream->timeline, chunk->t_max),
						chunk->count};

			if (filter_chunk(filter, stream, chunk))
				buffer_add(weights, &weight, sizeof(weight));
		}
	}
}

/* Where so many records have ended. */
static int64_t time_of(const struct weight *weights, size_t count, uint64_t records)
{
	size_t i = 0;

	while (i < count && records > weights[i].records)
		records -= weights[i++].records;
	return i < count ? weights[i].time : INT64_MAX;
}

/* How many of `all` are in the windows before one. */
static uint64_t share(uint64_t all, unsigned count, unsigned number)
{
	return (uint64_t)((unsigned __int128)all * number / count);
}

void time_window(const struct reader *trace, const struct reader_filter *filter, unsigned count,
		 unsigned number, int64_t *begin, int64_t *end)
{
	struct buffer weights = {0};
	struct filter parsed;
	const struct weight *list;
	uint64_t all = 0;
	size_t size;

	if (filter_parse(&parsed, trace, filter)) {
		message_error("%s", reader_error(trace));
		exit(EXIT_USAGE);
	}
	for (unsigned i = 0; stream_at(trace, i); i++)
		if (filter_stream(&parsed, stream_at(trace, i)))
			add_stream(&weights, &parsed, stream_at(trace, i));
	list = (const void *)weights.bytes;
	size = weights.size / sizeof(*list);
	if (size > 0)
		qsort(weights.bytes, size, sizeof(*list), by_time);
	for (size_t i = 0; i < size; i++)
		all += list[i].records;
	*begin = number == 0 ? INT64_MIN : time_of(list, size, share(all, count, number));
	*end = number + 1 == count ? INT64_MAX : time_of(list, size, share(all, count, number + 1));
	buffer_release(&weights);
	filter_release(&parsed);
}
