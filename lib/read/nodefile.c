/* SPDX-License-Identifier: MIT */
/* nodefile.c - see nodefile.h */
#include "read/nodefile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/bytes.h"
#include "format/chunk.h"
#include "format/frame.h"
#include "format/meta.h"
#include "format/trace_names.h"
#include "read/nodewalk.h"

#define ENDING ".node"
#define NAMING_MAX (1u << 20) /* bytes of a META chunk that may name a stream */

bool node_is_name(const char *name)
{
	return name_stream_length(name, ENDING) > 0;
}

/* ---- names ---- */

int nodes_take_name(struct nodes *nodes, const char *stream, size_t length)
{
	char *name = strndup(stream, length);

	if (nodes->named_count == nodes->named_capacity) {
		uint32_t capacity = nodes->named_capacity ? nodes->named_capacity * 2 : 16;
		struct node_stream **named = realloc(nodes->named, capacity * sizeof(*named));
		char **taken = NULL;

		if (named) {
			nodes->named = named;
			taken = realloc(nodes->taken, capacity * sizeof(*taken));
		}
		if (!taken) {
			free(name);
			return -ENOMEM;
		}
		nodes->taken = taken;
		nodes->named_capacity = capacity;
	}
	if (!name || index_add(&nodes->names, index_hash(name, length), nodes->named_count)) {
		free(name);
		return -ENOMEM;
	}
	nodes->named[nodes->named_count] = NULL;
	nodes->taken[nodes->named_count++] = name;
	return 0;
}

/* Its number among those that are taken; -1: it is free. */
static int64_t find_name(const struct nodes *nodes, const char *name, size_t length)
{
	uint32_t hash = index_hash(name, length), position = hash;
	int64_t number;

	while ((number = index_next(&nodes->names, hash, &position)) >= 0)
		if (strncmp(nodes->taken[number], name, length) == 0 &&
		    nodes->taken[number][length] == '\0')
			return number;
	return -1;
}

static char *name_in(struct bytes body)
{
	struct meta_entry entry;
	struct text told = {NULL, 0};

	while (meta_next(&body, &entry))
		if (entry.key.length == 11 && !memcmp(entry.key.bytes, "stream.name", 11) &&
		    entry.type == META_BYTES)
			told = entry.bytes;
	return told.bytes && name_is_plain(told.bytes, told.length, STREAM_NAME_MAX)
		       ? strndup(told.bytes, told.length)
		       : NULL;
}

/* What the first META chunk that is whole says; NULL: nothing. */
static char *told_name(const struct node_stream *stream)
{
	const struct node_part *part = &stream->parts[NODE_LM];
	char *name = NULL;

	for (uint32_t i = 0; i < part->count && i < BACK_REACH && !name; i++) {
		const struct node_extent *extent = &part->extents[i];
		uint8_t *chunk = extent->size <= NAMING_MAX ? malloc(extent->size) : NULL;
		struct chunk_header header;

		if (chunk && extent->size >= sizeof(header) &&
		    nodewalk_read(stream->node, chunk, extent->size, extent->offset) ==
			    extent->size) {
			memcpy(&header, chunk, sizeof(header));
			if (header.body_size == extent->size - sizeof(header) &&
			    chunk_body_check(&header, chunk + sizeof(header)))
				name = name_in(bytes_of(chunk + sizeof(header), header.body_size));
		}
		free(chunk);
	}
	return name;
}

/* Two processes may have had one number, one after the other; of a stream without name its identity tells. */
static int name_stream(struct nodes *nodes, struct node_stream *stream)
{
	char name[STREAM_NAME_MAX + 32];
	char *told = told_name(stream);
	int error;

	stream->live_name = told ? told : strdup("");
	if (!stream->live_name)
		return -ENOMEM;
	snprintf(name, sizeof(name), "%s", told ? told : "");
	if (!told || find_name(nodes, name, strlen(name)) >= 0)
		snprintf(name, sizeof(name), "%.180s%016llx", told ? told : "stream-",
			 (unsigned long long)stream->id);
	/* the same stream in two files is none that anybody wrote: the first one has the name */
	if (find_name(nodes, name, strlen(name)) >= 0)
		return 0;
	error = nodes_take_name(nodes, name, strlen(name));
	if (error)
		return error;
	nodes->named[nodes->named_count - 1] = stream;
	stream->name = nodes->taken[nodes->named_count - 1];
	return 0;
}

/* ---- all files ---- */

int nodes_add(struct nodes *nodes, const char *name)
{
	struct node_file *node = calloc(1, sizeof(*node));

	if (node && nodes->count == nodes->capacity) {
		uint32_t capacity = nodes->capacity ? nodes->capacity * 2 : 4;
		struct node_file **larger = realloc(nodes->list, capacity * sizeof(*larger));

		if (!larger) {
			free(node);
			return -ENOMEM;
		}
		nodes->list = larger;
		nodes->capacity = capacity;
	}
	if (!node)
		return -ENOMEM;
	node->name = strdup(name);
	if (!node->name) {
		free(node);
		return -ENOMEM;
	}
	node->nodes = nodes;
	node->file = (struct file){.name = node->name, .fd = -1};
	nodes->list[nodes->count++] = node;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	const struct node_file *x = *(struct node_file *const *)a;
	const struct node_file *y = *(struct node_file *const *)b;

	return strcmp(x->name, y->name);
}

int nodes_load(struct nodes *nodes)
{
	if (nodes->count > 1)
		qsort(nodes->list, nodes->count, sizeof(*nodes->list), by_name);
	for (uint32_t i = 0; i < nodes->count; i++) {
		struct node_file *node = nodes->list[i];
		int error = node_refresh(node);

		if (error == -ENOMEM)
			return error;
		for (uint32_t k = 0; k < node->count; k++)
			if (!node->streams[k]->live_name && name_stream(nodes, node->streams[k]))
				return -ENOMEM;
	}
	return 0;
}

static void release_file(struct node_file *node)
{
	for (uint32_t i = 0; i < node->count; i++) {
		for (int half = 0; half < NODE_HALVES; half++)
			free(node->streams[i]->parts[half].extents);
		free(node->streams[i]->live_name);
		free(node->streams[i]);
	}
	free(node->streams);
	free(node->gaps);
	index_release(&node->by_id);
	free(node->name);
	free(node);
}

void nodes_release(struct nodes *nodes)
{
	for (uint32_t i = 0; i < nodes->count; i++)
		release_file(nodes->list[i]);
	for (uint32_t i = 0; i < nodes->named_count; i++)
		free(nodes->taken[i]);
	free(nodes->list);
	free(nodes->named);
	free(nodes->taken);
	index_release(&nodes->names);
	*nodes = (struct nodes){.files = nodes->files};
}

struct node_part *nodes_find(const struct nodes *nodes, const char *name)
{
	size_t length = strlen(name);
	bool lm = length > 3 && strcmp(name + length - 3, ".lm") == 0;
	bool rec = length > 4 && strcmp(name + length - 4, ".rec") == 0;
	int64_t number = lm || rec ? find_name(nodes, name, length - (lm ? 3 : 4)) : -1;
	struct node_stream *stream = number < 0 ? NULL : nodes->named[number];

	return stream ? &stream->parts[lm ? NODE_LM : NODE_REC] : NULL;
}

void nodes_each_gap(const struct nodes *nodes, node_tell *tell, void *data)
{
	for (uint32_t i = 0; i < nodes->count; i++) {
		const struct node_file *node = nodes->list[i];

		for (uint32_t k = 0; k < node->gap_count; k++)
			if (node->gaps[k].size >= FRAME_HEADER_SIZE)
				tell(data, node, node->gaps[k].offset, node->gaps[k].size);
		if (!node->tail && node->size - node->scanned >= FRAME_HEADER_SIZE &&
		    node->size > node->scanned)
			tell(data, node, node->scanned, node->size - node->scanned);
	}
}

/* ---- reading ---- */

static size_t read_header(const struct node_part *part, uint8_t *buffer, size_t size,
			  uint64_t offset)
{
	const struct node_stream *stream = part->stream;
	struct file_header header;
	size_t left = sizeof(header) - (size_t)offset;

	file_header_init(&header, part == &stream->parts[NODE_LM] ? FILE_LOCAL : FILE_STREAM,
			 stream->id);
	header.minor = stream->node->minor;
	header.crc = format_crc(&header, offsetof(struct file_header, crc));
	size = size < left ? size : left;
	memcpy(buffer, (const uint8_t *)&header + offset, size);
	return size;
}

/* The extent that has the byte at `offset`, which is one of them. */
static uint32_t extent_of(const struct node_part *part, uint64_t offset)
{
	uint32_t low = 0, high = part->count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (part->extents[middle].at <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

ssize_t node_read(const struct node_part *part, void *buffer, size_t size, uint64_t offset)
{
	uint8_t *to = buffer;
	uint64_t at = offset;

	if (offset >= part->size)
		return 0;
	if (size > part->size - offset)
		size = (size_t)(part->size - offset);
	if (size > 0 && at < sizeof(struct file_header))
		at += read_header(part, to, size, at);
	if (at - offset == size)
		return (ssize_t)size;
	for (uint32_t i = extent_of(part, at); at - offset < size; i++) {
		const struct node_extent *extent = &part->extents[i];
		uint64_t skip = at - extent->at, want = extent->size - skip;
		ssize_t got;

		if (want > size - (at - offset))
			want = size - (at - offset);
		got = nodewalk_read(part->stream->node, to + (at - offset), (size_t)want,
				    extent->offset + skip);
		if (got < 0)
			return got;
		at += (uint64_t)got;
		if ((uint64_t)got < want)
			break;
	}
	return (ssize_t)(at - offset);
}
