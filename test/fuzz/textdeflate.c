/* SPDX-License-Identifier: MIT */
/*
 * textdeflate.c - fuzz target: any text that is deflated, also as a small body of a chunk, is what zlib inflates, takes no more than it may, and has the CRC-32 that zlib finds. The text is the input, and one that is grown
 * from it: bytes from 0xc0 on repeat what was there before.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "deflate.h"
#include "fastcrc.h"
#include "format/deflate_small.h"
#include "mutate.h"
#include "same.h"

#define GROWN_MAX (400u << 10)
#define COPY 0xc0u

static void inflate_again(uint8_t *packed, size_t packed_size, const uint8_t *text, size_t size)
{
	uint8_t *again = malloc(size + 1);
	z_stream stream = {.next_in = packed,
			   .avail_in = (uInt)packed_size,
			   .next_out = again,
			   .avail_out = (uInt)size + 1};

	SAME(again && inflateInit2(&stream, -MAX_WBITS) == Z_OK);
	/* no block is the last one, so more is wanted than there is */
	SAME(inflate(&stream, Z_SYNC_FLUSH) == (size > 0 ? Z_OK : Z_BUF_ERROR));
	SAME(stream.avail_in == 0 && stream.total_out == size);
	SAME(size == 0 || memcmp(again, text, size) == 0);
	inflateEnd(&stream);
	free(again);
}

static void there_and_back(struct text_deflater *deflater, const uint8_t *bytes, size_t size)
{
	/* each of its own size, so that what is read or written beyond is seen */
	uint8_t *text = malloc(size > 0 ? size : 1), *packed = malloc(deflate_room(size));
	size_t packed_size;

	SAME(text && packed);
	if (size > 0)
		memcpy(text, bytes, size);
	packed_size = deflate_text(deflater, text, size, packed);
	inflate_again(packed, packed_size, text, size);
	SAME(fast_crc32((uint32_t)packed_size, text, size) == crc32_z(packed_size, text, size));
	free(text);
	free(packed);
}

static void there_and_back_small(const uint8_t *bytes, size_t size)
{
	struct deflate_small *memory = malloc(sizeof(*memory));
	uint8_t *text = malloc(size > 0 ? size : 1), *packed = malloc(deflate_small_room(size));
	uint8_t again[DEFLATE_SMALL_MAX + 1];
	uLongf again_size = sizeof(again);
	size_t packed_size;

	SAME(memory && text && packed);
	if (size > 0)
		memcpy(text, bytes, size);
	packed_size = deflate_small(memory, text, size, packed);
	SAME(packed_size <= deflate_small_room(size));
	SAME(uncompress(again, &again_size, packed, packed_size) == Z_OK);
	SAME(again_size == size && memcmp(again, bytes, size) == 0);
	free(memory);
	free(text);
	free(packed);
}

static size_t grow(const uint8_t *data, size_t size, uint8_t *grown)
{
	size_t used = 0;

	for (size_t i = 0; i < size && used < GROWN_MAX; i++) {
		size_t length, distance;

		grown[used++] = data[i];
		if (data[i] < COPY || size - i < 4)
			continue;
		length = (size_t)(data[i] - COPY) * data[i + 1];
		distance = 1 + ((size_t)data[i + 2] << 8 | data[i + 3]) % used;
		for (i += 3; length > 0 && used < GROWN_MAX; length--, used++)
			grown[used] = grown[used - distance];
	}
	return used;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t grown[GROWN_MAX];
	struct text_deflater *deflater = text_deflater_new();

	SAME(deflater);
	there_and_back(deflater, data, size);
	there_and_back_small(data, size < DEFLATE_SMALL_MAX ? size : DEFLATE_SMALL_MAX);
	size = grow(data, size, grown);
	there_and_back(deflater, grown, size);
	there_and_back_small(grown, size < DEFLATE_SMALL_MAX ? size : DEFLATE_SMALL_MAX);
	text_deflater_free(deflater);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	(void)seed;
	return LLVMFuzzerMutate(data, size, max);
}
