/* SPDX-License-Identifier: MIT */
/* part_map.c - see part_map.h: a hash table that closes the gap behind what is removed. */
#include "analysis/part_map.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_SIZE 64u

static uint32_t home_of(const struct part_map *map, int64_t number)
{
	return (uint32_t)((uint64_t)number * 0x9E3779B97F4A7C15u >> 32) & (map->size - 1);
}

/* Where a number is, or the free place where it would be. */
static uint32_t place_of(const struct part_map *map, int64_t number)
{
	uint32_t at = home_of(map, number);

	while (map->places[at].number && map->places[at].number != number)
		at = (at + 1) & (map->size - 1);
	return at;
}

struct part *part_map_get(const struct part_map *map, int64_t number)
{
	return map->size ? map->places[place_of(map, number)].part : NULL;
}

static int grow(struct part_map *map)
{
	struct part_map larger = {.size = map->size ? 2 * map->size : FIRST_SIZE,
				  .count = map->count};

	larger.places = calloc(larger.size, sizeof(*larger.places));
	if (!larger.places)
		return -ENOMEM;
	for (uint32_t i = 0; i < map->size; i++)
		if (map->places[i].number)
			larger.places[place_of(&larger, map->places[i].number)] = map->places[i];
	free(map->places);
	*map = larger;
	return 0;
}

int part_map_add(struct part_map *map, int64_t number, struct part *part)
{
	if (2 * map->count >= map->size && grow(map))
		return -ENOMEM;
	map->places[place_of(map, number)] = (struct part_place){number, part};
	map->count++;
	return 0;
}

struct part *part_map_remove(struct part_map *map, int64_t number)
{
	uint32_t gap, at, mask = map->size - 1;
	struct part *part = part_map_get(map, number);

	if (!part)
		return NULL;
	gap = place_of(map, number);
	for (at = (gap + 1) & mask; map->places[at].number; at = (at + 1) & mask) {
		uint32_t home = home_of(map, map->places[at].number);

		/* what would not be found from its home across the gap moves into it */
		if (((at - home) & mask) >= ((at - gap) & mask)) {
			map->places[gap] = map->places[at];
			gap = at;
		}
	}
	map->places[gap] = (struct part_place){0, NULL};
	map->count--;
	return part;
}

void part_map_release(struct part_map *map)
{
	free(map->places);
	*map = (struct part_map){0};
}

#ifdef UNIT_TEST
#include "unittest.h"

/* Any address of its own. */
static struct part *part_of(int64_t number)
{
	return (struct part *)(uintptr_t)(number + 1);
}

TEST_CASE(part_map_finds_what_is_left)
{
	struct part_map map = {0};

	EXPECT(part_map_get(&map, 7) == NULL);
	for (int64_t i = 1; i <= 5000; i++)
		EXPECT_EQ(part_map_add(&map, i * 64, part_of(i)), 0);
	for (int64_t i = 1; i <= 5000; i++)
		if (i % 3)
			EXPECT(part_map_remove(&map, i * 64) == part_of(i));
	for (int64_t i = 1; i <= 5000; i++)
		EXPECT(part_map_get(&map, i * 64) == (i % 3 ? NULL : part_of(i)));
	EXPECT(part_map_remove(&map, 64) == NULL);
	EXPECT_EQ(map.count, 5000 / 3);
	part_map_release(&map);
}
#endif
