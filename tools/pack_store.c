/* SPDX-License-Identifier: MIT */
/* pack_store.c - see pack_store.h */
#include "pack_store.h"

#include <stdlib.h>
#include <string.h>

#include "format/chunk.h"
#include "format/pack.h"
#include "format/pack_copies.h"
#include "message.h"
#include "pack_blobs.h"
#include "pack_deflate.h"

#define BLOCK_SIZE (64u << 10) /* of a block's blobs, about */

struct block {
	struct buffer lengths, blobs;
	uint32_t count;
};

struct pack_store {
	struct output *output;
	uint64_t offset; /* in the file, of what comes next */
	uint64_t data;   /* bytes of the part at work */
	struct buffer index;
	uint64_t areas;
	struct block blocks[PACK_KINDS];
	/* finished blocks, which are written when the part at work is: compressed, and their areas */
	struct buffer waiting, waiting_areas;
	struct blobs *words, *shapes;
	struct buffer coded, shape;
	struct pack_deflater deflater;
	struct pack_sizes sizes;
};

/* ---- the file ---- */

static void put(struct pack_store *store, const void *bytes, size_t size)
{
	output_bytes(store->output, bytes, size);
	store->offset += size;
}

static void add_area(struct pack_store *store, const struct pack_area *area)
{
	uint8_t *room = buffer_room(&store->index, PACK_AREA_ROOM);

	store->index.size += pack_area_put(room, area);
	store->areas++;
}

/* ---- blocks ---- */

static void end_block(struct pack_store *store, enum pack_area_kind kind)
{
	struct block *block = &store->blocks[kind];
	struct pack_area area = {.kind = kind, .blobs = block->count};
	size_t before = store->waiting.size;

	if (block->count == 0)
		return;
	buffer_add(&block->lengths, block->blobs.bytes, block->blobs.size);
	pack_deflate(&store->deflater, &store->waiting, block->lengths.bytes, block->lengths.size);
	area.size = store->waiting.size - before;
	area.plain_size = (uint32_t)block->lengths.size;
	area.crc = format_crc(block->lengths.bytes, block->lengths.size);
	buffer_add(&store->waiting_areas, &area, sizeof(area));
	buffer_clear(&block->lengths);
	buffer_clear(&block->blobs);
	block->count = 0;
}

/* Blobs are at most PACK_BLOCK_MAX / 2: what is larger was not made one. */
static void add_blob(struct pack_store *store, enum pack_area_kind kind, const void *bytes,
		     size_t size)
{
	struct block *block = &store->blocks[kind];

	if (block->count > 0 && block->blobs.size + size > BLOCK_SIZE)
		end_block(store, kind);
	buffer_add_varint(&block->lengths, size);
	buffer_add(&block->blobs, bytes, size);
	block->count++;
	if (block->blobs.size > BLOCK_SIZE)
		end_block(store, kind);
}

static void write_blocks(struct pack_store *store)
{
	const struct pack_area *areas = (const struct pack_area *)store->waiting_areas.bytes;
	size_t count = store->waiting_areas.size / sizeof(*areas);
	const uint8_t *p = store->waiting.bytes;

	for (size_t i = 0; i < count; i++) {
		uint64_t *size = areas[i].kind == PACK_WORDS    ? &store->sizes.words
				 : areas[i].kind == PACK_SHAPES ? &store->sizes.shapes
								: &store->sizes.parts_bytes;

		put(store, p, (size_t)areas[i].size);
		add_area(store, &areas[i]);
		p += areas[i].size;
		*size += areas[i].size;
	}
	buffer_clear(&store->waiting);
	buffer_clear(&store->waiting_areas);
}

/* ---- parts ---- */

struct pack_store *pack_store_new(struct output *output)
{
	struct pack_store *store = calloc(1, sizeof(*store));
	struct file_header header;

	if (!store)
		die("out of memory");
	store->output = output;
	store->words = blobs_new();
	store->shapes = blobs_new();
	file_header_init(&header, FILE_PACKED, 0);
	put(store, &header, sizeof(header));
	return store;
}

void pack_store_free(struct pack_store *store)
{
	for (unsigned kind = 0; kind < PACK_KINDS; kind++) {
		buffer_release(&store->blocks[kind].lengths);
		buffer_release(&store->blocks[kind].blobs);
	}
	buffer_release(&store->index);
	buffer_release(&store->waiting);
	buffer_release(&store->waiting_areas);
	buffer_release(&store->coded);
	buffer_release(&store->shape);
	pack_deflate_end(&store->deflater);
	blobs_free(store->words);
	blobs_free(store->shapes);
	free(store);
}

void pack_store_data(struct pack_store *store, const void *bytes, size_t size)
{
	put(store, bytes, size);
	store->data += size;
}

uint64_t pack_store_words(struct pack_store *store, uint32_t like, const void *bytes, size_t size)
{
	struct pack_digest digest = pack_digest_of(bytes, size);
	int64_t number = blobs_find(store->words, digest);

	store->sizes.blobs_asked++;
	if (number >= 0)
		return (uint64_t)number;
	store->sizes.blobs++;
	buffer_clear(&store->coded);
	number = (int64_t)blobs_add(store->words, digest, like, bytes, size, &store->coded);
	add_blob(store, PACK_WORDS, store->coded.bytes, store->coded.size);
	return (uint64_t)number;
}

/* A shape, and the numbers and times of the part that has it first. */
static uint64_t put_shape(struct pack_store *store, const struct part_shape *from,
			  struct pack_digest digest)
{
	const uint64_t *numbers = (const uint64_t *)from->numbers.bytes;
	const uint64_t *times = (const uint64_t *)from->times.bytes;
	struct buffer *shape = &store->shape;
	uint64_t number;

	buffer_clear(shape);
	buffer_add_varint(shape, from->ops.size);
	buffer_add(shape, from->ops.bytes, from->ops.size);
	buffer_add_varint(shape, from->numbers.size / sizeof(*numbers));
	for (size_t i = 0; i < from->numbers.size / sizeof(*numbers); i++)
		buffer_add_varint(shape, numbers[i]);
	buffer_add_varint(shape, from->times.size / sizeof(*times));
	for (size_t i = 0; i < from->times.size / sizeof(*times); i++) {
		buffer_add(shape, from->clocks.bytes + i, 1);
		buffer_add_varint(shape, times[i]);
	}
	if (shape->size > PACK_BLOB_MAX)
		die("a stream has more chunks or definitions than a packed trace can have");
	buffer_clear(&store->coded);
	number = blobs_add(store->shapes, digest, UINT32_MAX, shape->bytes, shape->size,
			   &store->coded);
	add_blob(store, PACK_SHAPES, store->coded.bytes, store->coded.size);
	blobs_keep_base(store->shapes, from);
	return number;
}

/* Writes what `put_list` gives, into `out`. */
static void add_numbers(struct buffer *out, const struct part_shape *base,
			const struct part_shape *shape, bool times)
{
	const struct buffer *from = times ? &shape->times : &shape->numbers;
	const struct buffer *to = times ? &base->times : &base->numbers;
	size_t count = from->size / sizeof(uint64_t);
	size_t room = (count + 1) * PACK_NUMBER_ROOM;
	struct varints list = varints_in(buffer_room(out, room), room);
	const uint8_t *begin = list.p;

	if (times)
		pack_times_write((const uint64_t *)to->bytes, base->clocks.bytes,
				 (const uint64_t *)from->bytes, count, &list);
	else
		pack_numbers_write((const uint64_t *)to->bytes, (const uint64_t *)from->bytes,
				   count, &list);
	out->size += (size_t)(list.p - begin);
}

void pack_store_part(struct pack_store *store, const struct part_shape *shape)
{
	struct pack_digest digest = pack_digest_of(shape->ops.bytes, shape->ops.size);
	int64_t found = blobs_find_base(store->shapes, digest);
	uint64_t number = found >= 0 ? (uint64_t)found : put_shape(store, shape, digest);
	const struct part_shape *base = blobs_base(store->shapes, number);
	struct buffer times = {0}, part = {0}, blob = {0};
	struct pack_area area = {.kind = PACK_DATA};
	uint32_t crc;

	add_numbers(&times, base, shape, true);
	crc = format_crc(times.bytes, times.size);
	pack_store_data(store, times.bytes, times.size);
	pack_store_data(store, &crc, sizeof(crc));
	area.size = store->data;
	add_area(store, &area);
	store->sizes.data += store->data;
	store->data = 0;
	buffer_add_varint(&part, number);
	buffer_add_varint(&part, times.size);
	add_numbers(&part, base, shape, false);
	blob_code(&blob, part.bytes, part.size);
	add_blob(store, PACK_PARTS, blob.bytes, blob.size);
	store->sizes.parts++;
	write_blocks(store);
	buffer_release(&times);
	buffer_release(&part);
	buffer_release(&blob);
}

void pack_store_end(struct pack_store *store, struct pack_sizes *sizes)
{
	struct pack_trailer trailer = {0};
	struct buffer index = {0}, stored = {0};

	for (unsigned kind = PACK_WORDS; kind < PACK_KINDS; kind++)
		end_block(store, (enum pack_area_kind)kind);
	write_blocks(store);
	buffer_add_varint(&index, store->areas);
	buffer_add(&index, store->index.bytes, store->index.size);
	if (index.size > PACK_INDEX_MAX)
		die("'%s' becomes too large: its index has %zu bytes", store->output->path,
		    index.size);
	pack_deflate(&store->deflater, &stored, index.bytes, index.size);
	trailer.index_offset = store->offset;
	trailer.index_size = (uint32_t)stored.size;
	trailer.index_plain = (uint32_t)index.size;
	trailer.index_crc = format_crc(stored.bytes, stored.size);
	pack_trailer_seal(&trailer);
	put(store, stored.bytes, stored.size);
	put(store, &trailer, sizeof(trailer));
	store->sizes.frame = sizeof(struct file_header) + stored.size + sizeof(trailer);
	*sizes = store->sizes;
	buffer_release(&index);
	buffer_release(&stored);
}
