/* SPDX-License-Identifier: MIT */
/*
 * rtrace.c - fuzz target: a packed trace. Compression and checksums of its frame are made here, so that what is in it is tried:
 *
 *	u8 kind, u16 size, size bytes     an area. Blocks: what they inflate to. Data: the last u8 bytes before the size's end are times
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "everything.h"
#include "format/chunk.h"
#include "format/pack.h"
#include "mutate.h"
#include "scratch.h"

#define FILE_MAX (1u << 20)

struct making {
	uint8_t file[FILE_MAX], index[1u << 16];
	size_t size, index_size;
	uint64_t areas;
};

static void put(struct making *making, const void *bytes, size_t size)
{
	if (size > FILE_MAX - making->size)
		size = FILE_MAX - making->size;
	memcpy(making->file + making->size, bytes, size);
	making->size += size;
}

static void add_row(struct making *making, const struct pack_area *area)
{
	if (making->index_size + PACK_AREA_ROOM > sizeof(making->index))
		return;
	making->index_size += pack_area_put(making->index + making->index_size, area);
	making->areas++;
}

/* The first byte says how many of the last ones are times. */
static void add_data(struct making *making, const uint8_t *bytes, size_t size)
{
	struct pack_area area = {.kind = PACK_DATA, .size = size + 3};
	size_t times = size > 0 ? bytes[0] : 0;
	uint32_t crc;

	if (size == 0)
		return;
	times = times < size ? times : size - 1;
	put(making, bytes + 1, size - 1);
	crc = format_crc(bytes + size - times, times);
	put(making, &crc, sizeof(crc));
	add_row(making, &area);
}

/* As many blobs as the lengths at the begin of a block tell. */
static uint32_t count_blobs(const uint8_t *bytes, size_t size)
{
	struct bytes plain = bytes_of(bytes, size);
	uint64_t sum = 0;
	uint32_t count = 0;

	while (sum < bytes_left(&plain)) {
		uint64_t length = bytes_varint(&plain);

		sum = length > size ? size : sum + length;
		count++;
	}
	return count;
}

static void add_block(struct making *making, unsigned kind, const uint8_t *bytes, size_t size)
{
	static uint8_t stored[1u << 17];
	uLongf room = sizeof(stored);
	struct pack_area area = {.kind = (enum pack_area_kind)kind,
				 .plain_size = (uint32_t)size,
				 .crc = format_crc(bytes, size),
				 .blobs = count_blobs(bytes, size)};

	if (compress2(stored, &room, bytes, size, 1) != Z_OK)
		return;
	area.size = room;
	put(making, stored, room);
	add_row(making, &area);
}

static void add_areas(struct making *making, const uint8_t *data, size_t size)
{
	while (size >= 3) {
		unsigned kind = data[0] % PACK_KINDS;
		size_t length = data[1] | (size_t)data[2] << 8;

		data += 3;
		size -= 3;
		length = length < size ? length : size;
		if (kind == PACK_DATA)
			add_data(making, data, length);
		else
			add_block(making, kind, data, length);
		data += length;
		size -= length;
	}
}

static void end_file(struct making *making)
{
	static uint8_t plain[(1u << 16) + VARINT_MAX], stored[1u << 17];
	struct pack_trailer trailer = {.index_offset = making->size};
	uint8_t *p = varint_put(plain, making->areas);
	uLongf room = sizeof(stored);

	memcpy(p, making->index, making->index_size);
	trailer.index_plain = (uint32_t)((size_t)(p - plain) + making->index_size);
	compress2(stored, &room, plain, trailer.index_plain, 1);
	trailer.index_size = (uint32_t)room;
	trailer.index_crc = format_crc(stored, room);
	pack_trailer_seal(&trailer);
	put(making, stored, room);
	put(making, &trailer, sizeof(trailer));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct making making;
	struct file_header header;

	making.size = making.index_size = 0;
	making.areas = 0;
	file_header_init(&header, FILE_PACKED, 0);
	put(&making, &header, sizeof(header));
	add_areas(&making, data, size);
	end_file(&making);
	scratch_put("packed.rtrace", making.file, making.size);
	read_everything("packed.rtrace");
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	(void)seed;
	return LLVMFuzzerMutate(data, size, max);
}
