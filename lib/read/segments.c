/* SPDX-License-Identifier: MIT */
/* segments.c - see segments.h */
#include "read/segments.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/trace_names.h"
#include "read/listing.h"
#include "read/losses.h"

/* ---- which files are of one process ---- */

/* The number that a name ends with: "-s12"; 0: it is that of the process's newest. *base: length of what stands before it. */
static uint32_t number_in(const char *name, size_t *base)
{
	const char *digits = name + strlen(name);
	unsigned long number;

	*base = strlen(name);
	while (digits > name && isdigit((unsigned char)digits[-1]))
		digits--;
	if (!*digits || *digits == '0' || strlen(digits) > 9 || digits - name < 3 ||
	    digits[-1] != 's' || digits[-2] != '-')
		return 0;
	number = strtoul(digits, NULL, 10);
	*base = (size_t)(digits - name) - 2;
	return (uint32_t)number;
}

static int compare_bases(const struct stream *x, const struct stream *y)
{
	size_t x_length, y_length, least;
	int order;

	number_in(x->name, &x_length);
	number_in(y->name, &y_length);
	least = x_length < y_length ? x_length : y_length;
	order = memcmp(x->name, y->name, least);
	return order ? order : (x_length > y_length) - (x_length < y_length);
}

/* Those of a process side by side, the newest first, then the closed ones, newest first. */
static int by_process(const void *a, const void *b)
{
	const struct stream *x = *(struct stream *const *)a, *y = *(struct stream *const *)b;
	uint32_t x_number = x->newest.number - 1, y_number = y->newest.number - 1;
	int order = compare_bases(x, y);

	return order ? order : (x_number < y_number) - (x_number > y_number);
}

static int add_closed(struct stream *stream, const struct segment *segment)
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

static void reverse_closed(struct stream *stream)
{
	for (uint32_t i = 0, k = stream->closed_count; i + 1 < k; i++) {
		struct segment *segment = stream->closed[i];

		stream->closed[i] = stream->closed[--k];
		stream->closed[k] = segment;
	}
}

int segments_join(struct reader *trace)
{
	unsigned kept = 0;
	size_t base;
	int error = 0;

	for (unsigned i = 0; i < trace->stream_count; i++)
		trace->streams[i]->newest.number = number_in(trace->streams[i]->name, &base);
	if (trace->stream_count > 1)
		qsort(trace->streams, trace->stream_count, sizeof(*trace->streams), by_process);
	for (unsigned i = 0; i < trace->stream_count; i++) {
		struct stream *stream = trace->streams[i];

		if (i == 0 || compare_bases(trace->streams[kept - 1], stream) != 0) {
			trace->streams[kept++] = stream;
			continue;
		}
		if (!error)
			error = add_closed(trace->streams[kept - 1], &stream->newest);
		free(stream);
	}
	trace->stream_count = kept;
	for (unsigned i = 0; i < kept; i++)
		reverse_closed(trace->streams[i]);
	return error;
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

#define KEPT_MOST 64u /* segments, where the oldest are removed (RECORDER_KEEP) */

/* Takes in what is there from segment `number` to that before `end`, where a gap means that older ones were removed. 0 or -ENOMEM. */
static int find_between(struct stream *stream, uint32_t number, uint32_t end)
{
	int error = 0;

	while (number < end && (!error || error == -ENOENT)) {
		struct segment segment = {0};

		error = name_segment(stream, number++, &segment);
		if (!error)
			error = add_closed(stream, &segment);
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
			error = add_closed(stream, &segment);
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
			error = add_closed(stream, known[i]);
		number = known[i]->number + 1;
	}
	free(known);
	if (!error)
		error = find_between(stream, number, end);
	return error ? error : find_behind(stream);
}

int segments_name_next(struct stream *stream)
{
	struct segment closed = {0};
	int error;

	if (!may_turn(stream))
		return 0;
	error = name_segment(stream, newest_number(stream), &closed);
	stream->newest.rec.next_name = closed.rec_name;
	return error == -ENOENT ? 0 : error;
}

int segments_repeat_defs(struct stream *stream, struct segment *segment,
			 const struct chunk_header *header)
{
	const struct defs_chunk chunk = {header->body_size, header->plain_size, header->body_crc,
					 header->count};
	uint32_t at = segment->defs++;

	if (stream->closed_count == 0)
		return 0;
	if (at < stream->repeated_count) {
		if (!memcmp(&stream->repeated[at], &chunk, sizeof(chunk)))
			return 1;
		stream->repeated[at] = chunk;
		return 0;
	}
	if (at >= stream->repeated_capacity) {
		uint32_t capacity = stream->repeated_capacity ? stream->repeated_capacity * 2 : 64;
		struct defs_chunk *repeated =
			realloc(stream->repeated, capacity * sizeof(*repeated));

		if (!repeated)
			return -ENOMEM;
		stream->repeated = repeated;
		stream->repeated_capacity = capacity;
	}
	stream->repeated[stream->repeated_count++] = chunk;
	return 0;
}

bool segments_begin_late(const struct stream *stream)
{
	return stream->closed_count > 0 ? stream->closed[0]->number > 1
					: metadata_u64(&stream->lm, "segment", 0) > 1;
}

/* ---- their counts ---- */

static bool is_count(const struct metadata_item *item)
{
	static const char *const counts[] = {"records", "lost", "chunks", "bytes"};

	if (item->value.type != READER_U64)
		return false;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if (!strcmp(item->key, counts[i]))
			return true;
	return !strncmp(item->key, "lost.", 5) || !strncmp(item->key, "skipped.", 8);
}

static int add_count(struct stream *stream, const struct metadata_item *item)
{
	struct reader_value sum = item->value;

	sum.u64 = add_counts(sum.u64, metadata_u64(&stream->lm, item->key, 0));
	return metadata_set(&stream->lm, item->key, strlen(item->key), &sum, &stream->pool);
}

/* Calls of functions by id: "3=17 5=1". */
struct calls {
	bool missing; /* whose process was killed has none */
	uint64_t counts[UINT16_MAX + 1];
};

static void read_calls(struct calls *calls, const struct metadata *lm)
{
	const char *text = metadata_text(lm, "calls");
	unsigned long long id, count;
	int length;

	calls->missing |= !*text;
	while (sscanf(text, " %llu=%llu%n", &id, &count, &length) == 2 && id <= UINT16_MAX) {
		calls->counts[id] = add_counts(calls->counts[id], count);
		text += length;
	}
}

static int write_calls(struct stream *stream, const struct calls *calls)
{
	struct reader_value value = {.type = READER_BYTES};
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	bool failed = !out;

	for (uint32_t id = 0; out && id <= UINT16_MAX; id++)
		if (calls->counts[id] && !calls->missing)
			fprintf(out, "%s%u=%llu", ftell(out) > 0 ? " " : "", id,
				(unsigned long long)calls->counts[id]);
	failed |= out && fclose(out);
	value.bytes = failed ? NULL : pool_copy(&stream->pool, text, size);
	value.size = (uint32_t)size;
	free(text);
	return value.bytes ? metadata_set(&stream->lm, "calls", 5, &value, &stream->pool) : -ENOMEM;
}

/* One that is not there any more was removed by its process, or is about to be counted as lost. */
static bool was_removed(const struct stream *stream, const struct segment *segment)
{
	return stream->alive && listing_size(stream->trace, segment->lm_name) == 0;
}

static int add_counts_of(struct stream *stream, const struct segment *segment, struct calls *calls)
{
	struct metadata lm = {0};
	struct pool pool = {0};
	struct file_header header;
	int error = 0;

	if (!segment->lm_name)
		problem(stream->trace, "%s/%s.lm: is missing", stream->trace->dir, segment->name);
	else if (!was_removed(stream, segment))
		error = metadata_load(&lm, stream->trace, segment->lm_name, FILE_LOCAL, &pool,
				      &header);
	if (error && error != -ENOMEM) {
		problem(stream->trace, "%s", reader_error(stream->trace));
		stream->newer |= error == -EPROTO;
		error = 0;
	}
	for (uint32_t i = 0; i < lm.count && lm.final && !error; i++)
		if (is_count(&lm.items[i]))
			error = add_count(stream, &lm.items[i]);
	if (lm.final)
		read_calls(calls, &lm);
	metadata_release(&lm);
	pool_release(&pool);
	return error;
}

int segments_add_counts(struct stream *stream)
{
	struct calls *calls;
	int error = 0;

	if (stream->closed_count == 0)
		return 0;
	calls = calloc(1, sizeof(*calls));
	if (!calls)
		return -ENOMEM;
	read_calls(calls, &stream->lm);
	for (uint32_t i = 0; i < stream->closed_count && !error; i++)
		error = add_counts_of(stream, stream->closed[i], calls);
	if (!error)
		error = write_calls(stream, calls);
	free(calls);
	return error;
}
