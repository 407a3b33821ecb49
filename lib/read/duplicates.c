/* SPDX-License-Identifier: MIT */
/* duplicates.c - see duplicates.h */
#include "read/duplicates.h"

#include <errno.h>
#include <stdlib.h>

#include "read/index.h"
#include "read/streams.h"

/* Of the same process, by what its metadata says. */
static bool same_process(const struct stream *a, const struct stream *b)
{
	return a->pid == b->pid && a->pid_start == b->pid_start &&
	       a->first_anchor.ticks == b->first_anchor.ticks;
}

static bool same_records(const struct stream *a, const struct stream *b)
{
	return a->newest.rec_size == b->newest.rec_size && a->chunk_count == b->chunk_count &&
	       a->stored == b->stored && a->calls == b->calls;
}

/* A copy of the .rec alone has no metadata. */
static bool is_copy(const struct stream *stream, const struct stream *of)
{
	return stream->id == of->id && stream->newest.rec_ok && of->newest.rec_ok &&
	       same_records(stream, of) &&
	       (!stream->lm_ok || !of->lm_ok || same_process(stream, of));
}

/* The number of the stream that it is a copy of, -1 if there is none. */
static int64_t find_original(const struct reader *trace, const struct index *ids, unsigned i)
{
	const struct stream *stream = trace->streams[i];
	uint32_t hash = index_hash(&stream->id, sizeof(stream->id)), position = hash;
	int64_t number;

	while ((number = index_next(ids, hash, &position)) >= 0)
		if (is_copy(stream, trace->streams[number]))
			break;
	return number;
}

/* Stream `i` and its original: the one with metadata stays in the original's place. */
static struct stream *take_better(struct reader *trace, unsigned i, int64_t original)
{
	struct stream *copy = trace->streams[i], *first = trace->streams[original];

	if (first->lm_ok || !copy->lm_ok)
		return copy;
	trace->streams[original] = copy;
	return first;
}

static void leave_out(struct reader *trace, struct stream *copy, const struct stream *of)
{
	problem(trace, "%s/%s: is skipped: a copy of stream %s", trace->dir, copy->name, of->name);
	stream_close_files(copy);
	stream_release(copy);
	free(copy);
}

/* Streams up to `kept` stay. */
static int judge(struct reader *trace, struct index *ids, unsigned i, unsigned *kept)
{
	struct stream *stream = trace->streams[i];
	int64_t original = stream->id ? find_original(trace, ids, i) : -1;

	if (original >= 0) {
		stream = take_better(trace, i, original);
		leave_out(trace, stream, trace->streams[original]);
		return 0;
	}
	trace->streams[*kept] = stream;
	return index_add(ids, index_hash(&stream->id, sizeof(stream->id)), (*kept)++);
}

int duplicates_leave_out(struct reader *trace)
{
	unsigned count = trace->stream_count, kept = 0, i = 0;
	struct index ids = {0};
	int error = 0;

	for (; i < count && !error; i++)
		error = judge(trace, &ids, i, &kept);
	for (; i < count; i++) /* they are still to be freed */
		trace->streams[kept++] = trace->streams[i];
	trace->stream_count = kept;
	index_release(&ids);
	return error;
}
