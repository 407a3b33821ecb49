/* SPDX-License-Identifier: MIT */
/* held.c - see held.h */
#include "format/held.h"

#include "format/chunk.h"

bool held_next(struct bytes *chunks, struct chunk_header *header, struct bytes *body)
{
	const uint8_t *p = bytes_left(chunks) > 0 ? bytes_take(chunks, sizeof(*header)) : NULL;

	if (!p)
		return false;
	memcpy(header, p, sizeof(*header));
	if (chunk_header_check(header))
		bytes_fail(chunks);
	p = bytes_take(chunks, header->body_size);
	if (!p)
		return false;
	*body = bytes_of(p, header->body_size);
	return true;
}

/* Whether there are only whole chunks of records in it: a writer may be at work there. */
static bool is_whole(struct bytes chunks)
{
	struct chunk_header header;
	struct bytes body;

	while (held_next(&chunks, &header, &body))
		if (header.type != CHUNK_DATA || !chunk_body_check(&header, body.p))
			return false;
	return !chunks.bad;
}

/* The chunks of a place, and its number; 0: it holds nothing. */
static uint64_t look(const uint8_t *from, size_t room, struct bytes *chunks)
{
	struct held_place place;

	if (room < sizeof(place))
		return 0;
	memcpy(&place, from, sizeof(place));
	if (place.magic != HELD_MAGIC || place.size > room - sizeof(place) ||
	    place.crc != format_crc(&place, offsetof(struct held_place, crc)))
		return 0;
	*chunks = bytes_of(from + sizeof(place), place.size);
	return is_whole(*chunks) ? place.number : 0;
}

struct bytes held_find(const void *area, size_t size)
{
	struct bytes chunks[2] = {bytes_of(NULL, 0), bytes_of(NULL, 0)};
	uint64_t first = look(area, size / 2, &chunks[0]);
	uint64_t second = look((const uint8_t *)area + size / 2, size / 2, &chunks[1]);

	if (first == 0 && second == 0)
		return bytes_of(NULL, 0);
	return chunks[second > first];
}

#ifdef UNIT_TEST
#include "unittest.h"

#define HELD_TEST_PLACE 256u

/* One chunk with that sequence number. */
static void held_test_put(uint8_t *at, uint64_t number, uint64_t sequence)
{
	struct held_place place = {.magic = HELD_MAGIC, .number = number};
	struct chunk_header header = {
		.type = CHUNK_DATA, .body_size = 8, .plain_size = 8, .first_sequence = sequence};

	place.size = sizeof(header) + 8;
	place.crc = format_crc(&place, offsetof(struct held_place, crc));
	chunk_header_seal(&header, "12345678");
	memcpy(at, &place, sizeof(place));
	memcpy(at + sizeof(place), &header, sizeof(header));
	memcpy(at + sizeof(place) + sizeof(header), "12345678", 8);
}

/* Its sequence number; 0: nothing is held. */
static uint64_t held_test_find(const uint8_t *area)
{
	struct bytes chunks = held_find(area, (size_t)2 * HELD_TEST_PLACE), body;
	struct chunk_header header;

	return held_next(&chunks, &header, &body) ? header.first_sequence : 0;
}

TEST_CASE(held_is_the_latest_that_is_whole)
{
	static _Alignas(8) uint8_t area[2 * HELD_TEST_PLACE];

	EXPECT_EQ(held_test_find(area), 0);
	held_test_put(area, 3, 30);
	EXPECT_EQ(held_test_find(area), 30);
	held_test_put(area + HELD_TEST_PLACE, 4, 40);
	EXPECT_EQ(held_test_find(area), 40);
	for (unsigned i = 0; i < sizeof(struct held_place) + sizeof(struct chunk_header) + 8; i++) {
		area[HELD_TEST_PLACE + i] ^= 1;
		EXPECT_EQ(held_test_find(area), 30);
		area[HELD_TEST_PLACE + i] ^= 1;
	}
	held_test_put(area, 5, 50);
	EXPECT_EQ(held_test_find(area), 50);
}
#endif
