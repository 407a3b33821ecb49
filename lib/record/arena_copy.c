/* SPDX-License-Identifier: MIT */
/* arena_copy.c - copies of entries that are being written. */
#include "record/arena_copy.h"

#include <string.h>

#include "format/defs.h"

/* What `size` bytes from `position` on held when they were looked at; what a header says is there is copied after it. */
static void copy_area(uint8_t *to, uint8_t *area, uint64_t position, uint32_t size)
{
	for (uint32_t i = 0; i < size; i += sizeof(uint64_t)) {
		uint64_t word =
			atomic_load_explicit(arena_word(area, position + i), memory_order_acquire);

		memcpy(to + i, &word, sizeof(word));
	}
}

/*
 * Entries that were reserved and not begun when they were copied from `position`: zeros, of which nothing tells how many entries they are. Their size; 0 if one
 * of them has been begun since, so that what follows in the copy may be part of it.
 */
static uint32_t unbegun(const uint8_t *copy, uint32_t size, uint8_t *area, uint64_t position)
{
	static const uint8_t zeros[sizeof(uint64_t)];
	uint32_t end = 0;

	while (end < size && !memcmp(copy + end, zeros, sizeof(zeros)))
		end += sizeof(uint64_t);
	for (uint32_t at = 0; at < end; at += sizeof(uint64_t))
		if (atomic_load_explicit(arena_word(area, position + at), memory_order_relaxed))
			return 0;
	return end;
}

static void make_padding(uint8_t *at, uint32_t size)
{
	struct def_header padding = {size - (uint32_t)sizeof(padding), DEF_PADDING, 0};

	memcpy(at, &padding, sizeof(padding));
}

/* One entry, or a gap, whose size it returns; 0: that cannot be one. In a chunk the mark of completeness has no meaning and is 0. */
static uint32_t take_entry(struct arena_copy *found, uint8_t *at, uint32_t left, uint8_t *area,
			   uint64_t position)
{
	struct def_header *entry = (struct def_header *)at;
	bool complete = entry->complete;
	bool begun = complete || entry->size;
	size_t size = begun ? def_entry_size(entry->size) : unbegun(at, left, area, position);

	if (size == 0 || size > left)
		return 0;
	entry->complete = 0;
	if (!complete)
		make_padding(at, (uint32_t)size);
	found->has_entry = found->has_entry || complete;
	found->has_gaps = found->has_gaps || !complete;
	return (uint32_t)size;
}

struct arena_copy arena_copy_entries(uint8_t *copy, uint8_t *area, uint64_t from, uint32_t size)
{
	struct arena_copy found = {.settled = true};

	copy_area(copy, area, from, size);
	while (found.size < size && found.settled) {
		uint32_t entry = take_entry(&found, copy + found.size, size - found.size, area,
					    from + found.size);

		found.settled = entry > 0;
		found.size += entry;
		found.count += found.settled;
		if (!found.has_gaps)
			found.whole = found.size;
	}
	return found;
}

#ifdef UNIT_TEST
#include "unittest.h"

static _Alignas(8) uint8_t test_area[ARENA_AREA_SIZE], test_copy[ARENA_AREA_SIZE];

/* An entry of 16 bytes of text at `at`: reserved only, begun, or complete. Its size. */
static uint32_t put(uint64_t at, const char *text, bool begun, bool complete)
{
	struct def_header header = {16, DEF_NAME, complete};
	uint8_t *entry = test_area + (at & (ARENA_AREA_SIZE - 1));

	memset(entry, 0, 24);
	if (begun)
		memcpy(entry, &header, sizeof(header));
	if (begun)
		memcpy(entry + 8, text, strlen(text));
	return 24;
}

TEST_CASE(arena_copy_without_gaps)
{
	uint64_t from = ARENA_AREA_SIZE - 48;
	struct arena_copy found;
	struct def_header header;

	for (uint32_t i = 0; i < 4; i++)
		put(from + (uint64_t)i * 24, "text", true, true);
	found = arena_copy_entries(test_copy, test_area, from, 96);
	EXPECT_EQ(found.size, 96);
	EXPECT_EQ(found.whole, 96);
	EXPECT_EQ(found.count, 4);
	EXPECT(found.settled && found.has_entry && !found.has_gaps);
	memcpy(&header, test_copy + 72, sizeof(header));
	EXPECT_EQ(header.size, 16);
	EXPECT_EQ(header.complete, 0);
}

TEST_CASE(arena_copy_leaves_out_what_is_not_complete)
{
	static const uint32_t sizes[] = {16, 40, 16, 16, 16};
	uint32_t at = put(0, "whole", true, true);
	struct arena_copy found;

	at += put(at, "", false, false);
	at += put(at, "", false, false);
	at += put(at, "behind", true, true);
	at += put(at, "begun", true, false);
	at += put(at, "last", true, true);
	found = arena_copy_entries(test_copy, test_area, 0, at);
	EXPECT_EQ(found.size, at);
	EXPECT_EQ(found.whole, 24);
	EXPECT_EQ(found.count, 5);
	EXPECT(found.settled && found.has_entry && found.has_gaps);
	for (uint32_t i = 0, entry = 0; i < 5; i++) {
		struct def_header header;

		memcpy(&header, test_copy + entry, sizeof(header));
		EXPECT_EQ(header.size, sizes[i]);
		EXPECT_EQ(header.type, i == 1 || i == 3 ? DEF_PADDING : DEF_NAME);
		entry += (uint32_t)def_entry_size(header.size);
	}
}

/* What was zero when it was copied has been begun before what is behind it was copied. */
TEST_CASE(arena_copy_begun_meanwhile)
{
	static const uint8_t zeros[24];

	put(0, "begun", true, false);
	memcpy(test_copy, zeros, sizeof(zeros));
	EXPECT_EQ(unbegun(test_copy, sizeof(zeros), test_area, 0), 0);
	put(0, "", false, false);
	EXPECT_EQ(unbegun(test_copy, sizeof(zeros), test_area, 0), 24);
}

TEST_CASE(arena_copy_ends_at_what_cannot_be_an_entry)
{
	uint32_t at = put(0, "whole", true, true);
	struct def_header wild = {UINT32_MAX - 7, DEF_NAME, 1};
	struct arena_copy found;

	put(at, "", false, false);
	memcpy(test_area + at, &wild, sizeof(wild));
	found = arena_copy_entries(test_copy, test_area, 0, at + 24);
	EXPECT_EQ(found.size, at);
	EXPECT_EQ(found.count, 1);
	EXPECT(!found.settled);
}
#endif
