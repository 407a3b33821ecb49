/* SPDX-License-Identifier: MIT */
/* foldernames.c - see foldernames.h */
#include "record/foldernames.h"

#include <string.h>

static struct foldername *place_of(struct foldernames *names, uint32_t id)
{
	return &names->places[id % FOLDER_PLACES];
}

static size_t words_of(size_t length)
{
	return (length + 7) / 8;
}

void foldernames_put(struct foldernames *names, uint32_t id, const char *name, size_t length)
{
	struct foldername *place = place_of(names, id);
	uint32_t sequence = atomic_load_explicit(&place->sequence, memory_order_relaxed);

	if (length == 0 || length > FOLDER_NAME_MAX || (sequence & 1) ||
	    atomic_load_explicit(&place->id, memory_order_relaxed) == id ||
	    !atomic_compare_exchange_strong(&place->sequence, &sequence, sequence + 1))
		return;
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&place->id, id, memory_order_relaxed);
	atomic_store_explicit(&place->length, length, memory_order_relaxed);
	for (size_t at = 0; at < words_of(length); at++) {
		size_t left = length - at * 8;
		uint64_t word = 0;

		memcpy(&word, name + at * 8, left < 8 ? left : 8);
		atomic_store_explicit(&place->words[at], word, memory_order_relaxed);
	}
	atomic_store_explicit(&place->sequence, sequence + 2, memory_order_release);
}

size_t foldernames_get(struct foldernames *names, uint32_t id, char *name)
{
	struct foldername *place = place_of(names, id);
	uint32_t sequence = atomic_load_explicit(&place->sequence, memory_order_acquire);
	size_t length = atomic_load_explicit(&place->length, memory_order_relaxed);

	if ((sequence & 1) || id == 0 ||
	    atomic_load_explicit(&place->id, memory_order_relaxed) != id ||
	    length > FOLDER_NAME_MAX)
		return 0;
	for (size_t at = 0; at < words_of(length); at++) {
		uint64_t word = atomic_load_explicit(&place->words[at], memory_order_relaxed);
		size_t left = length - at * 8;

		memcpy(name + at * 8, &word, left < 8 ? left : 8);
	}
	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(&place->sequence, memory_order_relaxed) == sequence ? length
											: 0;
}

#ifdef UNIT_TEST
#include <stdbool.h>

#include "unittest.h"

static struct foldernames names;

static bool knows(uint32_t id, const char *name)
{
	char found[FOLDER_NAME_MAX];
	size_t length = foldernames_get(&names, id, found);

	return length == strlen(name) && !memcmp(found, name, length);
}

TEST_CASE(foldernames_by_number)
{
	char longest[FOLDER_NAME_MAX + 2];

	EXPECT(knows(0, ""));
	EXPECT(knows(1, ""));
	foldernames_put(&names, 1, "/", 1);
	foldernames_put(&names, 2, "/data/of/eleven", 15);
	EXPECT(knows(1, "/"));
	EXPECT(knows(2, "/data/of/eleven"));
	foldernames_put(&names, 2 + FOLDER_PLACES, "/another", 8); /* in its place */
	EXPECT(knows(2, ""));
	EXPECT(knows(2 + FOLDER_PLACES, "/another"));
	memset(longest, 'x', sizeof(longest));
	longest[FOLDER_NAME_MAX + 1] = '\0';
	foldernames_put(&names, 3, longest, FOLDER_NAME_MAX + 1);
	EXPECT(knows(3, ""));
	longest[FOLDER_NAME_MAX] = '\0';
	foldernames_put(&names, 3, longest, FOLDER_NAME_MAX);
	EXPECT(knows(3, longest));
}

TEST_CASE(foldernames_being_written)
{
	foldernames_put(&names, 5, "/five", 5);
	atomic_fetch_add(&names.places[5].sequence, 1);
	EXPECT(knows(5, ""));
	foldernames_put(&names, 5 + FOLDER_PLACES, "/six", 4);
	atomic_fetch_add(&names.places[5].sequence, 1);
	EXPECT(knows(5, "/five"));
}
#endif
