/* SPDX-License-Identifier: MIT */
/* packed_blocks.c - see packed_blocks.h */
#include "read/packed_blocks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "format/chunk.h"
#include "format/pack_copies.h"
#include "read/tracefiles.h"

#define CACHE_LIMIT (64u << 20)

/* An inflated block: where its blobs begin, and where the last one ends; behind that its bytes. */
struct block {
	uint32_t blobs;
	uint32_t places[];
};

static uint8_t *block_bytes(struct block *block)
{
	return (uint8_t *)(block->places + block->blobs + 1);
}

int packed_read_exactly(const struct packed_blocks *blocks, void *buffer, size_t size,
			uint64_t offset)
{
	ssize_t got = fd_read_at(blocks->fd, buffer, size, offset);

	if (got < 0)
		return (int)got;
	return (size_t)got == size ? 0 : -EBADMSG;
}

/* Exactly `plain_size` bytes out of a whole zlib stream. 0 or -EBADMSG. */
static int inflate_whole(const uint8_t *stored, size_t size, uint8_t *plain, size_t plain_size)
{
	uLongf got = plain_size;
	uLong used = size;

	return uncompress2(plain, &got, stored, &used) == Z_OK && got == plain_size && used == size
		       ? 0
		       : -EBADMSG;
}

/* ---- the index ---- */

static int add_area(struct packed_blocks *blocks, const struct pack_area *area, uint64_t offset)
{
	uint32_t *count = &blocks->counts[area->kind];
	struct packed_area *list = blocks->areas[area->kind];

	if ((*count & (*count - 1)) == 0) {
		list = realloc(list, (*count ? *count * 2u : 1u) * sizeof(*list));
		if (!list)
			return -ENOMEM;
		blocks->areas[area->kind] = list;
	}
	list[*count] = (struct packed_area){
		.offset = offset,
		.size = area->size,
		.plain_size = area->plain_size,
		.crc = area->crc,
		.first_blob = blocks->blobs[area->kind],
		.blobs = area->blobs,
	};
	if (*count == INT32_MAX || area->blobs > INT32_MAX - blocks->blobs[area->kind])
		return -EBADMSG;
	++*count;
	blocks->blobs[area->kind] += area->blobs;
	return 0;
}

static int read_areas(struct packed_blocks *blocks, struct bytes index, uint64_t end,
		      const char **what)
{
	uint64_t count = bytes_varint(&index), offset = sizeof(struct file_header);

	*what = "the index is malformed";
	if (count > bytes_left(&index))
		return -EBADMSG;
	for (uint64_t i = 0; i < count; i++) {
		struct pack_area area;
		int error = pack_area_take(&index, &area);

		if (!error && area.size > end - offset)
			error = -EBADMSG;
		if (!error)
			error = add_area(blocks, &area, offset);
		if (error)
			return error;
		offset += area.size;
	}
	if (bytes_left(&index) > 0)
		return -EBADMSG;
	*what = "the index does not account for all of the file";
	if (offset != end)
		return -EBADMSG;
	*what = "the index has not one data area for each part";
	return blocks->counts[PACK_DATA] == blocks->blobs[PACK_PARTS] ? 0 : -EBADMSG;
}

static int read_index(struct packed_blocks *blocks, const struct pack_trailer *trailer,
		      const char **what)
{
	uint8_t *stored = malloc((size_t)trailer->index_size + 1), *plain = NULL;
	int error = -ENOMEM;

	*what = "the index is damaged";
	if (stored)
		error = packed_read_exactly(blocks, stored, trailer->index_size,
					    trailer->index_offset);
	if (!error && format_crc(stored, trailer->index_size) != trailer->index_crc)
		error = -EBADMSG;
	if (!error && trailer->index_plain / 1032u > trailer->index_size)
		error = -EBADMSG;
	if (!error)
		plain = malloc((size_t)trailer->index_plain + 1);
	if (!error && !plain)
		error = -ENOMEM;
	if (!error)
		error = inflate_whole(stored, trailer->index_size, plain, trailer->index_plain);
	if (!error)
		error = read_areas(blocks, bytes_of(plain, trailer->index_plain),
				   trailer->index_offset, what);
	free(stored);
	free(plain);
	return error;
}

static int check_frame(struct packed_blocks *blocks, struct pack_trailer *trailer,
		       const char **what, uint64_t *offset)
{
	struct file_header header;
	int error;

	*what = "no file header of a packed trace";
	*offset = 0;
	if (packed_read_exactly(blocks, &header, sizeof(header), 0))
		return -EBADMSG;
	error = file_header_check(&header, FILE_PACKED);
	if (error)
		return error == -EPROTO ? error : -EBADMSG;
	*what = "is too short, or its end is missing";
	*offset = blocks->size;
	if (blocks->size < sizeof(header) + sizeof(*trailer))
		return -EBADMSG;
	*offset = blocks->size - sizeof(*trailer);
	error = packed_read_exactly(blocks, trailer, sizeof(*trailer), *offset);
	if (error)
		return error;
	error = pack_trailer_check(trailer, blocks->size);
	if (error != -EBADMSG)
		*what = "the trailer is impossible";
	return error ? -EBADMSG : 0;
}

int packed_blocks_open(struct packed_blocks *blocks, int fd, const char **what, uint64_t *offset)
{
	struct pack_trailer trailer;
	struct stat status;
	int error;

	if (fstat(fd, &status))
		return -errno;
	blocks->fd = fd;
	blocks->size = (uint64_t)status.st_size;
	packed_cache_init(&blocks->cache, CACHE_LIMIT);
	error = check_frame(blocks, &trailer, what, offset);
	if (!error) {
		*offset = trailer.index_offset;
		error = read_index(blocks, &trailer, what);
	}
	if (error)
		packed_blocks_release(blocks);
	return error;
}

void packed_blocks_release(struct packed_blocks *blocks)
{
	for (unsigned kind = 0; kind < PACK_KINDS; kind++)
		free(blocks->areas[kind]);
	packed_cache_release(&blocks->cache);
	memset(blocks, 0, sizeof(*blocks));
}

/* ---- blocks ---- */

void packed_area_tell(struct packed_blocks *blocks, struct packed_area *area, const char *what)
{
	if (!atomic_exchange(&area->told, true) && blocks->tell)
		blocks->tell(blocks->data, area->offset, what);
}

/* Where the blobs are, from the lengths at the begin of the block. */
static int find_blobs(struct block *block, size_t plain_size)
{
	struct bytes plain = bytes_of(block_bytes(block), plain_size);
	uint64_t end;

	for (uint32_t i = 1; i <= block->blobs; i++) {
		uint64_t size = bytes_varint(&plain);

		if (size > plain_size)
			return -EBADMSG;
		block->places[i] = (uint32_t)size;
	}
	end = plain_size - bytes_left(&plain);
	block->places[0] = (uint32_t)end;
	for (uint32_t i = 1; i <= block->blobs; i++) {
		end += block->places[i];
		if (end > plain_size)
			return -EBADMSG;
		block->places[i] = (uint32_t)end;
	}
	return end == plain_size && !plain.bad ? 0 : -EBADMSG;
}

static int fill_block(const struct packed_blocks *blocks, const struct packed_area *area,
		      struct block *block)
{
	uint8_t *stored = malloc((size_t)area->size + 1), *plain = block_bytes(block);
	int error = stored ? packed_read_exactly(blocks, stored, (size_t)area->size, area->offset)
			   : -ENOMEM;

	if (!error)
		error = inflate_whole(stored, (size_t)area->size, plain, area->plain_size);
	if (!error && format_crc(plain, area->plain_size) != area->crc)
		error = -EBADMSG;
	if (!error)
		error = find_blobs(block, area->plain_size);
	free(stored);
	return error;
}

static int load_block(struct packed_blocks *blocks, struct packed_area *area, uint64_t key,
		      struct block **loaded)
{
	size_t size =
		sizeof(struct block) + (area->blobs + 1) * sizeof(uint32_t) + area->plain_size;
	struct block *block;
	int error;

	if (area->plain_size / 1032u > area->size)
		return -EBADMSG;
	block = malloc(size);
	if (!block)
		return -ENOMEM;
	block->blobs = area->blobs;
	error = fill_block(blocks, area, block);
	if (error) {
		free(block);
		return error;
	}
	*loaded = packed_cache_add(&blocks->cache, key, block, size);
	return 0;
}

/* The area that has a blob. */
static struct packed_area *area_of(const struct packed_blocks *blocks, enum pack_area_kind kind,
				   uint32_t number)
{
	struct packed_area *areas = blocks->areas[kind];
	uint32_t low = 0, high = blocks->counts[kind];

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (areas[middle].first_blob <= number)
			low = middle;
		else
			high = middle;
	}
	return &areas[low];
}

/* ---- blobs ---- */

/* A blob as it is stored. */
struct stored_blob {
	struct packed_area *area;
	struct block *block;
	uint64_t key; /* of the block */
	struct bytes copies;
	uint32_t plain_size;
	uint32_t base; /* number of the blob it is made from; its own: none */
};

static void stored_blob_give_back(struct packed_blocks *blocks, struct stored_blob *stored)
{
	packed_cache_give_back(&blocks->cache, stored->key, stored->block);
}

static int load_block_of(struct packed_blocks *blocks, enum pack_area_kind kind,
			 struct stored_blob *stored)
{
	int error = 0;

	stored->key = (uint64_t)kind << 32 | (uint32_t)(stored->area - blocks->areas[kind]);
	stored->block = packed_cache_get(&blocks->cache, stored->key);
	if (!stored->block)
		error = load_block(blocks, stored->area, stored->key, &stored->block);
	if (error == -EBADMSG)
		packed_area_tell(blocks, stored->area, "a block is damaged");
	return error;
}

/* 0, then to be given back; -EBADMSG, -ENOMEM ... */
static int stored_blob_get(struct packed_blocks *blocks, enum pack_area_kind kind, uint32_t number,
			   struct stored_blob *stored)
{
	uint64_t plain, back;
	const uint32_t *places;
	int error;

	if (number >= blocks->blobs[kind])
		return -EBADMSG;
	stored->area = area_of(blocks, kind, number);
	error = load_block_of(blocks, kind, stored);
	if (error)
		return error;
	places = stored->block->places + (number - stored->area->first_blob);
	stored->copies = bytes_of(block_bytes(stored->block) + places[0], places[1] - places[0]);
	plain = bytes_varint(&stored->copies);
	back = bytes_varint(&stored->copies);
	if (stored->copies.bad || plain > PACK_BLOCK_MAX || back > number) {
		stored_blob_give_back(blocks, stored);
		packed_area_tell(blocks, stored->area, "a blob is malformed");
		return -EBADMSG;
	}
	stored->plain_size = (uint32_t)plain;
	stored->base = number - (uint32_t)back;
	return 0;
}

/* Makes of `base`, which is freed, the blob that is made from it. */
static int make_blob(struct packed_blocks *blocks, struct stored_blob *stored, struct blob *base)
{
	uint8_t *window = realloc(base->bytes, base->size + stored->plain_size + 1);
	int error;

	if (!window)
		return -ENOMEM;
	base->bytes = window;
	error = pack_copies_decode(stored->copies, window, base->size, stored->plain_size);
	if (error) {
		packed_area_tell(blocks, stored->area, "a blob is malformed");
		return error;
	}
	memmove(window, window + base->size, stored->plain_size);
	base->size = stored->plain_size;
	return 0;
}

int packed_blob(struct packed_blocks *blocks, enum pack_area_kind kind, uint32_t number,
		struct blob *blob)
{
	struct stored_blob chain[PACK_DEPTH + 1];
	unsigned count = 0;
	int error;

	*blob = (struct blob){0};
	do {
		error = stored_blob_get(blocks, kind, number, &chain[count]);
		if (error)
			break;
		if (chain[count++].base == number)
			break;
		number = chain[count - 1].base;
		if (count > PACK_DEPTH) {
			packed_area_tell(blocks, chain[0].area,
					 "a blob is made from too many others");
			error = -EBADMSG;
		}
	} while (!error);
	while (count-- > 0) {
		if (!error)
			error = make_blob(blocks, &chain[count], blob);
		stored_blob_give_back(blocks, &chain[count]);
	}
	if (error) {
		free(blob->bytes);
		*blob = (struct blob){0};
	}
	return error;
}
