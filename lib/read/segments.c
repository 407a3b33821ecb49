/* SPDX-License-Identifier: MIT */
/* segments.c - see segments.h */
#include "read/segments.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/chunk.h"
#include "read/listing.h"
#include "read/losses.h"
#include "read/new_segments.h"

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
	bool any = false;
	size_t base;
	int error = 0;

	for (unsigned i = 0; i < trace->stream_count; i++) {
		trace->streams[i]->newest.number = number_in(trace->streams[i]->name, &base);
		any |= trace->streams[i]->newest.number > 0;
	}
	if (!any) /* as in most traces, of many streams */
		return 0;
	qsort(trace->streams, trace->stream_count, sizeof(*trace->streams), by_process);
	for (unsigned i = 0; i < trace->stream_count; i++) {
		struct stream *stream = trace->streams[i];

		if (i == 0 || compare_bases(trace->streams[kept - 1], stream) != 0) {
			trace->streams[kept++] = stream;
			continue;
		}
		if (!error)
			error = segments_add(trace->streams[kept - 1], &stream->newest);
		free(stream);
	}
	trace->stream_count = kept;
	for (unsigned i = 0; i < kept; i++)
		reverse_closed(trace->streams[i]);
	return error;
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

/* ---- what their LMs know of the process ---- */

/* That of the .rec, as far as it can be read: which of the closed segments are of the same process. */
static uint64_t id_of_newest(struct stream *stream)
{
	struct file_header header;

	if (!stream->newest.rec_name ||
	    file_read_at(&stream->trace->files, &stream->newest.rec, &header, sizeof(header), 0) !=
		    sizeof(header) ||
	    file_header_check(&header, FILE_STREAM))
		return 0;
	return header.stream_id;
}

/* But for what it tells of the segment alone: which one it is, and what it counts and how it ended. */
static int take_items(struct stream *stream, const struct metadata *lm)
{
	int error = 0;

	for (uint32_t i = 0; i < lm->count && !error; i++) {
		const struct metadata_item *item = &lm->items[i];

		if (!item->of_end && strcmp(item->key, "segment") &&
		    strcmp(item->key, "segment.of") && !metadata_get(&stream->lm, item->key))
			error = metadata_set(&stream->lm, item->key, strlen(item->key),
					     &item->value, &stream->pool);
	}
	return error;
}

/* One that cannot be read, or is damaged, is told of when its counts are added. */
static int take_metadata_of(struct stream *stream, const char *lm_name)
{
	struct metadata lm = {0};
	struct file_header header;
	uint64_t of;
	int error;

	problems_mute(true);
	error = metadata_load(&lm, stream->trace, lm_name, FILE_LOCAL, &stream->pool, &header);
	problems_mute(false);
	of = error ? 0 : metadata_u64(&lm, "segment.of", 0);
	if (of && (!stream->id || of == stream->id)) {
		stream->id = of;
		error = take_items(stream, &lm);
	}
	metadata_release(&lm);
	return error == -ENOMEM ? error : 0;
}

int segments_take_metadata(struct stream *stream)
{
	int error = 0;

	if (stream->closed_count == 0 || metadata_get(&stream->lm, "pid"))
		return 0;
	if (!stream->id)
		stream->id = id_of_newest(stream);
	for (uint32_t i = stream->closed_count;
	     i > 0 && !error && !metadata_get(&stream->lm, "pid"); i--)
		if (stream->closed[i - 1]->lm_name)
			error = take_metadata_of(stream, stream->closed[i - 1]->lm_name);
	stream->lm_closed = metadata_get(&stream->lm, "pid");
	stream->lm_ok |= stream->lm_closed;
	return error;
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

/* What LMs count that cannot be added up one by one. */
struct counts {
	struct idmap segments;          /* those that were counted, by number */
	bool missing;                   /* calls: whose process was killed has none */
	uint64_t calls[UINT16_MAX + 1]; /* of functions by id: "3=17 5=1" */
};

static void read_calls(struct counts *counts, const struct metadata *lm)
{
	const char *text = metadata_text(lm, "calls");
	unsigned long long id, count;
	int length;

	counts->missing |= !*text;
	while (sscanf(text, " %llu=%llu%n", &id, &count, &length) == 2 && id <= UINT16_MAX) {
		counts->calls[id] = add_counts(counts->calls[id], count);
		text += length;
	}
}

static int write_calls(struct stream *stream, const struct counts *counts)
{
	struct reader_value value = {.type = READER_BYTES};
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	bool failed = !out;

	for (uint32_t id = 0; out && id <= UINT16_MAX; id++)
		if (counts->calls[id] && !counts->missing)
			fprintf(out, "%s%u=%llu", ftell(out) > 0 ? " " : "", id,
				(unsigned long long)counts->calls[id]);
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

/*
 * Whether the LM counts a segment of this process, for the first time. Else it was put there under that name, and its records are not in
 * the stream, or not twice. 0, 1 or -ENOMEM.
 */
static int is_own(struct stream *stream, const struct segment *segment, const struct metadata *lm,
		  uint64_t id, struct counts *counts)
{
	uint32_t number = (uint32_t)metadata_u64(lm, "segment", 0);

	if (stream->id && metadata_u64(lm, "segment.of", id) != stream->id) {
		problem(stream->trace, "%s/%s: belongs to another stream than %s",
			stream->trace->dir, segment->lm_name, stream->name);
		return 0;
	}
	if (idmap_get(&counts->segments, number)) {
		problem(stream->trace, "%s/%s: is of segment %u, which another file has counted",
			stream->trace->dir, segment->lm_name, number);
		return 0;
	}
	return idmap_set(&counts->segments, number, counts) ? -ENOMEM : 1;
}

static int add_counts_of(struct stream *stream, const struct segment *segment,
			 struct counts *counts)
{
	struct metadata lm = {0};
	struct pool pool = {0};
	struct file_header header;
	int error = 0, own;

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
	own = lm.final && !error ? is_own(stream, segment, &lm, header.stream_id, counts) : 0;
	if (own < 0)
		error = own;
	for (uint32_t i = 0; i < lm.count && own > 0 && !error; i++)
		if (is_count(&lm.items[i]))
			error = add_count(stream, &lm.items[i]);
	if (own > 0)
		read_calls(counts, &lm);
	metadata_release(&lm);
	pool_release(&pool);
	return error;
}

int segments_add_counts(struct stream *stream)
{
	uint32_t newest = (uint32_t)metadata_u64(&stream->lm, "segment", 0);
	struct counts *counts;
	int error = 0;

	if (stream->closed_count == 0)
		return 0;
	counts = calloc(1, sizeof(*counts));
	if (!counts)
		return -ENOMEM;
	read_calls(counts, &stream->lm);
	if (stream->final)
		error = idmap_set(&counts->segments, newest, counts);
	for (uint32_t i = 0; i < stream->closed_count && !error; i++)
		error = add_counts_of(stream, stream->closed[i], counts);
	if (!error)
		error = write_calls(stream, counts);
	idmap_release(&counts->segments);
	free(counts);
	return error;
}
