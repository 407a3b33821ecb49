/* SPDX-License-Identifier: MIT */
/*
 * memory.c - the library's own memcpy and its like, which nobody else sees.
 *
 * Those of libc belong to the program: a sanitizer, or whoever else puts itself in front of libc, takes
 * them for calls of the program. ThreadSanitizer would see the recorder write and not see what orders
 * it, AddressSanitizer would end a program for a string that only the recorder looks at. These are
 * hidden in librecorder.so, where compiler and zlib find them first; a build of ours with a sanitizer
 * leaves them out, as it is to see all.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "record/byte_blocks.h"

/* The compiler must not make a call of memcpy() of a loop in memcpy(). */
#ifdef __clang__
#define NO_CALLS __attribute__((no_builtin))
#else
#define NO_CALLS __attribute__((optimize("no-tree-loop-distribute-patterns")))
#endif

#ifdef UNIT_TEST
#define OWN(name) own_##name
#define SHARED NO_CALLS static
#else
#define OWN(name) name
#define SHARED NO_CALLS
#endif

/* At any address, and aliasing anything. */
typedef uint32_t half __attribute__((may_alias, aligned(1)));
typedef uint64_t word __attribute__((may_alias, aligned(1)));
typedef uint64_t pair __attribute__((vector_size(16), may_alias, aligned(1)));

#define LOAD(type, address) (*(const type *)(address))
#define STORE(type, address, value) (*(type *)(address) = (value))

#define LOW_BITS 0x0101010101010101ull

/* Up to 16 bytes: all loads come before the stores, so the areas may overlap. */
static inline void copy_short(uint8_t *to, const uint8_t *from, size_t size)
{
	if (size >= 8) {
		uint64_t first = LOAD(word, from), last = LOAD(word, from + size - 8);

		STORE(word, to, first);
		STORE(word, to + size - 8, last);
	} else if (size >= 4) {
		uint32_t first = LOAD(half, from), last = LOAD(half, from + size - 4);

		STORE(half, to, first);
		STORE(half, to + size - 4, last);
	} else if (size > 0) {
		uint8_t first = from[0], middle = from[size / 2], last = from[size - 1];

		to[0] = first;
		to[size / 2] = middle;
		to[size - 1] = last;
	}
}

/* More than 16 bytes; `to` is not inside of the source. */
NO_CALLS static void copy_up(uint8_t *to, const uint8_t *from, size_t size)
{
	pair last = LOAD(pair, from + size - 16);
	uint8_t *end = to + size - 16;

	for (; to < end; to += 16, from += 16)
		STORE(pair, to, LOAD(pair, from));
	STORE(pair, end, last);
}

/* More than 16 bytes; `to` may be inside of the source. */
NO_CALLS static void copy_down(uint8_t *to, const uint8_t *from, size_t size)
{
	pair first = LOAD(pair, from);

	for (; size > 16; size -= 16)
		STORE(pair, to + size - 16, LOAD(pair, from + size - 16));
	STORE(pair, to, first);
}

SHARED void *OWN(memcpy)(void *restrict to, const void *restrict from, size_t size)
{
	if (size <= 16)
		copy_short(to, from, size);
	else
		copy_up(to, from, size);
	return to;
}

SHARED void *OWN(memmove)(void *to, const void *from, size_t size)
{
	if (size <= 16)
		copy_short(to, from, size);
	else if ((uintptr_t)to - (uintptr_t)from >= size)
		copy_up(to, from, size);
	else
		copy_down(to, from, size);
	return to;
}

SHARED void *OWN(memset)(void *area, int byte, size_t size)
{
	uint64_t value = LOW_BITS * (uint8_t)byte;
	uint8_t *to = area, *end = to + size;

	if (size < 8) {
		while (to < end)
			*to++ = (uint8_t)byte;
		return area;
	}
	for (; to < end - 16; to += 16)
		STORE(pair, to, ((pair){value, value}));
	if (to < end - 8)
		STORE(word, to, value);
	STORE(word, end - 8, value);
	return area;
}

/* The order of two words whose bytes lie in memory as they are compared: the first one counts most. */
static inline int order_of(uint64_t a, uint64_t b)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	a = __builtin_bswap64(a);
	b = __builtin_bswap64(b);
#endif
	return (a > b) - (a < b);
}

/* Less than 8 bytes. */
static inline int compare_short(const uint8_t *a, const uint8_t *b, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (a[i] != b[i])
			return a[i] - b[i];
	return 0;
}

SHARED int OWN(memcmp)(const void *one, const void *other, size_t size)
{
	const uint8_t *a = one, *b = other;

	if (size < 8)
		return compare_short(a, b, size);
	for (size_t at = 0; at < size - 8; at += 8)
		if (LOAD(word, a + at) != LOAD(word, b + at))
			return order_of(LOAD(word, a + at), LOAD(word, b + at));
	/* the last word: what of it was compared before is equal */
	return order_of(LOAD(word, a + size - 8), LOAD(word, b + size - 8));
}

/* Reads whole blocks: never of a page that the area has no byte of. */
SHARED void *OWN(memchr)(const void *area, int byte, size_t size)
{
	const byte_block *block = block_of(area);
	const uint8_t *end = (const uint8_t *)area + size, *at;
	unsigned found;

	if (size == 0)
		return NULL;
	if (size > UINTPTR_MAX - (uintptr_t)area)
		end = (const uint8_t *)UINTPTR_MAX;
	found = block_equal(*block, (uint8_t)byte) & block_from(area);
	while (!found && (uintptr_t)end - (uintptr_t)block > BLOCK_SIZE)
		found = block_equal(*++block, (uint8_t)byte);
	at = (const uint8_t *)block + __builtin_ctz(found | 1u << BLOCK_SIZE);
	return found && at < end ? (void *)at : NULL;
}

SHARED size_t OWN(strlen)(const char *string)
{
	const byte_block *block = block_of(string);
	unsigned end = block_equal(*block, 0) & block_from(string);

	while (!end)
		end = block_equal(*++block, 0);
	return (size_t)((const char *)block - string) + (size_t)__builtin_ctz(end);
}

#ifdef UNIT_TEST
#include "unittest.h"

enum { ROOM = 160, LONGEST = 80 };

static void fill(uint8_t *area)
{
	for (unsigned i = 0; i < ROOM; i++)
		area[i] = (uint8_t)(i * 7 + 1);
}

/* Every size, from every place to every place, against libc's. */
TEST_CASE(memory_copies)
{
	static uint8_t ours[ROOM], libcs[ROOM];

	for (unsigned size = 0; size <= LONGEST; size++) {
		for (unsigned to = 0; to < ROOM - LONGEST; to += 3) {
			for (unsigned from = 0; from < ROOM - LONGEST; from++) {
				fill(ours);
				fill(libcs);
				own_memmove(ours + to, ours + from, size);
				memmove(libcs + to, libcs + from, size);
				REQUIRE(!memcmp(ours, libcs, ROOM));
			}
			fill(libcs);
			memset(ours, 0, ROOM);
			memset(libcs, 0, to);
			memset(libcs + to + size, 0, ROOM - to - size);
			own_memcpy(ours + to, libcs + to, size);
			REQUIRE(!memcmp(ours, libcs, ROOM));
		}
	}
}

TEST_CASE(memory_fills)
{
	static uint8_t ours[ROOM], libcs[ROOM];

	for (unsigned size = 0; size <= LONGEST; size++) {
		for (unsigned to = 0; to < 17; to++) {
			fill(ours);
			fill(libcs);
			own_memset(ours + to, 0xE5, size);
			memset(libcs + to, 0xE5, size);
			REQUIRE(!memcmp(ours, libcs, ROOM));
		}
	}
}

static int sign(int value)
{
	return (value > 0) - (value < 0);
}

TEST_CASE(memory_looks)
{
	static uint8_t one[ROOM], other[ROOM];

	for (unsigned size = 0; size <= LONGEST; size++) {
		for (unsigned at = 0; at < 9; at++) {
			for (unsigned place = at; place <= at + size; place++) {
				memset(one, 0x81, ROOM);
				memset(other, 0x81, ROOM);
				one[place] = 0x7F;
				EXPECT_EQ(sign(own_memcmp(one + at, other + at, size)),
					  sign(memcmp(one + at, other + at, size)));
				EXPECT_EQ(sign(own_memcmp(other + at, one + at, size)),
					  sign(memcmp(other + at, one + at, size)));
				REQUIRE(own_memchr(one + at, 0x17F, size) ==
					memchr(one + at, 0x17F, size));
				one[place] = 0;
				REQUIRE(own_strlen((char *)one + at) == place - at);
			}
		}
	}
	/* without an end, wherever in a block it begins */
	memset(one, 0x81, ROOM);
	one[2 * 16] = 0;
	for (unsigned at = 0; at <= 2 * 16; at++)
		REQUIRE(own_memchr(one + at, 0, SIZE_MAX) == one + 2 * 16);
}
#endif
