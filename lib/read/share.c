/* SPDX-License-Identifier: MIT */
/* share.c - see share.h */
#include "read/share.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct sized {
	uint32_t records;
	size_t number;
};

/* What a reader has so far. */
struct load {
	uint64_t records;
	unsigned part;
};

int share_add(struct share *share, uint32_t records)
{
	if (share->count == share->capacity) {
		size_t capacity = share->capacity * 2 + 64;
		uint32_t *larger = realloc(share->records, capacity * sizeof(*larger));

		if (!larger)
			return -ENOMEM;
		share->records = larger;
		share->capacity = capacity;
	}
	share->records[share->count++] = records;
	return 0;
}

static int by_size(const void *a, const void *b)
{
	const struct sized *x = a, *y = b;

	if (x->records != y->records)
		return x->records > y->records ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static bool has_less(const struct load *a, const struct load *b)
{
	return a->records != b->records ? a->records < b->records : a->part < b->part;
}

/* Lets the first load of a heap sink to its place after it has grown. */
static void sink(struct load *heap, unsigned count)
{
	struct load load = heap[0];
	unsigned i = 0;

	for (;;) {
		size_t child = 2 * (size_t)i + 1;

		if (child + 1 < count && has_less(&heap[child + 1], &heap[child]))
			child++;
		if (child >= count || !has_less(&heap[child], &load))
			break;
		heap[i] = heap[child];
		i = (unsigned)child;
	}
	heap[i] = load;
}

static void deal(struct share *share, const struct sized *chunks, struct load *heap, unsigned part,
		 unsigned parts)
{
	for (unsigned i = 0; i < parts; i++)
		heap[i] = (struct load){0, i};
	for (size_t i = 0; i < share->count; i++) {
		if (heap[0].part == part)
			share->mine[chunks[i].number / 8] |= (uint8_t)(1 << chunks[i].number % 8);
		heap[0].records += chunks[i].records;
		sink(heap, parts);
	}
}

int share_deal(struct share *share, unsigned part, unsigned parts)
{
	struct sized *chunks = calloc(share->count + 1, sizeof(*chunks));
	struct load *heap = calloc(parts, sizeof(*heap));
	int error = -ENOMEM;

	share->mine = calloc(share->count / 8 + 1, 1);
	if (chunks && heap && share->mine) {
		for (size_t i = 0; i < share->count; i++)
			chunks[i] = (struct sized){share->records[i], i};
		qsort(chunks, share->count, sizeof(*chunks), by_size);
		deal(share, chunks, heap, part, parts);
		error = 0;
	}
	free(chunks);
	free(heap);
	free(share->records);
	share->records = NULL;
	return error;
}

bool share_has(const struct share *share, size_t number)
{
	return share->mine[number / 8] >> number % 8 & 1;
}

void share_release(struct share *share)
{
	free(share->records);
	free(share->mine);
	memset(share, 0, sizeof(*share));
}

#ifdef UNIT_TEST
#include "unittest.h"

#define SHARE_TEST_CHUNKS 500u

/* Records of chunks as rings that grow leave them: small ones, then many of one size, a last one that is not full. */
static uint32_t share_test_size(unsigned number, unsigned chunks)
{
	return number + 1 == chunks ? 20000 : number < 6 ? 700u << number : 47000;
}

/* All have each chunk once, and no share more than `limit` records beyond another one. */
static void share_test_deal(unsigned chunks, unsigned parts, uint64_t limit)
{
	uint8_t seen[SHARE_TEST_CHUNKS] = {0};
	uint64_t least = UINT64_MAX, most = 0;

	for (unsigned part = 0; part < parts; part++) {
		struct share share = {0};
		uint64_t records = 0;

		for (unsigned i = 0; i < chunks; i++)
			REQUIRE(share_add(&share, share_test_size(i, chunks)) == 0);
		REQUIRE(share_deal(&share, part, parts) == 0);
		for (unsigned i = 0; i < chunks; i++) {
			if (!share_has(&share, i))
				continue;
			seen[i]++;
			records += share_test_size(i, chunks);
		}
		share_release(&share);
		least = records < least ? records : least;
		most = records > most ? records : most;
	}
	for (unsigned i = 0; i < chunks; i++)
		EXPECT_EQ(seen[i], 1);
	EXPECT(most - least <= limit);
}

TEST_CASE(shares_are_even)
{
	share_test_deal(0, 3, 0);
	share_test_deal(1, 1, 0);
	share_test_deal(2, 3, 20000);
	/* six small ones, of 44,100 records together, ten large ones and a part of one: the small ones even them out */
	share_test_deal(17, 2, 1000);
	for (unsigned parts = 1; parts < 40; parts = parts * 2 + 1)
		share_test_deal(SHARE_TEST_CHUNKS, parts, 47000);
}
#endif
