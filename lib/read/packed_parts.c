/* SPDX-License-Identifier: MIT */
/* packed_parts.c - see packed_parts.h */
#include "read/packed_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/chunk.h"
#include "format/pack_numbers.h"

/* Where a piece begins. */
struct spot {
	uint64_t offset, data; /* in the file, in the packed trace */
	struct pack_place place;
};

/* In one piece of memory. */
struct packed_part {
	struct pack_part part;
	uint32_t count; /* of pieces */
	struct spot *spots;
};

static uint64_t part_key(uint32_t number)
{
	return (uint64_t)PACK_KINDS << 32 | number;
}

/* Memory for a part: its spots come behind all else. */
struct part_memory {
	uint64_t *numbers, *times, *base_numbers, *base_times;
	uint8_t *clocks, *ops;
};

static struct packed_part *part_allocate(const struct pack_shape *shape, uint32_t pieces,
					 size_t *size, struct part_memory *memory)
{
	size_t values = ((size_t)shape->number_count + shape->time_count) * sizeof(uint64_t);
	size_t ops = bytes_left(&shape->ops);
	struct packed_part *part;

	*size = sizeof(*part) + (size_t)pieces * sizeof(struct spot) + 2 * values +
		shape->time_count + ops;
	part = malloc(*size);
	if (!part)
		return NULL;
	part->spots = (struct spot *)(part + 1);
	part->count = 0;
	memory->numbers = (uint64_t *)(part->spots + pieces);
	memory->times = memory->numbers + shape->number_count;
	memory->base_numbers = memory->times + shape->time_count;
	memory->base_times = memory->base_numbers + shape->number_count;
	memory->clocks = (uint8_t *)(memory->base_times + shape->time_count);
	memory->ops = memory->clocks + shape->time_count;
	memcpy(memory->ops, shape->ops.p, ops);
	part->part = (struct pack_part){.ops = bytes_of(memory->ops, ops),
					.numbers = memory->numbers,
					.times = memory->times,
					.number_count = shape->number_count,
					.time_count = shape->time_count};
	return part;
}

/* The times of a part, from the end of its data area. To be freed; NULL and *error. */
static uint8_t *read_times(struct packed_blocks *blocks, const struct packed_area *area,
			   uint64_t size, int *error)
{
	uint8_t *times;
	uint32_t crc;

	*error = -EBADMSG;
	if (size > PACK_BLOCK_MAX || size + sizeof(crc) > area->size)
		return NULL;
	times = malloc((size_t)size + sizeof(crc));
	*error = times ? packed_read_exactly(blocks, times, (size_t)size + sizeof(crc),
					     area->offset + area->size - size - sizeof(crc))
		       : -ENOMEM;
	if (!*error) {
		memcpy(&crc, times + size, sizeof(crc));
		*error = crc == format_crc(times, (size_t)size) ? 0 : -EBADMSG;
	}
	if (!*error)
		return times;
	free(times);
	return NULL;
}

/* How many pieces a shape has at most: each op takes a byte, and the numbers of a header. */
static uint32_t most_pieces(const struct pack_shape *shape)
{
	size_t ops = bytes_left(&shape->ops);

	return (uint32_t)(ops < shape->number_count + 16u ? ops : shape->number_count + 16u);
}

/* Finds the pieces, which must use up the data area but for the times at its end. */
static int find_pieces(struct packed_part *part, const struct packed_area *area,
		       uint64_t times_size, uint32_t most)
{
	uint64_t end = area->offset + area->size - times_size - sizeof(uint32_t);
	uint64_t data = area->offset, offset = 0;
	struct pack_place place = {0};
	struct pack_piece piece;

	for (;;) {
		struct pack_place begin = place;
		int more = pack_piece_next(&part->part, &place, &piece);

		if (more <= 0)
			return more < 0 || data != end ? -EBADMSG : 0;
		if (piece.op == PACK_OP_FILE)
			offset = 0;
		if (part->count == most || piece.data_size > end - data)
			return -EBADMSG;
		part->spots[part->count++] = (struct spot){offset, data, begin};
		data += piece.data_size;
		offset += piece.size;
	}
}

static int make_part(struct packed_blocks *blocks, uint32_t number, const struct pack_shape *shape,
		     struct bytes differences, uint64_t times_size, struct packed_part **made,
		     size_t *size)
{
	const struct packed_area *area = &blocks->areas[PACK_DATA][number];
	uint32_t most = most_pieces(shape);
	struct part_memory memory;
	struct packed_part *part;
	int error;
	uint8_t *times = read_times(blocks, area, times_size, &error);

	if (!times)
		return error;
	part = part_allocate(shape, most, size, &memory);
	error = part ? pack_shape_base(shape, memory.base_numbers, memory.base_times, memory.clocks)
		     : -ENOMEM;
	if (!error)
		error = pack_numbers_read(differences, memory.base_numbers, memory.numbers,
					  shape->number_count);
	if (!error)
		error = pack_times_read(bytes_of(times, (size_t)times_size), memory.base_times,
					memory.clocks, memory.times, shape->time_count);
	if (!error)
		error = find_pieces(part, area, times_size, most);
	free(times);
	if (error)
		free(part);
	else
		*made = part;
	return error;
}

static int load_part(struct packed_blocks *blocks, uint32_t number, struct packed_part **part)
{
	struct blob blob = {0}, shape_blob = {0};
	struct pack_shape shape;
	struct packed_part *made;
	size_t size;
	uint64_t shape_number = 0, times_size = 0;
	struct bytes in;
	int error = packed_blob(blocks, PACK_PARTS, number, &blob);

	if (!error) {
		in = bytes_of(blob.bytes, blob.size);
		shape_number = bytes_varint(&in);
		times_size = bytes_varint(&in);
		error = in.bad || shape_number > UINT32_MAX ? -EBADMSG : 0;
	}
	if (!error)
		error = packed_blob(blocks, PACK_SHAPES, (uint32_t)shape_number, &shape_blob);
	if (!error)
		error = pack_shape_open(&shape, bytes_of(shape_blob.bytes, shape_blob.size));
	if (!error)
		error = make_part(blocks, number, &shape, in, times_size, &made, &size);
	atomic_fetch_add(&blocks->shapes, shape_blob.size);
	free(blob.bytes);
	free(shape_blob.bytes);
	if (error == -EBADMSG)
		packed_area_tell(blocks, &blocks->areas[PACK_DATA][number], "a part is damaged");
	if (!error)
		*part = packed_cache_add(&blocks->cache, part_key(number), made, size);
	return error;
}

int packed_part_get(struct packed_blocks *blocks, uint32_t number, struct packed_part **part)
{
	*part = packed_cache_get(&blocks->cache, part_key(number));
	return *part ? 0 : load_part(blocks, number, part);
}

void packed_part_give_back(struct packed_blocks *blocks, uint32_t number, struct packed_part *part)
{
	packed_cache_give_back(&blocks->cache, part_key(number), part);
}

uint32_t packed_part_find(const struct packed_part *part, uint32_t first, uint32_t count,
			  uint64_t offset)
{
	uint32_t low = first, high = first + count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (part->spots[middle].offset <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

int packed_part_piece(const struct packed_part *part, uint32_t number, struct packed_piece *piece)
{
	struct pack_place place;

	if (number >= part->count)
		return -ENOENT;
	place = part->spots[number].place;
	piece->offset = part->spots[number].offset;
	piece->data = part->spots[number].data;
	return pack_piece_next(&part->part, &place, &piece->piece) > 0 ? 0 : -EBADMSG;
}

int64_t packed_part_expand(const struct packed_part *part, const struct pack_place *tokens,
			   uint8_t *out, size_t room)
{
	struct pack_place place = *tokens;

	return pack_tokens_expand(&part->part, &place, out, room);
}
