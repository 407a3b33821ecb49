/* SPDX-License-Identifier: MIT */
/* worlds.c - see worlds.h */
#include "read/worlds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "read/index.h"
#include "read/streams.h"

static int by_first_time(const void *a, const void *b)
{
	const struct stream *x = *(struct stream *const *)a, *y = *(struct stream *const *)b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int by_rank(const void *a, const void *b)
{
	const struct stream *x = *(struct stream *const *)a, *y = *(struct stream *const *)b;

	if (x->world != y->world)
		return x->world < y->world ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return by_first_time(a, b);
}

static const char *world_name(const struct stream *stream)
{
	return metadata_text(&stream->lm, "world");
}

/* Numbers the world of stream `i`: the one of an earlier stream of that name, or the next. */
static int number_world(struct reader *trace, struct index *names, unsigned i)
{
	struct stream *stream = trace->streams[i];
	const char *name = world_name(stream);
	uint32_t hash = index_hash(name, strlen(name)), position = hash;
	int64_t number;

	while ((number = index_next(names, hash, &position)) >= 0)
		if (strcmp(world_name(trace->streams[number]), name) == 0)
			break;
	if (number < 0 && index_add(names, hash, i))
		return -ENOMEM;
	stream->world = number >= 0 ? trace->streams[number]->world : (int32_t)trace->worlds;
	stream->beside = !*name && stream->world > 0;
	trace->worlds += number < 0;
	return 0;
}

int32_t worlds_find(const struct reader *trace, const char *name)
{
	int32_t before = -1;

	/* streams are in the order of their worlds */
	for (unsigned i = 0; i < trace->stream_count; i++) {
		const struct stream *stream = trace->streams[i];

		if (stream->world != before && strcmp(world_name(stream), name) == 0)
			return stream->world;
		before = stream->world;
	}
	return -1;
}

/*
 * Jobs of launchers are numbered as they began; processes that belong to none (the shell that
 * started the launcher) are the last world. A stream without .lm belongs to the first world.
 * Streams must be in the order of their begin.
 */
static int number_worlds(struct reader *trace)
{
	struct index names = {0};
	int error = 0;

	for (int unnamed = 0; unnamed <= 1; unnamed++)
		for (unsigned i = 0; i < trace->stream_count && !error; i++)
			if (trace->streams[i]->lm_ok &&
			    (*world_name(trace->streams[i]) == '\0') == unnamed)
				error = number_world(trace, &names, i);
	index_release(&names);
	return error;
}

/*
 * Counts ranks, and says whether every world has all of its. Streams must be in the order of
 * ranks.
 */
static bool count_ranks(struct reader *trace)
{
	int32_t world = -1, next = 0, size = -1;
	bool all = true;

	trace->ranks = 0;
	for (unsigned i = 0; i < trace->stream_count; i++) {
		const struct stream *stream = trace->streams[i];

		if (!stream->main || stream->rank < 0 || stream->beside)
			continue;
		if (stream->world != world) {
			all &= size < 0 || next >= size;
			world = stream->world;
			next = 0;
			size = -1;
		}
		size = stream->size > size ? stream->size : size;
		if (stream->rank < next)
			continue;
		all &= stream->rank == next;
		next = stream->rank + 1;
		trace->ranks++;
	}
	return all && (size < 0 || next >= size);
}

static uint64_t excess(uint64_t told, uint64_t found)
{
	return told > found ? told - found : 0;
}

/* Of the streams that recorder.gm tells of. There may be more, which began after it was written, and it may count each segment as one. */
static uint64_t count_missing(const struct reader *trace)
{
	uint64_t told = metadata_u64(&trace->gm, "streams", 0), found = 0;
	uint64_t left_out = metadata_u64(&trace->gm, "filter.left_out", 0);

	for (unsigned i = 0; i < trace->stream_count; i++)
		found += trace->streams[i]->closed_count + 1u;
	return excess(told, found) + excess(left_out, trace->left_out);
}

static bool nothing_lost(const struct reader *trace)
{
	for (unsigned i = 0; i < trace->stream_count; i++) {
		const struct stream *stream = trace->streams[i];

		/* a loss of 0 records is one of nobody knows how many */
		if (stream->state != READER_CLEAN || stream->loss_count > 0 ||
		    stream->unreadable > 0)
			return false;
	}
	return trace->stream_count > 0;
}

static bool is_left_out(const struct stream *stream)
{
	return metadata_u64(&stream->lm, "filter.left_out", 0) != 0;
}

/*
 * Streams that `recorder filter` was not asked for: clocks, worlds and which ranks there were are known by their metadata, nothing else is to be seen of them. They
 * stay behind the others.
 */
static int leave_out(struct reader *trace)
{
	unsigned count = trace->stream_count, kept = 0;
	struct stream **others = malloc((count + 1u) * sizeof(*others));

	if (!others)
		return -ENOMEM;
	for (unsigned i = 0; i < count; i++) {
		if (is_left_out(trace->streams[i]))
			others[trace->left_out++] = trace->streams[i];
		else
			trace->streams[kept++] = trace->streams[i];
	}
	memcpy(trace->streams + kept, others, trace->left_out * sizeof(*others));
	trace->stream_count = kept;
	free(others);
	return 0;
}

int worlds_order(struct reader *trace)
{
	int error;

	if (trace->stream_count == 0) {
		trace->missing_streams = count_missing(trace);
		return 0;
	}
	qsort(trace->streams, trace->stream_count, sizeof(*trace->streams), by_first_time);
	error = number_worlds(trace);
	if (error)
		return error;
	qsort(trace->streams, trace->stream_count, sizeof(*trace->streams), by_rank);
	trace->all_there = count_ranks(trace);
	error = leave_out(trace);
	if (error)
		return error;
	for (unsigned i = 0; i < trace->stream_count; i++)
		trace->streams[i]->number = i;
	if (trace->left_out > 0)
		count_ranks(trace);
	trace->missing_streams = count_missing(trace);
	trace->all_there &= trace->missing_streams == 0;
	trace->complete = trace->gm_whole && trace->all_there && nothing_lost(trace) &&
			  metadata_u64(&trace->gm, "filter.incomplete", 0) == 0;
	return 0;
}
