/* SPDX-License-Identifier: MIT */
/* deflater.c - zlib over a fixed piece of memory. */
#include "format/deflater.h"

#include <stdbool.h>
#include <string.h>
#include <zlib.h>

#include "format/deflate_small.h"

#define LEVEL Z_BEST_SPEED
#define WINDOW_BITS 15
/* What zlib clears for each piece is 64 KiB at level 8: as much work as all the rest, of a few hundred bytes. */
#define MEM_LEVEL 6
/* What zlib 1.2 asks for at this level is 268 KB; newer ones (and zlib-ng's compatible mode) a little more. */
#define STATE_SIZE (400u << 10)
/* Of zlib 64; of DEFLATE_SMALL_MAX bytes deflate_small_room() is more. */
#define MORE_AT_MOST 300u

struct deflater {
	struct deflate_small small;
	z_stream stream;
	bool begun; /* the stream */
	size_t used;
	uint8_t memory[] __attribute__((aligned(16)));
};

static void *take(void *opaque, unsigned items, unsigned size)
{
	struct deflater *deflater = opaque;
	size_t bytes = ((size_t)items * size + 15) & ~(size_t)15;
	void *memory = deflater->memory + deflater->used;

	if (bytes > STATE_SIZE - deflater->used)
		return NULL;
	deflater->used += bytes;
	return memory;
}

static void give(void *opaque, void *memory)
{
	(void)opaque;
	(void)memory;
}

size_t deflater_size(void)
{
	return (sizeof(struct deflater) + STATE_SIZE + 15) & ~(size_t)15;
}

struct deflater *deflater_init(void *memory)
{
	struct deflater *deflater = memory;

	if (!memory)
		return NULL;
	memset(&deflater->stream, 0, sizeof(deflater->stream));
	deflater->stream.zalloc = take;
	deflater->stream.zfree = give;
	deflater->stream.opaque = deflater;
	deflater->begun = false;
	return deflater;
}

size_t deflater_bound(size_t size)
{
	return size + (size >> 12) + (size >> 14) + (size >> 25) + MORE_AT_MOST;
}

/* What zlib needs is touched no sooner than a body comes that is its. */
static bool begin(struct deflater *deflater)
{
	z_stream *stream = &deflater->stream;

	if (deflater->begun)
		return deflateReset(stream) == Z_OK;
	deflater->used = 0;
	deflater->begun = deflateInit2(stream, LEVEL, Z_DEFLATED, WINDOW_BITS, MEM_LEVEL,
				       Z_DEFAULT_STRATEGY) == Z_OK;
	return deflater->begun;
}

size_t deflater_run(struct deflater *deflater, const void *from, size_t size, void *to, size_t room)
{
	z_stream *stream = &deflater->stream;

	if (size <= DEFLATE_SMALL_MAX && room >= deflate_small_room(size))
		return deflate_small(&deflater->small, from, size, to);
	if (size > UINT32_MAX || !begin(deflater))
		return 0;
	stream->next_in = (Bytef *)from;
	stream->avail_in = (uInt)size;
	stream->next_out = to;
	stream->avail_out = room > UINT32_MAX ? UINT32_MAX : (uInt)room;
	return deflate(stream, Z_FINISH) == Z_STREAM_END ? stream->total_out : 0;
}
