/* SPDX-License-Identifier: MIT */
/* pack_part.c - see pack_part.h */
#include "pack_part.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "format/chunk.h"
#include "format/deflater.h"
#include "format/pack.h"
#include "format/pack_shape.h"
#include "message.h"
#include "pack_defs.h"
#include "pack_maker.h"
#include "pack_records.h"
#include "read/tracefiles.h"

#define SHAPE_MOST (4u << 20) /* bytes of a shape, at most, up to which chunks are taken apart */
#define WINDOW (64u << 10)
#define HEADER_SIZE sizeof(struct chunk_header)

struct part_maker *part_maker_new(const struct part_sink *sink)
{
	struct part_maker *maker = calloc(1, sizeof(*maker));

	if (!maker)
		die("out of memory");
	maker->deflater = deflater_init(aligned_alloc(16, deflater_size()));
	maker->list = calloc(UINT16_MAX + 1, sizeof(*maker->list));
	if (!maker->deflater || !maker->list)
		die("out of memory");
	maker->sink = *sink;
	return maker;
}

void part_maker_free(struct part_maker *maker)
{
	if (!maker)
		return;
	pack_defs_forget(maker);
	shape_release(&maker->shape);
	buffer_release(&maker->chunk);
	buffer_release(&maker->plain);
	buffer_release(&maker->entries);
	buffer_release(&maker->again);
	buffer_release(&maker->own);
	buffer_release(&maker->times);
	buffer_release(&maker->times_stored);
	free(maker->deflater);
	pack_deflate_end(&maker->pack_deflater);
	free(maker->list);
	free(maker);
}

void part_begin(struct part_maker *maker)
{
	shape_clear(&maker->shape);
	maker->chunks = 0;
}

const struct part_shape *part_shape(const struct part_maker *maker)
{
	return &maker->shape;
}

/* ---- bytes as they are ---- */

static void put_raw(struct part_maker *maker, const uint8_t *bytes, size_t size)
{
	for (size_t at = 0; at < size;) {
		size_t part = size - at < PACK_RAW_MAX ? size - at : PACK_RAW_MAX;
		uint32_t crc = format_crc(bytes + at, part);
		const struct buffer *stored = part_deflated(maker, bytes + at, part);

		shape_op(&maker->shape, PACK_OP_RAW);
		shape_number(&maker->shape, part);
		shape_number(&maker->shape, stored->size);
		part_put_data(maker, &crc, sizeof(crc));
		part_put_data(maker, stored->bytes, stored->size);
		at += part;
	}
}

/* Exactly `size` bytes of the file. */
static void read_at(struct part_maker *maker, void *buffer, size_t size, uint64_t offset)
{
	ssize_t got = fd_read_at(maker->fd, buffer, size, offset);

	if (got < 0)
		die("cannot read '%s': %s", maker->name, strerror((int)-got));
	if ((size_t)got != size)
		die("'%s' became shorter while it was read", maker->name);
}

static void put_raw_range(struct part_maker *maker, uint64_t begin, uint64_t end)
{
	while (begin < end) {
		size_t part = end - begin < PACK_RAW_MAX ? (size_t)(end - begin) : PACK_RAW_MAX;
		uint8_t *bytes = buffer_resize(&maker->plain, part);

		read_at(maker, bytes, part, begin);
		put_raw(maker, bytes, part);
		begin += part;
	}
}

/* ---- files ---- */

static int put_plain(struct part_maker *maker, const struct chunk_header *header, struct bytes body)
{
	int error = -EBADMSG;

	if (header->plain_size != header->body_size || header->encoding != 0)
		return -EBADMSG;
	part_put_header(maker, PACK_OP_PLAIN, header);
	if (header->type == CHUNK_META)
		error = tokens_meta(&maker->shape, body);
	else if (header->type == CHUNK_END)
		error = tokens_end_chunk(&maker->shape, body);
	else if (header->type == CHUNK_DEFS && header->body_size <= PACK_DEFS_TOKENS_MOST)
		error = tokens_defs(&maker->shape, body);
	tokens_end(&maker->shape);
	return error;
}

/* Whether there is place in the shape for more than raw bytes. It is one blob, of at most PACK_BLOB_MAX bytes, which names without end would fill. */
static bool has_place(const struct part_shape *shape)
{
	size_t values = shape->numbers.size / sizeof(uint64_t) + shape->clocks.size;

	return shape->ops.size + values * (1 + VARINT_MAX) < SHAPE_MOST;
}

/* maker->chunk is a whole chunk. */
static void put_chunk(struct part_maker *maker, const struct chunk_header *header)
{
	struct bytes body = bytes_of(maker->chunk.bytes + HEADER_SIZE, header->body_size);
	struct shape_mark mark = shape_mark(&maker->shape);
	int error;

	if (header->type == CHUNK_DEFS && header->encoding == DEFS_PLAIN)
		pack_defs_learn(maker, body);
	if (!has_place(&maker->shape))
		error = -EFBIG;
	else if (header->type == CHUNK_DEFS &&
		 (header->encoding == DEFS_DEFLATED || header->encoding == DEFS_RELATIVE))
		error = pack_defs_put(maker, header, body);
	else if (header->type == CHUNK_DATA &&
		 (header->encoding >= DATA_COLUMNS && header->encoding <= DATA_SUMMED))
		error = pack_records_put(maker, header, body);
	else
		error = put_plain(maker, header, body);
	if (!error)
		return;
	shape_take_back(&maker->shape, mark);
	put_raw(maker, maker->chunk.bytes, maker->chunk.size);
}

/* Reads the chunk at `offset` into maker->chunk. False: there is no whole one. */
static bool read_chunk(struct part_maker *maker, uint64_t offset, struct chunk_header *header)
{
	uint8_t *chunk;

	if (maker->size - offset < HEADER_SIZE)
		return false;
	read_at(maker, header, HEADER_SIZE, offset);
	if (chunk_header_check(header) || header->body_size > maker->size - offset - HEADER_SIZE)
		return false;
	chunk = buffer_resize(&maker->chunk, HEADER_SIZE + header->body_size);
	read_at(maker, chunk, HEADER_SIZE + header->body_size, offset);
	return chunk_body_check(header, chunk + HEADER_SIZE);
}

/* The next place from `offset` on that has the magic of a chunk; the end of the file if none has. */
static uint64_t find_magic(struct part_maker *maker, uint64_t offset)
{
	static const uint32_t magic = CHUNK_MAGIC;
	uint8_t window[WINDOW];

	while (offset < maker->size && maker->size - offset >= sizeof(magic)) {
		uint64_t left = maker->size - offset;
		size_t size = left < WINDOW ? (size_t)left : WINDOW;
		const uint8_t *found;

		read_at(maker, window, size, offset);
		found = memmem(window, size, &magic, sizeof(magic));
		if (found)
			return offset + (uint64_t)(found - window);
		offset += size - (sizeof(magic) - 1);
	}
	return maker->size;
}

/* A file header that is right. */
static bool put_file_header(struct part_maker *maker)
{
	struct part_shape *shape = &maker->shape;
	struct file_header header;

	if (maker->size < sizeof(header))
		return false;
	read_at(maker, &header, sizeof(header), 0);
	if (memcmp(header.magic, FILE_MAGIC, sizeof(header.magic)) != 0 ||
	    header.crc != format_crc(&header, offsetof(struct file_header, crc)))
		return false;
	shape_op(shape, PACK_OP_HEADER);
	shape_number(shape, header.kind);
	shape_number(shape, header.major);
	shape_number(shape, header.minor);
	shape_number(shape, header.reserved0);
	shape_number(shape, header.stream_id);
	shape_number(shape, header.reserved1);
	return true;
}

void part_add(struct part_maker *maker, const char *name, int fd)
{
	struct chunk_header header;
	struct stat status;
	uint64_t raw, offset;

	maker->name = name;
	maker->fd = fd;
	if (fstat(fd, &status))
		die("cannot read '%s': %s", name, strerror(errno));
	maker->size = (uint64_t)status.st_size;
	pack_defs_forget(maker);
	shape_op(&maker->shape, PACK_OP_FILE);
	tokens_text(&maker->shape, name, strlen(name));
	tokens_end(&maker->shape);
	raw = offset = put_file_header(maker) ? sizeof(struct file_header) : 0;
	while (offset < maker->size) {
		if (!read_chunk(maker, offset, &header)) {
			offset = find_magic(maker, offset + 1);
			continue;
		}
		put_raw_range(maker, raw, offset);
		put_chunk(maker, &header);
		raw = offset += HEADER_SIZE + header.body_size;
	}
	put_raw_range(maker, raw, maker->size);
}
