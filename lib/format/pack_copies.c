/* SPDX-License-Identifier: MIT */
/* pack_copies.c - see pack_copies.h */
#include "format/pack_copies.h"

#include <errno.h>

#include "format/equal_bytes.h"

#define MATCH_LEAST 12u /* shorter ones are left to deflate */
#define HASH_LOG 15u
#define TRIES 48u

struct matcher {
	const uint8_t *window;
	size_t end;
	uint32_t *heads;  /* by hash: place + 1 of the last one */
	uint32_t *before; /* by place: the one before with this hash, + 1 */
};

size_t pack_copies_work(size_t size)
{
	return ((size_t)1 << HASH_LOG) * sizeof(uint32_t) + size * sizeof(uint32_t);
}

size_t pack_copies_bound(size_t size)
{
	return size + size / 4 + 64;
}

static uint32_t hash_at(const uint8_t *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return (uint32_t)(word * 0x9E3779B97F4A7C15u >> (64 - HASH_LOG));
}

static void matcher_add(struct matcher *matcher, size_t at)
{
	uint32_t hash;

	if (matcher->end - at < sizeof(uint64_t))
		return;
	hash = hash_at(matcher->window + at);
	matcher->before[at] = matcher->heads[hash];
	matcher->heads[hash] = (uint32_t)at + 1;
}

/* The longest match, the nearest of several; 0: none that is worth it. */
static size_t find_match(const struct matcher *matcher, size_t at, size_t *distance)
{
	size_t best = MATCH_LEAST - 1;
	uint32_t place;

	if (matcher->end - at < MATCH_LEAST)
		return 0;
	place = matcher->heads[hash_at(matcher->window + at)];
	for (unsigned i = 0; place > 0 && i < TRIES; i++, place = matcher->before[place - 1]) {
		size_t length = equal_bytes(matcher->window + place - 1, matcher->window + at,
					    matcher->end - at);

		if (length > best) {
			best = length;
			*distance = at - (place - 1);
		}
	}
	return best < MATCH_LEAST ? 0 : best;
}

void pack_copies_encode(const uint8_t *window, size_t base, size_t size, void *work,
			struct varints *out)
{
	struct matcher matcher = {.window = window,
				  .end = base + size,
				  .heads = work,
				  .before = (uint32_t *)work + ((size_t)1 << HASH_LOG)};
	size_t literal = base, at = base;

	memset(matcher.heads, 0, ((size_t)1 << HASH_LOG) * sizeof(uint32_t));
	for (size_t i = 0; i < base; i++)
		matcher_add(&matcher, i);
	while (at < matcher.end) {
		size_t distance = 0, length = find_match(&matcher, at, &distance);

		if (length == 0) {
			matcher_add(&matcher, at++);
			continue;
		}
		varints_put(out, at - literal);
		varints_bytes(out, window + literal, at - literal);
		varints_put(out, length);
		varints_put(out, distance);
		for (size_t end = at + length; at < end; at++)
			matcher_add(&matcher, at);
		literal = at;
	}
	if (literal == at && size > 0)
		return;
	varints_put(out, at - literal);
	varints_bytes(out, window + literal, at - literal);
}

/* A copy may reach into what it makes. */
static void copy(uint8_t *to, size_t distance, size_t length)
{
	const uint8_t *from = to - distance;

	if (distance >= length) {
		memcpy(to, from, length);
		return;
	}
	for (size_t i = 0; i < length; i++)
		to[i] = from[i];
}

int pack_copies_decode(struct bytes in, uint8_t *window, size_t base, size_t size)
{
	size_t at = base, end = base + size;

	do {
		uint64_t literal = bytes_varint(&in), length, distance;
		const uint8_t *p;

		if (literal > end - at || !(p = bytes_take(&in, (size_t)literal)))
			return -EBADMSG;
		memcpy(window + at, p, (size_t)literal);
		at += (size_t)literal;
		if (at == end)
			break;
		length = bytes_varint(&in);
		distance = bytes_varint(&in);
		if (in.bad || length == 0 || length > end - at || distance == 0 || distance > at)
			return -EBADMSG;
		copy(window + at, (size_t)distance, (size_t)length);
		at += (size_t)length;
	} while (at < end);
	return in.bad || bytes_left(&in) > 0 ? -EBADMSG : 0;
}

#ifdef UNIT_TEST
#include "unittest.h"

#define MOST 4096u

static size_t round_trip(const uint8_t *window, size_t base, size_t size)
{
	static uint8_t work[(1u << HASH_LOG) * 4 + MOST * 8] __attribute__((aligned(8)));
	static uint8_t coded[2 * MOST], back[2 * MOST];
	struct varints out = varints_in(coded, pack_copies_bound(size));
	size_t coded_size;

	pack_copies_encode(window, base, size, work, &out);
	EXPECT(!out.full);
	coded_size = (size_t)(out.p - coded);
	memcpy(back, window, base);
	EXPECT_EQ(pack_copies_decode(bytes_of(coded, coded_size), back, base, size), 0);
	EXPECT_MEM(back, window, base + size);
	for (size_t cut = 0; cut < coded_size; cut++)
		EXPECT_EQ(pack_copies_decode(bytes_of(coded, cut), back, base, size), -EBADMSG);
	return coded_size;
}

TEST_CASE(copies_round_trip)
{
	static uint8_t window[2 * MOST];
	uint32_t random = 1;

	for (size_t i = 0; i < MOST; i++) {
		random = random * 1103515245 + 12345;
		window[i] = (uint8_t)(random >> 16);
	}
	memcpy(window + MOST, window, MOST);
	EXPECT(round_trip(window, MOST, MOST) < 8);
	window[MOST + 100]++;
	EXPECT(round_trip(window, MOST, MOST) < 16);
	EXPECT(round_trip(window, 0, MOST) > MOST);
	EXPECT_EQ(round_trip(window, 0, 0), 1);
	memset(window, 7, MOST);
	EXPECT(round_trip(window, 0, MOST) < 8);
}

TEST_CASE(copies_from_nowhere_are_refused)
{
	uint8_t window[16] = {0};

	EXPECT_EQ(pack_copies_decode(bytes_of("\1a\7\2", 4), window, 0, 8), -EBADMSG);
	EXPECT_EQ(pack_copies_decode(bytes_of("\1a\7\0", 4), window, 0, 8), -EBADMSG);
	EXPECT_EQ(pack_copies_decode(bytes_of("\1a\10\1", 4), window, 0, 8), -EBADMSG);
	EXPECT_EQ(pack_copies_decode(bytes_of("\1a\7\1", 4), window, 0, 8), 0);
	EXPECT_EQ(pack_copies_decode(bytes_of("\1a\7\1\0", 5), window, 0, 8), -EBADMSG);
}
#endif
