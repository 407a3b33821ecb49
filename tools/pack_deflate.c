/* SPDX-License-Identifier: MIT */
/* pack_deflate.c - see pack_deflate.h */
#include "pack_deflate.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "message.h"

/* Texts are blocks and indexes: all are smaller than what one call of zlib takes. */
void pack_deflate(struct pack_deflater *deflater, struct buffer *out, const void *bytes,
		  size_t size)
{
	z_stream *stream = &deflater->stream;
	size_t room = compressBound(size);

	if (room > UINT_MAX)
		die("cannot compress %zu bytes at once", size);
	if ((deflater->begun ? deflateReset(stream) : deflateInit(stream, Z_BEST_COMPRESSION)) !=
	    Z_OK)
		die("out of memory");
	deflater->begun = true;
	stream->next_in = (Bytef *)(uintptr_t)bytes;
	stream->avail_in = (uInt)size;
	stream->next_out = buffer_room(out, room);
	stream->avail_out = (uInt)room;
	if (deflate(stream, Z_FINISH) != Z_STREAM_END)
		die("cannot compress");
	out->size += room - stream->avail_out;
}

void pack_deflate_end(struct pack_deflater *deflater)
{
	if (deflater->begun)
		deflateEnd(&deflater->stream);
	memset(deflater, 0, sizeof(*deflater));
}

#ifdef UNIT_TEST
#include "unittest.h"

/* Also of none, and after others. */
TEST_CASE(pack_deflate_makes_what_compress2_makes)
{
	static const size_t sizes[] = {5000, 0, 1, 100000, 5000};
	static uint8_t text[100000], expected[120000];
	struct pack_deflater deflater = {.begun = false};
	struct buffer out = {0};

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (uint8_t)(i * i >> 9);
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		uLongf size = sizeof(expected);
		size_t before = out.size;

		REQUIRE(compress2(expected, &size, text, sizes[i], 9) == Z_OK);
		pack_deflate(&deflater, &out, text, sizes[i]);
		REQUIRE(out.size - before == size);
		EXPECT_MEM(out.bytes + before, expected, size);
	}
	pack_deflate_end(&deflater);
	pack_deflate_end(&deflater);
	buffer_release(&out);
}
#endif
