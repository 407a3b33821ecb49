/* SPDX-License-Identifier: MIT */
/* unwritten.c - see unwritten.h */
#include "unwritten.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "read/index.h"

#define REGION_BITS 20u /* 1 MiB of a file */

struct span {
	uint64_t from, until;
	uint32_t who;
};

struct region_key {
	struct file_identity file;
	uint64_t number; /* of the region in the file */
};

/* Spans by their begins; none overlaps another. */
struct region {
	struct region_key key;
	struct span *spans;
	uint32_t count, room;
};

struct unwritten {
	struct region *regions;
	uint32_t count, room;
	struct index by_key;
};

struct unwritten *unwritten_new(void)
{
	return calloc(1, sizeof(struct unwritten));
}

void unwritten_free(struct unwritten *unwritten)
{
	if (!unwritten)
		return;
	for (uint32_t i = 0; i < unwritten->count; i++)
		free(unwritten->regions[i].spans);
	free(unwritten->regions);
	index_release(&unwritten->by_key);
	free(unwritten);
}

static struct region *find(struct unwritten *unwritten, const struct region_key *key)
{
	uint32_t position = index_hash(key, sizeof(*key));
	int64_t number;

	while ((number = index_next(&unwritten->by_key, index_hash(key, sizeof(*key)),
				    &position)) >= 0)
		if (!memcmp(&unwritten->regions[number].key, key, sizeof(*key)))
			return &unwritten->regions[number];
	return NULL;
}

static struct region *make(struct unwritten *unwritten, const struct region_key *key)
{
	uint32_t hash = index_hash(key, sizeof(*key));

	if (unwritten->count == unwritten->room) {
		uint32_t room = unwritten->room ? 2 * unwritten->room : 64;
		struct region *regions = realloc(unwritten->regions, room * sizeof(*regions));

		if (!regions)
			return NULL;
		unwritten->regions = regions;
		unwritten->room = room;
	}
	if (index_add(&unwritten->by_key, hash, unwritten->count))
		return NULL;
	unwritten->regions[unwritten->count] = (struct region){.key = *key};
	return &unwritten->regions[unwritten->count++];
}

/* The first span that ends behind `from`. */
static uint32_t first_behind(const struct region *region, uint64_t from)
{
	uint32_t low = 0, high = region->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (region->spans[middle].until <= from)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* `count` spans are put in place of those from number `first` up to `end`. */
static int replace(struct region *region, uint32_t first, uint32_t end, const struct span *spans,
		   uint32_t count)
{
	uint32_t after = region->count - (end - first) + count;

	if (after > region->room) {
		uint32_t room = 2 * after;
		struct span *larger = realloc(region->spans, room * sizeof(*larger));

		if (!larger)
			return -ENOMEM;
		region->spans = larger;
		region->room = room;
	}
	if (region->count > end)
		memmove(&region->spans[first + count], &region->spans[end],
			(region->count - end) * sizeof(*spans));
	if (count > 0)
		memcpy(&region->spans[first], spans, count * sizeof(*spans));
	region->count = after;
	return 0;
}

/* Puts `span` in the place of all that it overlaps, or, with `sink`, nothing. */
static int put(struct region *region, const struct span *span, unwritten_sink *sink, void *self)
{
	uint32_t first = first_behind(region, span->from), end = first, count = 0;
	struct span pieces[3], *last;

	while (end < region->count && region->spans[end].from < span->until) {
		if (sink)
			sink(self, region->spans[end].who);
		end++;
	}
	if (end > first && region->spans[first].from < span->from)
		pieces[count++] = (struct span){region->spans[first].from, span->from,
						region->spans[first].who};
	if (!sink)
		pieces[count++] = *span;
	last = end > first ? &region->spans[end - 1] : NULL;
	if (last && last->until > span->until)
		pieces[count++] = (struct span){span->until, last->until, last->who};
	return replace(region, first, end, pieces, count);
}

/* What of a range lies in the region that it begins in; the next begins at its end. */
static struct span cut(uint64_t from, uint64_t until, uint32_t who)
{
	uint64_t end = ((from >> REGION_BITS) + 1) << REGION_BITS;

	return (struct span){from, end > from && end < until ? end : until, who};
}

int unwritten_add(struct unwritten *unwritten, const struct file_identity *file, uint64_t from,
		  uint64_t until, uint32_t who)
{
	int error = 0;

	while (from < until && !error) {
		struct region_key key = {*file, from >> REGION_BITS};
		struct span span = cut(from, until, who);
		struct region *region = find(unwritten, &key);

		region = region ? region : make(unwritten, &key);
		error = region ? put(region, &span, NULL, NULL) : -ENOMEM;
		from = span.until;
	}
	return error;
}

int unwritten_take(struct unwritten *unwritten, const struct file_identity *file, uint64_t from,
		   uint64_t until, unwritten_sink *sink, void *self)
{
	int error = 0;

	while (from < until && !error) {
		struct region_key key = {*file, from >> REGION_BITS};
		struct span span = cut(from, until, 0);
		struct region *region = find(unwritten, &key);

		error = region ? put(region, &span, sink, self) : 0;
		from = span.until;
	}
	return error;
}

#ifdef UNIT_TEST
#include <stdio.h>

#include "unittest.h"

static void note(void *self, uint32_t who)
{
	char *text = self;

	snprintf(text + strlen(text), 32, "%u ", (unsigned)who);
}

TEST_CASE(bytes_are_those_of_who_wrote_them_last_until_they_are_taken)
{
	struct unwritten *unwritten = unwritten_new();
	struct file_identity file = {1, 2, 3}, other = {1, 2, 4};
	char got[256] = "";

	EXPECT_EQ(unwritten_add(unwritten, &file, 0, 100, 1), 0);
	EXPECT_EQ(unwritten_add(unwritten, &file, 40, 60, 2), 0);
	EXPECT_EQ(unwritten_add(unwritten, &other, 0, 100, 3), 0);
	EXPECT_EQ(unwritten_take(unwritten, &file, 50, 70, note, got), 0);
	EXPECT_STR(got, "2 1 ");
	got[0] = '\0';
	EXPECT_EQ(unwritten_take(unwritten, &file, 0, 100, note, got), 0);
	EXPECT_STR(got, "1 2 1 ");
	got[0] = '\0';
	EXPECT_EQ(unwritten_take(unwritten, &file, 0, 100, note, got), 0);
	EXPECT_STR(got, "");
	unwritten_free(unwritten);
}

TEST_CASE(bytes_of_several_regions)
{
	struct unwritten *unwritten = unwritten_new();
	struct file_identity file = {1, 2, 3};
	char got[256] = "";

	EXPECT_EQ(unwritten_add(unwritten, &file, 1000, (3u << 20) + 5, 7), 0);
	EXPECT_EQ(unwritten_take(unwritten, &file, 0, 1u << 20, note, got), 0);
	EXPECT_STR(got, "7 ");
	EXPECT_EQ(unwritten_take(unwritten, &file, 1u << 20, 4u << 20, note, got), 0);
	EXPECT_STR(got, "7 7 7 7 ");
	unwritten_free(unwritten);
}
#endif
