/* SPDX-License-Identifier: MIT */
/* index.c - see index.h */
#include "read/index.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "format/hash.h"

/* The kernel gives every process 16 random bytes; threads that ask at once get the same. */
static uint64_t hash_seed(void)
{
	static _Atomic uint64_t known;
	uint64_t seed = atomic_load_explicit(&known, memory_order_relaxed);
	const void *random;

	if (seed)
		return seed;
	random = (const void *)getauxval(AT_RANDOM);
	if (random)
		memcpy(&seed, random, sizeof(seed));
	if (!seed)
		seed = 0x9E3779B97F4A7C15u;
	atomic_store_explicit(&known, seed, memory_order_relaxed);
	return seed;
}

uint32_t index_hash(const void *bytes, size_t size)
{
	return hash_bytes(bytes, size, hash_seed());
}

int64_t index_next(const struct index *index, uint32_t hash, uint32_t *position)
{
	if (index->size == 0)
		return -1;
	for (;;) {
		const struct index_slot *slot = &index->slots[*position & (index->size - 1)];

		if (slot->number == 0)
			return -1;
		++*position;
		if (slot->hash == hash)
			return slot->number - 1;
	}
}

static void insert(struct index *index, struct index_slot slot)
{
	uint32_t position = slot.hash;

	while (index->slots[position & (index->size - 1)].number)
		position++;
	index->slots[position & (index->size - 1)] = slot;
}

static int grow(struct index *index)
{
	struct index larger = {.size = index->size ? index->size * 2 : 16, .used = index->used};

	if (larger.size > UINT32_MAX / 2)
		return -ENOMEM;
	larger.slots = calloc(larger.size, sizeof(*larger.slots));
	if (!larger.slots)
		return -ENOMEM;
	for (uint32_t i = 0; i < index->size; i++) {
		if (index->slots[i].number)
			insert(&larger, index->slots[i]);
	}
	free(index->slots);
	*index = larger;
	return 0;
}

int index_add(struct index *index, uint32_t hash, uint32_t number)
{
	if (index->used >= index->size / 4 * 3 && grow(index))
		return -ENOMEM;
	insert(index, (struct index_slot){hash, number + 1});
	index->used++;
	return 0;
}

void index_release(struct index *index)
{
	free(index->slots);
	memset(index, 0, sizeof(*index));
}

static uint32_t hash_id(uint32_t id)
{
	return (uint32_t)hash_mix(hash_seed(), id);
}

static struct idmap_entry *find_by_hash(const struct idmap *map, uint32_t id, uint32_t hash)
{
	uint32_t position = hash;
	int64_t number;

	while ((number = index_next(&map->index, hash, &position)) >= 0) {
		if (map->entries[number].id == id)
			return &map->entries[number];
	}
	return NULL;
}

/* Ids are mostly handed out one after the other, from 1: such a map has no index until another one comes. */
static struct idmap_entry *find(const struct idmap *map, uint32_t id)
{
	if (id - 1 < map->count && map->entries[id - 1].id == id)
		return &map->entries[id - 1];
	return map->index.used ? find_by_hash(map, id, hash_id(id)) : NULL;
}

void *idmap_get(const struct idmap *map, uint32_t id)
{
	struct idmap_entry *entry = find(map, id);

	return entry ? entry->value : NULL;
}

static int make_room(struct idmap *map)
{
	uint32_t capacity = map->capacity ? map->capacity * 2 : 8;
	struct idmap_entry *entries;

	if (map->count < map->capacity)
		return 0;
	entries = realloc(map->entries, capacity * sizeof(*entries));
	if (!entries)
		return -ENOMEM;
	map->entries = entries;
	map->capacity = capacity;
	return 0;
}

/* Makes the index hold all entries, the last of which was just added; if it holds none, those before are in a row. */
static int add_to_index(struct idmap *map)
{
	for (uint32_t i = map->index.used; i < map->count; i++)
		if (index_add(&map->index, hash_id(map->entries[i].id), i))
			return -ENOMEM;
	return 0;
}

int idmap_set(struct idmap *map, uint32_t id, void *value)
{
	struct idmap_entry *entry = find(map, id);
	bool in_a_row = map->index.used == 0 && id == map->count + 1;

	if (entry) {
		entry->value = value;
		return 0;
	}
	if (make_room(map))
		return -ENOMEM;
	map->entries[map->count++] = (struct idmap_entry){id, value};
	if (in_a_row || add_to_index(map) == 0)
		return 0;
	map->count--;
	return -ENOMEM;
}

void idmap_release(struct idmap *map)
{
	free(map->entries);
	index_release(&map->index);
	memset(map, 0, sizeof(*map));
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(idmap_keeps_what_is_set)
{
	static char values[1000];
	struct idmap map = {0};

	EXPECT(!idmap_get(&map, 0));
	for (uint32_t i = 0; i < 1000; i++)
		REQUIRE(idmap_set(&map, i * 7919, &values[i]) == 0);
	for (uint32_t i = 0; i < 1000; i++)
		EXPECT(idmap_get(&map, i * 7919) == &values[i]);
	EXPECT(!idmap_get(&map, 1));
	EXPECT(!idmap_get(&map, UINT32_MAX));
	REQUIRE(idmap_set(&map, 7919, &values[0]) == 0);
	EXPECT(idmap_get(&map, 7919) == &values[0]);
	EXPECT_EQ(map.count, 1000);
	idmap_release(&map);
}

TEST_CASE(idmap_of_ids_in_a_row)
{
	static char values[1001];
	struct idmap map = {0};

	for (uint32_t i = 1; i <= 500; i++)
		REQUIRE(idmap_set(&map, i, &values[i]) == 0);
	EXPECT_EQ(map.index.used, 0);
	REQUIRE(idmap_set(&map, 7, &values[8]) == 0);
	EXPECT(idmap_get(&map, 7) == &values[8]);
	EXPECT(!idmap_get(&map, 0) && !idmap_get(&map, 501));
	for (uint32_t i = 1000; i > 500; i--)
		REQUIRE(idmap_set(&map, i, &values[i]) == 0);
	REQUIRE(idmap_set(&map, 7, &values[7]) == 0);
	REQUIRE(idmap_set(&map, 700, &values[700]) == 0);
	for (uint32_t i = 1; i <= 1000; i++)
		EXPECT(idmap_get(&map, i) == &values[i]);
	EXPECT(!idmap_get(&map, 0) && !idmap_get(&map, 1001));
	EXPECT_EQ(map.count, 1000);
	idmap_release(&map);
}
#endif
