/* SPDX-License-Identifier: MIT */
/* deflate_small.c - see deflate_small.h */
#include "format/deflate_small.h"

#include <string.h>
#include <zlib.h>

#include "format/ans.h"
#include "format/equal_bytes.h"

#define HEADER_SIZE 2u
#define CHECKSUM_SIZE 4u
#define STORED_SIZE 5u /* of a stored block, before the bytes themselves */
#define SLACK 8u       /* bytes that a flush of bits writes at once */

#define FINAL_STORED 1u /* a block's first three bits */
#define FINAL_FIXED 3u

#define LENGTH_MIN 3u
#define LENGTH_MAX 258u
#define TRIES 8u

struct match {
	uint32_t length, distance;
};

/*
 * Codes are written with their first bit lowest. Of four copies of the byte, 10 bits apart, each keeps two bits that are then as far from where they belong as all of its kind; the sum of all
 * that brings them there. Source: Anderson, "Bit Twiddling Hacks", which has it by R. Schroeppel.
 */
static inline unsigned reversed(unsigned byte)
{
	uint64_t picked = byte * UINT64_C(0x80200802) & UINT64_C(0x0884422110);

	return (unsigned)(picked * UINT64_C(0x0101010101) >> 32) & 0xff;
}

static inline void put_literal(struct bits_out *out, unsigned byte)
{
	if (byte < 144)
		bits_write(out, reversed(0x30 + byte), 8);
	else
		bits_write(out, reversed(byte) << 1 | 1, 9);
}

/* Up to 7 more than the least one they have symbols of their own, then four for each power of two (RFC 1951, 3.2.5); 256 is the end of the block. */
static void put_length(struct bits_out *out, uint32_t length)
{
	unsigned more = length - LENGTH_MIN, symbol = 257 + more, extra = 0;

	if (length == LENGTH_MAX) {
		symbol = 285;
	} else if (more >= 8) {
		extra = 29 - (unsigned)__builtin_clz(more);
		symbol = 257 + 4 * (extra + 1) + (more >> extra & 3);
	}
	if (symbol < 280)
		bits_write(out, reversed(symbol - 256) >> 1, 7);
	else
		bits_write(out, reversed(0xc0 + symbol - 280), 8);
	bits_write(out, more & ((1u << extra) - 1), extra);
}

/* Two symbols for each power of two. */
static void put_distance(struct bits_out *out, uint32_t distance)
{
	unsigned more = distance - 1, symbol = more, extra = 0;

	if (more >= 4) {
		extra = 30 - (unsigned)__builtin_clz(more);
		symbol = 2 * (extra + 1) + (more >> extra & 1);
	}
	bits_write(out, reversed(symbol) >> 3, 5);
	bits_write(out, more & ((1u << extra) - 1), extra);
}

/* The three bytes at a place that has as many. */
static inline uint32_t three_bytes(const uint8_t *from, uint32_t at, uint32_t size)
{
	uint32_t four;

	if (size - at == LENGTH_MIN)
		return from[at] | (uint32_t)from[at + 1] << 8 | (uint32_t)from[at + 2] << 16;
	memcpy(&four, from + at, sizeof(four));
	return four & 0xffffff;
}

/* Adds a place to those of its hash, and returns the last one there before it, + 1. */
static inline unsigned enter(struct deflate_small *memory, uint32_t three, uint32_t at)
{
	uint16_t *head = &memory->heads[three * 0x9E3779B1u >> 23];
	unsigned before = *head;

	memory->earlier[at] = *head;
	*head = (uint16_t)(at + 1);
	return before;
}

static struct match longest_match(const struct deflate_small *memory, const uint8_t *from,
				  uint32_t at, uint32_t most, unsigned before)
{
	struct match best = {0, 0};

	for (unsigned tries = TRIES; before && tries && best.length < most; tries--) {
		const uint8_t *earlier = from + before - 1;

		/* else it is none that is longer */
		if (earlier[best.length] == from[at + best.length]) {
			uint32_t length = (uint32_t)equal_bytes(earlier, from + at, most);

			if (length > best.length)
				best = (struct match){length, at + 1 - before};
		}
		before = memory->earlier[before - 1];
	}
	return best;
}

static void put_block(struct deflate_small *memory, const uint8_t *from, uint32_t size,
		      struct bits_out *out)
{
	uint32_t at = 0;

	memset(memory->heads, 0, sizeof(memory->heads));
	bits_write(out, FINAL_FIXED, 3);
	while (at + LENGTH_MIN <= size) {
		uint32_t most = size - at < LENGTH_MAX ? size - at : LENGTH_MAX;
		unsigned before = enter(memory, three_bytes(from, at, size), at);
		struct match match = longest_match(memory, from, at, most, before);

		if (match.length < LENGTH_MIN) {
			put_literal(out, from[at++]);
			continue;
		}
		put_length(out, match.length);
		put_distance(out, match.distance);
		for (uint32_t end = at++ + match.length; at < end; at++)
			if (at + LENGTH_MIN <= size)
				(void)enter(memory, three_bytes(from, at, size), at);
	}
	while (at < size)
		put_literal(out, from[at++]);
	bits_write(out, 0, 7); /* the end */
	bits_write(out, 0, (8 - out->count) % 8);
}

static uint8_t *store(const uint8_t *from, uint32_t size, uint8_t *to)
{
	const uint8_t head[STORED_SIZE] = {FINAL_STORED, (uint8_t)size, (uint8_t)(size >> 8),
					   (uint8_t)~size, (uint8_t) ~(size >> 8)};

	memcpy(to, head, sizeof(head));
	memcpy(to + sizeof(head), from, size);
	return to + sizeof(head) + size;
}

/* A literal takes nine bits at most. */
size_t deflate_small_room(size_t size)
{
	return HEADER_SIZE + size + size / 8 + STORED_SIZE + CHECKSUM_SIZE + SLACK;
}

size_t deflate_small(struct deflate_small *memory, const uint8_t *from, size_t size, uint8_t *to)
{
	struct bits_out out = {.p = to + HEADER_SIZE};
	uint32_t checksum = (uint32_t)adler32(1, from, (uInt)size);
	uint8_t *end;

	to[0] = 0x78; /* deflate, which looks back up to 32 KiB */
	to[1] = 0x01; /* at its fastest; and a check of both bytes */
	put_block(memory, from, (uint32_t)size, &out);
	end = out.p;
	if ((size_t)(end - to) > HEADER_SIZE + STORED_SIZE + size)
		end = store(from, (uint32_t)size, to + HEADER_SIZE);
	for (unsigned i = 0; i < CHECKSUM_SIZE; i++)
		*end++ = (uint8_t)(checksum >> (24 - 8 * i));
	return (size_t)(end - to);
}

#ifdef UNIT_TEST
#include "unittest.h"

/* There and back by zlib; the size between. */
static size_t small_round(const uint8_t *from, size_t size)
{
	static struct deflate_small memory;
	static uint8_t packed[2 * DEFLATE_SMALL_MAX], plain[DEFLATE_SMALL_MAX + 1];
	uLongf plain_size = sizeof(plain);
	size_t room = deflate_small_room(size), packed_size;

	memset(packed, 0x5a, sizeof(packed));
	packed_size = deflate_small(&memory, from, size, packed);
	EXPECT(packed_size <= size + HEADER_SIZE + STORED_SIZE + CHECKSUM_SIZE);
	for (size_t i = room; i < sizeof(packed); i++)
		EXPECT_EQ(packed[i], 0x5a);
	EXPECT_EQ(uncompress(plain, &plain_size, packed, packed_size), Z_OK);
	EXPECT_EQ(plain_size, size);
	EXPECT(memcmp(plain, from, size) == 0);
	return packed_size;
}

TEST_CASE(small_bodies_there_and_back)
{
	uint8_t bytes[DEFLATE_SMALL_MAX];
	uint32_t state = 1;

	for (unsigned kinds = 1; kinds <= 256; kinds += kinds < 8 ? 1 : 31)
		for (size_t size = 0; size <= sizeof(bytes); size += size < 20 ? 1 : 111) {
			for (size_t i = 0; i < size; i++) {
				state = state * 1664525 + 1013904223;
				bytes[i] = (uint8_t)((state >> 16) % kinds + 256 - kinds);
			}
			small_round(bytes, size);
		}
}

TEST_CASE(small_bodies_of_matches_of_every_length)
{
	uint8_t bytes[DEFLATE_SMALL_MAX];

	for (size_t period = 1; period < 600; period += period < 40 ? 1 : 37)
		for (size_t size = period; size <= sizeof(bytes); size += 13) {
			for (size_t i = 0; i < size; i++)
				bytes[i] = (uint8_t)(i < period ? i * i >> 3 : bytes[i - period]);
			small_round(bytes, size);
		}
	memset(bytes, 0, sizeof(bytes));
	EXPECT(small_round(bytes, sizeof(bytes)) < 30);
}

/* As many bytes as zlib needs with these codes, or fewer. */
TEST_CASE(small_bodies_are_as_small_as_those_of_zlib)
{
	static uint8_t packed[4096];
	char text[DEFLATE_SMALL_MAX];
	size_t size = 0;
	z_stream stream = {0};

	for (unsigned i = 0; size + 64 < sizeof(text); i++)
		size += (size_t)snprintf(text + size, sizeof(text) - size,
					 "/usr/lib/x86_64-linux-gnu/lib%u.so.%u %x\n", i * 7919, i,
					 i << 20);
	REQUIRE(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15, 8, Z_FIXED) == Z_OK);
	stream.next_in = (Bytef *)text;
	stream.avail_in = (uInt)size;
	stream.next_out = packed;
	stream.avail_out = sizeof(packed);
	EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
	deflateEnd(&stream);
	EXPECT(small_round((const uint8_t *)text, size) <= stream.total_out);
}
#endif
