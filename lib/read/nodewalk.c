/* SPDX-License-Identifier: MIT */
/* nodewalk.c - see nodewalk.h */
#include "read/nodewalk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/bytes.h"
#include "format/chunk.h"
#include "format/frame.h"

#define WINDOW_SIZE (64u << 10) /* read at once while searching */
#define HEADER_WINDOW 4096u     /* read at once from chunk to chunk */
#define WASTE_MAX (1u << 30)
#define GAPS_MAX 100000u

/* ---- streams of a file ---- */

static struct node_stream *find_stream(const struct node_file *node, uint64_t id)
{
	uint32_t hash = index_hash(&id, sizeof(id)), position = hash;
	int64_t number;

	while ((number = index_next(&node->by_id, hash, &position)) >= 0)
		if (node->streams[number]->id == id)
			return node->streams[number];
	return NULL;
}

static struct node_stream *add_stream(struct node_file *node, uint64_t id)
{
	struct node_stream *stream;

	if (node->count == node->capacity) {
		uint32_t capacity = node->capacity ? node->capacity * 2 : 16;
		struct node_stream **larger = realloc(node->streams, capacity * sizeof(*larger));

		if (!larger)
			return NULL;
		node->streams = larger;
		node->capacity = capacity;
	}
	stream = calloc(1, sizeof(*stream));
	if (!stream || index_add(&node->by_id, index_hash(&id, sizeof(id)), node->count)) {
		free(stream);
		return NULL;
	}
	stream->node = node;
	stream->id = id;
	for (int half = 0; half < NODE_HALVES; half++) {
		stream->parts[half].stream = stream;
		stream->parts[half].size = sizeof(struct file_header);
	}
	node->streams[node->count++] = stream;
	return stream;
}

static int add_extent(struct node_part *part, uint64_t offset, uint32_t size)
{
	if (part->count == part->capacity) {
		uint32_t capacity = part->capacity ? part->capacity * 2 : 4;
		struct node_extent *larger = realloc(part->extents, capacity * sizeof(*larger));

		if (!larger)
			return -ENOMEM;
		part->extents = larger;
		part->capacity = capacity;
	}
	part->extents[part->count++] = (struct node_extent){part->size, offset, size};
	part->size += size;
	return 0;
}

/* Leaves out extent `number` and those behind it. */
static void cut_part(struct node_part *part, uint32_t number)
{
	part->size = part->extents[number].at;
	part->count = number;
}

static int add_gap(struct node_file *node, uint64_t offset, uint64_t size)
{
	if (node->gap_count == GAPS_MAX) { /* told as one, in the end */
		node->gaps[GAPS_MAX - 1].size = offset + size - node->gaps[GAPS_MAX - 1].offset;
		return 0;
	}
	if (node->gap_count == node->gap_capacity) {
		uint32_t capacity = node->gap_capacity ? node->gap_capacity * 2 : 4;
		struct node_gap *larger = realloc(node->gaps, capacity * sizeof(*larger));

		if (!larger)
			return -ENOMEM;
		node->gaps = larger;
		node->gap_capacity = capacity;
	}
	node->gaps[node->gap_count++] = (struct node_gap){offset, size};
	return 0;
}

/* ---- the walk over the headers ---- */

struct walk {
	struct node_file *node;
	bool searching;
	uint64_t window_offset;
	size_t window_size;
	uint8_t window[WINDOW_SIZE];
};

struct frame {
	uint64_t stream;
	struct chunk_header header;
};

ssize_t nodewalk_read(const struct node_file *node, void *buffer, size_t size, uint64_t offset)
{
	return file_read_at(node->nodes->files, (struct file *)&node->file, buffer, size, offset);
}

/* `size` bytes at `offset`, from the window; NULL if the file has not as many. */
static const uint8_t *look(struct walk *walk, uint64_t offset, size_t size)
{
	if (size > walk->node->size || offset > walk->node->size - size)
		return NULL;
	if (offset < walk->window_offset ||
	    offset + size > walk->window_offset + walk->window_size) {
		ssize_t got = nodewalk_read(walk->node, walk->window,
					    walk->searching ? WINDOW_SIZE : HEADER_WINDOW, offset);

		walk->window_offset = offset;
		walk->window_size = got > 0 ? (size_t)got : 0;
	}
	return offset + size <= walk->window_offset + walk->window_size
		       ? walk->window + (offset - walk->window_offset)
		       : NULL;
}

static bool frame_at(struct walk *walk, uint64_t offset, struct frame *frame)
{
	const uint8_t *p = look(walk, offset, FRAME_HEADER_SIZE);

	return p && frame_check(p, &frame->stream, &frame->header) == 0;
}

static uint64_t search(struct walk *walk, uint64_t offset)
{
	static const uint32_t magic = CHUNK_MAGIC;
	struct frame frame;

	while (look(walk, offset, FRAME_HEADER_SIZE)) {
		size_t begin = (size_t)(offset - walk->window_offset) + FRAME_TAG_SIZE;
		const uint8_t *hit = memmem(walk->window + begin, walk->window_size - begin, &magic,
					    sizeof(magic));

		if (!hit) {
			/* The magic may lie across the window's end. */
			offset = walk->window_offset + walk->window_size - (sizeof(magic) - 1) -
				 FRAME_TAG_SIZE;
			continue;
		}
		offset = walk->window_offset + (uint64_t)(hit - walk->window) - FRAME_TAG_SIZE;
		if (frame_at(walk, offset, &frame))
			return offset;
		offset++;
	}
	return walk->node->size;
}

/* The next frame from `offset` on, else the end of the file. */
static uint64_t next_frame(struct walk *walk, uint64_t offset)
{
	struct frame frame;

	if (offset >= walk->node->size || frame_at(walk, offset, &frame))
		return offset < walk->node->size ? offset : walk->node->size;
	walk->searching = true;
	offset = search(walk, offset);
	walk->searching = false;
	return offset;
}

/* Bodies that claim a good part of the file would have it read as often: see scan.c. */
static bool body_is_whole(struct walk *walk, uint64_t offset, const struct chunk_header *header)
{
	struct node_file *node = walk->node;
	uint8_t *body;
	bool whole;

	if (node->wasted > WASTE_MAX + node->size * 8)
		return false;
	body = malloc((size_t)header->body_size + 1);
	whole = body && nodewalk_read(node, body, header->body_size, offset) == header->body_size &&
		chunk_body_check(header, body);
	free(body);
	if (!whole)
		node->wasted += header->body_size;
	return whole;
}

/*
 * Where the frame at `offset` ends, or what is there of it; *whole: all of it. A frame or the end of the file behind it tells so; else its
 * checksum does. Behind one that was cut short the next begins before its body is whole.
 */
static uint64_t frame_end(struct walk *walk, uint64_t offset, const struct frame *frame,
			  bool *whole)
{
	uint64_t size = walk->node->size, body = offset + FRAME_HEADER_SIZE;
	uint64_t end = body + frame->header.body_size, next;
	struct frame other;

	*whole = end <= size && (end == size || frame_at(walk, end, &other) ||
				 body_is_whole(walk, body, &frame->header));
	if (*whole)
		return end;
	next = next_frame(walk, body);
	return next < end ? next : end < size ? end : size;
}

/* The chunk at the end of the file that was not whole may be by now. */
static void drop_tail(struct node_file *node)
{
	if (node->tail)
		cut_part(node->tail, node->tail->count - 1);
	node->tail = NULL;
}

static bool is_chunk(const struct node_file *node, const struct node_extent *extent,
		     const struct chunk_header *back)
{
	struct chunk_header header;

	return extent->size >= sizeof(header) &&
	       nodewalk_read(node, &header, sizeof(header), extent->offset) == sizeof(header) &&
	       header.type == CHUNK_DATA && header.thread == back->thread &&
	       header.first_sequence == back->first_sequence;
}

/* A write that was cut short, at the end of the part: only that can be taken back by its place. */
static bool is_torn(const struct node_file *node, const struct node_extent *extent, uint64_t offset)
{
	struct chunk_header header;

	return extent->offset == offset + FRAME_TAG_SIZE &&
	       nodewalk_read(node, &header, sizeof(header), extent->offset) == sizeof(header) &&
	       extent->size < sizeof(header) + header.body_size;
}

static void take_back_torn(struct node_stream *stream, uint64_t offset)
{
	for (int half = 0; half < NODE_HALVES; half++) {
		struct node_part *part = &stream->parts[half];

		if (part->count > 0 &&
		    is_torn(stream->node, &part->extents[part->count - 1], offset))
			cut_part(part, part->count - 1);
	}
}

/* Its process has taken a chunk back, or who repaired the stream one that was cut short. */
static void take_back(struct node_stream *stream, const struct chunk_header *back, uint64_t body)
{
	struct node_part *part = &stream->parts[NODE_REC];
	uint32_t reach = part->count < BACK_REACH ? part->count : BACK_REACH;
	uint64_t offset;

	if (back->body_size == sizeof(offset)) {
		if (nodewalk_read(stream->node, &offset, sizeof(offset), body) == sizeof(offset))
			take_back_torn(stream, offset);
		return;
	}
	if (back->body_size > 0)
		return;
	for (uint32_t i = 1; i <= reach; i++)
		if (is_chunk(stream->node, &part->extents[part->count - i], back)) {
			cut_part(part, part->count - i);
			return;
		}
}

static int take_frame(struct node_file *node, uint64_t offset, const struct frame *frame,
		      uint64_t end, bool whole)
{
	struct node_stream *stream = find_stream(node, frame->stream);
	struct node_part *part;
	int error;

	if (frame->header.type == CHUNK_BACK) {
		if (whole && stream)
			take_back(stream, &frame->header, offset + FRAME_HEADER_SIZE);
		return 0;
	}
	if (!stream)
		stream = add_stream(node, frame->stream);
	if (!stream)
		return -ENOMEM;
	part = &stream->parts[frame->header.type == CHUNK_META ? NODE_LM : NODE_REC];
	error = add_extent(part, offset + FRAME_TAG_SIZE,
			   (uint32_t)(end - offset - FRAME_TAG_SIZE));
	if (!error && !whole && end == node->size)
		node->tail = part; /* more of it may come */
	return error;
}

static int walk_frames(struct walk *walk)
{
	struct node_file *node = walk->node;
	int error = 0;

	while (!error && node->scanned < node->size) {
		uint64_t offset = next_frame(walk, node->scanned), end;
		struct frame frame;
		bool whole;

		if (offset == node->size || !frame_at(walk, offset, &frame))
			break;
		if (offset != node->scanned)
			error = add_gap(node, node->scanned, offset - node->scanned);
		end = frame_end(walk, offset, &frame, &whole);
		if (!error)
			error = take_frame(node, offset, &frame, end, whole);
		node->scanned = node->tail ? offset : end;
		if (node->tail)
			break;
	}
	return error;
}

static int check_header(struct node_file *node)
{
	struct file_header header;
	int error = -EBADMSG;

	if (nodewalk_read(node, &header, sizeof(header), 0) == sizeof(header))
		error = file_header_check(&header, FILE_NODE);
	node->header_bad = error == -EBADMSG;
	node->minor = error ? FORMAT_MINOR : header.minor;
	node->scanned = sizeof(header);
	return error == -EBADMSG ? 0 : error;
}

int node_refresh(struct node_file *node)
{
	int64_t size = node->error ? node->error : file_size(node->nodes->files, &node->file);
	struct walk *walk;
	int error = 0;

	if (size < 0)
		return node->error = (int)size;
	if ((uint64_t)size <= node->size && node->scanned > 0)
		return 0;
	drop_tail(node);
	node->size = (uint64_t)size;
	if (node->scanned == 0)
		node->error = check_header(node);
	if (node->error)
		return node->error;
	walk = malloc(sizeof(*walk));
	if (!walk)
		return -ENOMEM;
	memset(walk, 0, offsetof(struct walk, window));
	walk->node = node;
	error = walk_frames(walk);
	free(walk);
	return error;
}
