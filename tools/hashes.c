/* SPDX-License-Identifier: MIT */
/* hashes.c - see hashes.h */
#include "hashes.h"

#include <stdlib.h>
#include <string.h>

struct hash_set {
	uint64_t *slots; /* 0: free; `room` of them, a power of two */
	size_t room, count;
};

static uint64_t mix(uint64_t value)
{
	value ^= value >> 32;
	value *= 0xd6e8feb86659fd93u;
	value ^= value >> 32;
	value *= 0xd6e8feb86659fd93u;
	return value ^ value >> 32;
}

uint64_t name_hash(const char *bytes, size_t size)
{
	uint64_t hash = mix(size + 1), word;

	for (; size >= sizeof(word); bytes += sizeof(word), size -= sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		hash = mix(hash ^ word);
	}
	word = 0;
	memcpy(&word, bytes, size);
	hash = mix(hash ^ word) >> (64 - 4 * NAME_HASH_DIGITS);
	return hash ? hash : 1;
}

struct hash_set *hash_set_new(void)
{
	return calloc(1, sizeof(struct hash_set));
}

void hash_set_free(struct hash_set *set)
{
	if (!set)
		return;
	free(set->slots);
	free(set);
}

static uint64_t *find(uint64_t *slots, size_t room, uint64_t hash)
{
	size_t at = (size_t)(hash * 0x9e3779b97f4a7c15u >> 20) & (room - 1);

	while (slots[at] && slots[at] != hash)
		at = (at + 1) & (room - 1);
	return &slots[at];
}

static bool grow(struct hash_set *set)
{
	size_t room = set->room ? 2 * set->room : 256;
	uint64_t *slots = calloc(room, sizeof(*slots));

	if (!slots)
		return false;
	for (size_t i = 0; i < set->room; i++)
		if (set->slots[i])
			*find(slots, room, set->slots[i]) = set->slots[i];
	free(set->slots);
	set->slots = slots;
	set->room = room;
	return true;
}

bool hash_set_add(struct hash_set *set, uint64_t hash)
{
	uint64_t *slot;

	if (2 * set->count >= set->room && !grow(set))
		return true;
	slot = find(set->slots, set->room, hash);
	if (*slot)
		return false;
	*slot = hash;
	set->count++;
	return true;
}

bool hash_set_is_empty(const struct hash_set *set)
{
	return set->count == 0;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(name_hashes_fit_doubles_and_sets_keep_them)
{
	struct hash_set *set = hash_set_new();
	char name[32];

	REQUIRE(set != NULL);
	for (int i = 0; i < 10000; i++) {
		size_t size = (size_t)snprintf(name, sizeof(name), "/data/file.%d", i);

		EXPECT(name_hash(name, size) < (uint64_t)1 << 52);
		EXPECT(hash_set_add(set, name_hash(name, size)));
		EXPECT(!hash_set_add(set, name_hash(name, size)));
	}
	hash_set_free(set);
}
#endif
