/* SPDX-License-Identifier: MIT */
/* deflate.c - see deflate.h */
#include "deflate.h"

#include <stdlib.h>

#include "deflate_block.h"
#include "textmatch.h"

#define TEXT_MAX (1u << 30)     /* bytes that may refer to each other */
#define BLOCK_TEXT (256u << 10) /* bytes of one block */
#define BLOCK_MATCHES 16384u

struct text_deflater {
	struct text_matches matches;
	struct block_writer writer;
	struct text_match found[BLOCK_MATCHES];
};

/* RFC 1952: magic, deflate, no flags, no time, fastest, unix */
const uint8_t gzip_header[GZIP_HEADER_SIZE] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 3};

void gzip_trailer(uint8_t trailer[GZIP_TRAILER_SIZE], uint32_t crc, uint64_t plain_size)
{
	uint32_t little[] = {htole32(crc), htole32((uint32_t)plain_size)};

	/* an empty last block before them */
	memcpy(trailer, (const uint8_t[2]){0x03, 0x00}, 2);
	memcpy(trailer + 2, little, sizeof(little));
}

struct text_deflater *text_deflater_new(void)
{
	struct text_deflater *deflater = malloc(sizeof(*deflater));

	if (deflater)
		block_writer_init(&deflater->writer);
	return deflater;
}

void text_deflater_free(struct text_deflater *deflater)
{
	free(deflater);
}

/*
 * No block takes more than its text and what is told of that in stored ones; blocks that are full of matches have text of at least four bytes for each of those. The
 * empty block at the end has five bytes, each part of TEXT_MAX one more that is cut.
 */
size_t deflate_room(size_t size)
{
	size_t blocks = size / (BLOCK_MATCHES * TEXT_MATCH_LEAST) + size / BLOCK_TEXT + 2;

	return size + (blocks + size / DEFLATE_STORED_MAX) * 6 + 8 + DEFLATE_BITS_SLACK;
}

static void deflate_part(struct text_deflater *deflater, struct deflate_bits *bits,
			 const uint8_t *text, uint32_t size)
{
	struct text_matches *matches = &deflater->matches;
	uint32_t begin = 0;
	unsigned count;

	text_matches_begin(matches, text, size);
	while ((count = text_matches_next(matches, BLOCK_TEXT, deflater->found, BLOCK_MATCHES))) {
		block_write(&deflater->writer, bits, text + begin, matches->at - begin,
			    deflater->found, count);
		begin = matches->at;
	}
}

size_t deflate_text(struct text_deflater *deflater, const void *text, size_t size, uint8_t *to)
{
	struct deflate_bits bits = {.to = to};
	const uint8_t *from = text;
	size_t part;

	if (size == 0)
		return 0;
	for (size_t done = 0; done < size; done += part) {
		part = size - done < TEXT_MAX ? size - done : TEXT_MAX;
		deflate_part(deflater, &bits, from + done, (uint32_t)part);
	}
	/* to the byte border, as zlib's Z_SYNC_FLUSH */
	block_write_stored(&bits, (const uint8_t *)"", 0);
	return (size_t)(bits.to - to);
}

#ifdef UNIT_TEST
#include <zlib.h>

#include "unittest.h"

/* Bytes of the text that was deflated last. */
static size_t unit_used;

/* What zlib makes of it again is the same. */
static void unit_round(const uint8_t *text, size_t size)
{
	static const uint8_t end[] = {0x03, 0x00};
	struct text_deflater *deflater = text_deflater_new();
	size_t room = deflate_room(size);
	uint8_t *packed = malloc(room + sizeof(end)), *again = malloc(size + 1);
	z_stream stream = {.next_in = packed, .next_out = again, .avail_out = (uInt)size + 1};

	REQUIRE(deflater && packed && again);
	unit_used = deflate_text(deflater, text, size, packed);
	EXPECT(unit_used + (unit_used > 0) * DEFLATE_BITS_SLACK <= room);
	memcpy(packed + unit_used, end, sizeof(end));
	stream.avail_in = (uInt)(unit_used + sizeof(end));
	REQUIRE(inflateInit2(&stream, -MAX_WBITS) == Z_OK);
	EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
	EXPECT_EQ(stream.avail_in, 0);
	EXPECT_EQ(stream.total_out, size);
	EXPECT(size == 0 || memcmp(again, text, size) == 0);
	inflateEnd(&stream);
	text_deflater_free(deflater);
	free(packed);
	free(again);
}

static uint32_t unit_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

/* Texts of all kinds: each of `kinds` bytes, and what was there before now and then. */
static void unit_fill(uint8_t *text, size_t size, unsigned kinds, unsigned longest, uint32_t *state)
{
	size_t i = 0;

	while (i < size) {
		size_t run = longest > 0 && i > 0 ? unit_random(state) % longest : 0;
		size_t from = i > 0 ? unit_random(state) % i : 0;

		text[i++] = (uint8_t)('0' + unit_random(state) % kinds);
		for (; run > 0 && i < size; run--)
			text[i++] = text[from++];
	}
}

TEST_CASE(deflated_text_is_what_zlib_inflates)
{
	static const unsigned kinds[] = {1, 2, 10, 40, 256}, longest[] = {0, 3, 9, 300, 9000};
	static uint8_t text[600000];
	uint32_t state = 1;

	for (unsigned i = 0; i < 5; i++)
		for (unsigned j = 0; j < 5; j++) {
			unit_fill(text, sizeof(text), kinds[i], longest[j], &state);
			unit_round(text, sizeof(text));
			for (size_t size = 0; size < 3000; size += 1 + size / 7)
				unit_round(text + i + j, size);
		}
}

TEST_CASE(deflated_runs_of_any_length_are_what_zlib_inflates)
{
	static uint8_t text[70000];

	for (size_t size = 250; size < 1200; size++) {
		unit_round(text, size);
		EXPECT(unit_used < 80);
	}
	unit_round(text, sizeof(text));
	EXPECT(unit_used < 400);
}

TEST_CASE(deflated_text_without_repetitions_is_as_it_is)
{
	static uint8_t text[200000];
	uint32_t state = 7;

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (uint8_t)unit_random(&state);
	unit_round(text, sizeof(text));
	EXPECT(unit_used <= sizeof(text) + 5 * 6);
}

TEST_CASE(deflate_reaches_as_far_back_as_allowed)
{
	static uint8_t text[3 * TEXT_MATCH_DISTANCE];
	uint32_t state = 3;

	/* noise, and the same again at the largest distance, and once more beyond it */
	for (unsigned shift = 0; shift < 2; shift++) {
		size_t period = TEXT_MATCH_DISTANCE + shift;

		for (size_t i = 0; i < sizeof(text); i++)
			text[i] = i < period ? (uint8_t)unit_random(&state) : text[i - period];
		unit_round(text, sizeof(text));
		EXPECT((unit_used < TEXT_MATCH_DISTANCE + 1000) == (shift == 0));
	}
}
#endif
