/* SPDX-License-Identifier: MIT */
/* dictionary.c - see dictionary.h */
#include "analysis/dictionary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define KEYS_FIRST 64u
#define BYTES_FIRST 4096u

static int make_room_for_key(struct dictionary *dictionary)
{
	uint32_t room = dictionary->room ? 2 * dictionary->room : KEYS_FIRST;
	struct dictionary_key *keys;

	if (dictionary->count < dictionary->room)
		return 0;
	if (room > UINT32_MAX / 2)
		return -ENOMEM;
	keys = realloc(dictionary->keys, room * sizeof(*keys));
	if (!keys)
		return -ENOMEM;
	dictionary->keys = keys;
	dictionary->room = room;
	return 0;
}

static int make_room_for_bytes(struct dictionary *dictionary, size_t size)
{
	size_t needed = dictionary->used + size + 1;
	size_t room = dictionary->bytes_room ? dictionary->bytes_room : BYTES_FIRST;
	char *bytes;

	if (needed <= dictionary->bytes_room)
		return 0;
	while (room < needed)
		room *= 2;
	bytes = realloc(dictionary->bytes, room);
	if (!bytes)
		return -ENOMEM;
	dictionary->bytes = bytes;
	dictionary->bytes_room = room;
	return 0;
}

static int add_key(struct dictionary *dictionary, const void *key, size_t size, uint32_t hash)
{
	if (size >= UINT32_MAX || make_room_for_key(dictionary) ||
	    make_room_for_bytes(dictionary, size) ||
	    index_add(&dictionary->by_hash, hash, dictionary->count))
		return -ENOMEM;
	if (size > 0)
		memcpy(dictionary->bytes + dictionary->used, key, size);
	dictionary->bytes[dictionary->used + size] = '\0';
	dictionary->keys[dictionary->count++] =
		(struct dictionary_key){.at = dictionary->used, .size = (uint32_t)size};
	dictionary->used += size + 1;
	return 0;
}

static inline int64_t find(const struct dictionary *dictionary, const void *key, size_t size,
			   uint32_t hash)
{
	uint32_t position = hash;
	int64_t found;

	while ((found = index_next(&dictionary->by_hash, hash, &position)) >= 0) {
		const struct dictionary_key *other = &dictionary->keys[found];

		if (other->size == size && !memcmp(dictionary->bytes + other->at, key, size))
			return found;
	}
	return -1;
}

int64_t dictionary_find(const struct dictionary *dictionary, const void *key, size_t size)
{
	return find(dictionary, key, size, index_hash(key, size));
}

int dictionary_number(struct dictionary *dictionary, const void *key, size_t size, uint32_t *number)
{
	uint32_t hash = index_hash(key, size);
	int64_t found = find(dictionary, key, size, hash);

	*number = found < 0 ? dictionary->count : (uint32_t)found;
	return found < 0 ? add_key(dictionary, key, size, hash) : 0;
}

const char *dictionary_key(const struct dictionary *dictionary, uint32_t number, size_t *size)
{
	const struct dictionary_key *key = &dictionary->keys[number];

	*size = key->size;
	return dictionary->bytes + key->at;
}

void dictionary_release(struct dictionary *dictionary)
{
	index_release(&dictionary->by_hash);
	free(dictionary->keys);
	free(dictionary->bytes);
	memset(dictionary, 0, sizeof(*dictionary));
}

#ifdef UNIT_TEST
#include <stdio.h>

#include "unittest.h"

TEST_CASE(dictionary_keeps_numbers)
{
	struct dictionary dictionary = {0};
	uint32_t number;
	char key[32];
	size_t size;

	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < 5000; i++) {
			size = (size_t)snprintf(key, sizeof(key), "/scratch/file.%u", i);
			REQUIRE(dictionary_number(&dictionary, key, size, &number) == 0);
			EXPECT_EQ(number, i);
		}
	EXPECT_EQ(dictionary.count, 5000);
	EXPECT_EQ(dictionary_find(&dictionary, "/scratch/file.17", 16), 17);
	EXPECT_EQ(dictionary_find(&dictionary, "/scratch/file.", 14), -1);
	EXPECT_EQ(dictionary.count, 5000);
	EXPECT(!strcmp(dictionary_key(&dictionary, 4999, &size), "/scratch/file.4999"));
	EXPECT_EQ(size, strlen("/scratch/file.4999"));
	dictionary_release(&dictionary);
}

TEST_CASE(dictionary_takes_any_bytes)
{
	static const char zeros[3];
	struct dictionary dictionary = {0};
	uint32_t number;

	for (uint32_t size = 0; size <= sizeof(zeros); size++) {
		REQUIRE(dictionary_number(&dictionary, zeros, size, &number) == 0);
		EXPECT_EQ(number, size);
	}
	dictionary_release(&dictionary);
}
#endif
