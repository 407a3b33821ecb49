/* SPDX-License-Identifier: MIT */
/* new_segments.c - see new_segments.h */
#include "read/new_segments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/trace_names.h"
#include "read/listing.h"

#define KEPT_MOST 64u /* segments, where the oldest are removed (RECORDER_KEEP) */

int segments_add(struct stream *stream, const struct segment *segment)
{
	struct segment *copy = pool_alloc(&stream->trace->pool, sizeof(*copy));

	if (stream->closed_count == stream->closed_capacity) {
		uint32_t capacity = stream->closed_capacity ? stream->closed_capacity * 2 : 8;
		struct segment **closed =
			realloc(stream->closed, capacity * sizeof(struct segment *));

		if (!closed)
			return -ENOMEM;
		stream->closed = closed;
		stream->closed_capacity = capacity;
	}
	if (!copy)
		return -ENOMEM;
	*copy = *segment;
	stream->closed[stream->closed_count++] = copy;
	return 0;
}

static void count_bytes(struct stream *stream, const struct segment *segment)
{
	stream->bytes += listing_size(stream->trace, segment->lm_name) +
			 listing_size(stream->trace, segment->rec_name);
}

void segment_init(struct stream *stream, struct segment *segment)
{
	struct reader *trace = stream->trace;

	file_init(&trace->files, &segment->rec, segment->rec_name);
	segment->rec_ok = false;
	segment->rec_size = segment->scanned = segment->scanned_lost = 0;
	segment->defs = 0;
	count_bytes(stream, segment);
}

/* Whether the process has files of its own that it can close. */
static bool may_turn(const struct stream *stream)
{
	return stream->newest.number == 0 && !stream->newest.rec.part &&
	       !stream->trace->files.packed && strlen(stream->name) <= STREAM_NAME_MAX;
}

/* The number of the newest, as far as is known. */
static uint32_t newest_number(const struct stream *stream)
{
	uint32_t last =
		stream->closed_count > 0 ? stream->closed[stream->closed_count - 1]->number : 0;
	uint64_t open = metadata_u64(&stream->lm, "segment", 1);

	return open > last + 1 && open < UINT32_MAX ? (uint32_t)open : last + 1;
}

/* The names that segment `number` of the stream has. 0, -ENOMEM; -ENOENT: it has not been closed. */
static int name_segment(struct stream *stream, uint32_t number, struct segment *segment)
{
	char name[STREAM_NAME_MAX + 16];
	int length = snprintf(name, sizeof(name), "%s-s%u", stream->name, number);
	struct pool *pool = &stream->trace->pool;

	segment->number = number;
	segment->name = pool_copy(pool, name, (size_t)length);
	memcpy(name + length, ".lm", 4);
	segment->lm_name = pool_copy(pool, name, (size_t)length + 3);
	memcpy(name + length, ".rec", 5);
	segment->rec_name = pool_copy(pool, name, (size_t)length + 4);
	if (!segment->name || !segment->lm_name || !segment->rec_name)
		return -ENOMEM;
	return listing_size(stream->trace, segment->rec_name) > 0 ? 0 : -ENOENT;
}

/* Takes in what is there from segment `number` to that before `end`, where a gap means that older ones were removed. 0 or -ENOMEM. */
static int find_between(struct stream *stream, uint32_t number, uint32_t end)
{
	int error = 0;

	while (number < end && (!error || error == -ENOENT)) {
		struct segment segment = {0};

		error = name_segment(stream, number++, &segment);
		if (!error)
			error = segments_add(stream, &segment);
		else if (number + KEPT_MOST < end)
			number = end - KEPT_MOST;
	}
	return error == -ENOENT ? 0 : error;
}

static int find_behind(struct stream *stream)
{
	int error = 0;

	for (uint32_t number = newest_number(stream); !error; number++) {
		struct segment segment = {0};

		error = name_segment(stream, number, &segment);
		if (!error)
			error = segments_add(stream, &segment);
	}
	return error == -ENOENT ? 0 : error;
}

/*
 * A folder that is listed while its process closes segments may be told to have the LM of one whose .rec is not there yet, or not to have
 * one that was closed before others which it has.
 */
int segments_find_new(struct stream *stream)
{
	struct segment **known = stream->closed;
	uint32_t count = stream->closed_count, number = count > 0 ? known[0]->number : 1,
		 end = newest_number(stream);
	int error = 0;

	if (!may_turn(stream))
		return 0;
	stream->closed = NULL;
	stream->closed_count = stream->closed_capacity = 0;
	for (uint32_t i = 0; i < count && !error; i++) {
		if (!known[i]->rec_name)
			continue;
		error = find_between(stream, number, known[i]->number);
		if (!error)
			error = segments_add(stream, known[i]);
		number = known[i]->number + 1;
	}
	free(known);
	if (!error)
		error = find_between(stream, number, end);
	return error ? error : find_behind(stream);
}

static int name_next(struct stream *stream)
{
	struct segment closed = {0};
	int error;

	if (!may_turn(stream))
		return 0;
	error = name_segment(stream, newest_number(stream), &closed);
	stream->newest.rec.next_name = closed.rec_name;
	return error == -ENOENT ? 0 : error;
}

int segments_find_closed(struct stream *stream)
{
	int error = segments_find_new(stream);

	if (error)
		return error;
	stream->bytes = 0;
	for (uint32_t i = 1; i <= stream->closed_count; i++)
		segment_init(stream, stream_segment(stream, i));
	count_bytes(stream, &stream->newest);
	return name_next(stream);
}
