/* SPDX-License-Identifier: MIT */
/* common_sizes.c - see common_sizes.h */
#include "analysis/common_sizes.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 16u
#define BITS_MOST 20u /* level 1 keeps one less */

/* Bits of a size that do not count at a level. */
static unsigned lost_bits(int64_t size, uint32_t level)
{
	unsigned length = size ? 64u - (unsigned)__builtin_clzll((uint64_t)size) : 0;
	unsigned kept = BITS_MOST - level;

	return level && length > kept ? length - kept : 0;
}

static int64_t at_level(int64_t size, uint32_t level)
{
	unsigned lost = lost_bits(size, level);

	return size >> lost << lost;
}

static uint32_t place_of(const struct common_sizes *sizes, int64_t size)
{
	uint32_t at = (uint32_t)((uint64_t)size * 0x9E3779B97F4A7C15u >> 32) & (sizes->room - 1);

	while (sizes->places[at].calls && sizes->places[at].size != size)
		at = (at + 1) & (sizes->room - 1);
	return at;
}

static void put(struct common_sizes *sizes, int64_t size, uint64_t calls)
{
	uint32_t at = place_of(sizes, size);

	sizes->count += sizes->places[at].calls == 0;
	sizes->places[at].size = size;
	sizes->places[at].calls += calls;
	sizes->recent = at;
}

/* The same sizes in another room, or at another level. */
static int rebuild(struct common_sizes *sizes, uint32_t room, uint32_t level)
{
	struct common_sizes made = {.room = room, .level = level};

	made.places = calloc(room, sizeof(*made.places));
	if (!made.places)
		return -ENOMEM;
	for (uint32_t i = 0; i < sizes->room; i++)
		if (sizes->places[i].calls)
			put(&made, at_level(sizes->places[i].size, level), sizes->places[i].calls);
	free(sizes->places);
	*sizes = made;
	return 0;
}

static int add_new(struct common_sizes *sizes, int64_t size, uint64_t calls)
{
	int error = 0;

	if (4 * (sizes->count + 1) > 3 * sizes->room)
		error = rebuild(sizes, sizes->room ? 2 * sizes->room : FIRST_ROOM, sizes->level);
	if (error)
		return error;
	put(sizes, at_level(size, sizes->level), calls);
	while (!error && sizes->count > COMMON_SIZES && sizes->level < COMMON_SIZES_LEVELS)
		error = rebuild(sizes, sizes->room, sizes->level + 1);
	return error;
}

int common_sizes_add(struct common_sizes *sizes, int64_t size, uint64_t calls)
{
	struct common_size *recent = sizes->room ? &sizes->places[sizes->recent] : NULL;

	if (size < 0 || calls == 0)
		return 0;
	if (recent && recent->calls && recent->size == size) {
		recent->calls += calls;
		return 0;
	}
	return add_new(sizes, size, calls);
}

int common_sizes_merge(struct common_sizes *into, const struct common_sizes *from)
{
	int error = 0;

	if (from->level > into->level)
		error = rebuild(into, into->room ? into->room : FIRST_ROOM, from->level);
	for (uint32_t i = 0; !error && i < from->room; i++)
		error = common_sizes_add(into, from->places[i].size, from->places[i].calls);
	return error;
}

int64_t common_sizes_last(const struct common_sizes *sizes, int64_t size)
{
	return size + (int64_t)(((uint64_t)1 << lost_bits(size, sizes->level)) - 1);
}

void common_sizes_release(struct common_sizes *sizes)
{
	free(sizes->places);
	memset(sizes, 0, sizeof(*sizes));
}

#ifdef UNIT_TEST
#include "unittest.h"

static uint64_t calls_of(const struct common_sizes *sizes, int64_t size)
{
	return sizes->places[place_of(sizes, size)].calls;
}

TEST_CASE(common_sizes_are_exact_while_they_are_few)
{
	struct common_sizes sizes = {0};

	for (int64_t round = 1; round <= 3; round++)
		for (int64_t i = 0; i < COMMON_SIZES; i++)
			REQUIRE(!common_sizes_add(&sizes, i * i * 1000003, (uint64_t)round));
	EXPECT_EQ(sizes.count, COMMON_SIZES);
	EXPECT_EQ(sizes.level, 0);
	for (int64_t i = 0; i < COMMON_SIZES; i++)
		EXPECT_EQ(calls_of(&sizes, i * i * 1000003), 6);
	EXPECT_EQ(common_sizes_last(&sizes, 1000003), 1000003);
	REQUIRE(!common_sizes_add(&sizes, -1, 1));
	REQUIRE(!common_sizes_add(&sizes, 5, 0));
	EXPECT_EQ(sizes.count, COMMON_SIZES);
	common_sizes_release(&sizes);
}

static int64_t unit_size(uint64_t i)
{
	return (int64_t)((i * 0x9E3779B97F4A7C15u) >> (i % 60 + 2));
}

TEST_CASE(common_sizes_depend_on_no_order)
{
	enum { MANY = 60000 };
	struct common_sizes all = {0}, parts[2] = {{0}, {0}};
	uint64_t calls = 0;

	for (uint64_t i = 0; i < MANY; i++) {
		REQUIRE(!common_sizes_add(&all, unit_size(i), 1));
		REQUIRE(!common_sizes_add(&parts[i < 100], unit_size(MANY - 1 - i), 1));
	}
	REQUIRE(!common_sizes_merge(&parts[1], &parts[0]));
	EXPECT(all.count <= COMMON_SIZES && all.level > 0);
	EXPECT_EQ(all.count, parts[1].count);
	EXPECT_EQ(all.level, parts[1].level);
	for (uint32_t i = 0; i < all.room; i++)
		if (all.places[i].calls) {
			calls += all.places[i].calls;
			EXPECT_EQ(calls_of(&parts[1], all.places[i].size), all.places[i].calls);
			EXPECT(at_level(common_sizes_last(&all, all.places[i].size), all.level) ==
			       all.places[i].size);
		}
	EXPECT_EQ(calls, MANY);
	common_sizes_release(&all);
	common_sizes_release(&parts[0]);
	common_sizes_release(&parts[1]);
}

/* Whatever sizes there are, they fit at the last level. */
TEST_CASE(common_sizes_are_bounded)
{
	struct common_sizes sizes = {0};

	for (unsigned bit = 0; bit < 63; bit++)
		for (int64_t i = 0; i < 256; i++)
			REQUIRE(!common_sizes_add(
				&sizes, ((int64_t)1 << bit) | i << (bit > 8 ? bit - 8 : 0), 1));
	EXPECT(sizes.count <= COMMON_SIZES);
	EXPECT(sizes.level <= COMMON_SIZES_LEVELS);
	EXPECT(common_sizes_last(&sizes, at_level(INT64_MAX, sizes.level)) == INT64_MAX);
	common_sizes_release(&sizes);
}
#endif
