/* SPDX-License-Identifier: MIT */
/* deflate.c - see deflate.h */
#include "deflate.h"

#include <errno.h>
#include <string.h>

#define LEVEL 1 /* traces compress tenfold at any level; 1 is three times as fast as 6 */
/* Bytes that are deflated without those before: fewer places to look for what is the same make it a third faster, and the output a tenth larger. */
#define PART (32u << 10)
#define PART_ROOM (PART + PART / 16 + 64)

/* RFC 1952: magic, deflate, no flags, no time, fastest, unix */
const uint8_t gzip_header[GZIP_HEADER_SIZE] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 3};

void gzip_trailer(uint8_t trailer[GZIP_TRAILER_SIZE], uint32_t crc, uint64_t plain_size)
{
	uint32_t size = (uint32_t)plain_size;

	/* an empty last block, then crc and length of what was compressed */
	memcpy(trailer, (const uint8_t[2]){0x03, 0x00}, 2);
	memcpy(trailer + 2, &crc, 4);
	memcpy(trailer + 6, &size, 4);
}

int block_deflater_init(struct block_deflater *deflater)
{
	memset(deflater, 0, sizeof(*deflater));
	return deflateInit2(&deflater->stream, LEVEL, Z_DEFLATED, -MAX_WBITS, 8,
			    Z_DEFAULT_STRATEGY) == Z_OK
		       ? 0
		       : -ENOMEM;
}

void block_deflater_release(struct block_deflater *deflater)
{
	if (deflater->stream.state)
		deflateEnd(&deflater->stream);
	memset(deflater, 0, sizeof(*deflater));
}

size_t deflate_room(size_t size)
{
	return (size / PART + 1) * PART_ROOM;
}

size_t deflate_bytes(struct block_deflater *deflater, const void *bytes, size_t size, uint8_t *to)
{
	z_stream *stream = &deflater->stream;
	const uint8_t *from = bytes;
	size_t room = deflate_room(size), used = 0, part;

	for (size_t done = 0; done < size; done += part) {
		part = size - done < PART ? size - done : PART;
		deflateReset(stream);
		stream->next_in = (Bytef *)(uintptr_t)(from + done);
		stream->avail_in = (uInt)part;
		stream->next_out = to + used;
		stream->avail_out = (uInt)(room - used < UINT32_MAX ? room - used : UINT32_MAX);
		if (deflate(stream, Z_SYNC_FLUSH) != Z_OK || stream->avail_in > 0)
			return 0;
		used = (size_t)(stream->next_out - to);
	}
	return used;
}
