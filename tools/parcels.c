/* SPDX-License-Identifier: MIT */
/* parcels.c - see parcels.h */
#include "parcels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hashes.h"
#include "message.h"

#define PIECE_COST 16u /* records that may be read while a piece is begun */
#define HALVED_RECORDS (24u << 10)
#define SKIPPED_COST 6u /* so many records are read over while one is converted */

static void group(struct parcels *parcels)
{
	struct parcel *parcel = NULL;

	for (uint32_t i = 0; i < parcels->piece_count; i++) {
		uint64_t stored = parcels->pieces[i].stored + PIECE_COST;

		if (!parcel || parcel->stored + stored > PARCEL_RECORDS) {
			parcel = &parcels->items[parcels->count++];
			*parcel = (struct parcel){.first = i, .until = UINT64_MAX};
		}
		parcel->end = i + 1;
		parcel->stored += stored;
		parcels->stored += stored;
	}
}

void parcels_init(struct parcels *parcels, const struct reader *trace,
		  const struct reader_filter *filter)
{
	int64_t count;

	memset(parcels, 0, sizeof(*parcels));
	count = reader_pieces(trace, filter, PARCEL_RECORDS, &parcels->pieces);
	if (count < 0) {
		message_error("%s", count == -ENOMEM ? "out of memory" : reader_error(trace));
		exit(count == -EINVAL ? EXIT_USAGE : EXIT_FAILED);
	}
	parcels->piece_count = (uint32_t)count;
	parcels->items = calloc((size_t)count + 1, sizeof(*parcels->items));
	if (!parcels->items)
		die("out of memory");
	group(parcels);
}

void parcels_release(struct parcels *parcels)
{
	free(parcels->pieces);
	free(parcels->items);
	memset(parcels, 0, sizeof(*parcels));
}

int parcels_halve(struct parcels *parcels)
{
	struct parcel *items = calloc(2 * (size_t)parcels->count + 1, sizeof(*items));
	uint32_t count = 0;

	if (!items)
		return -ENOMEM;
	for (uint32_t i = 0; i < parcels->count; i++) {
		struct parcel parcel = parcels->items[i];
		uint64_t stored = parcels->pieces[parcel.first].stored;

		if (parcel.end == parcel.first + 1 && stored >= HALVED_RECORDS) {
			parcel.until = stored / 2;
			parcel.stored = stored / 2 + PIECE_COST;
			items[count++] = parcel;
			parcel.from = parcel.until;
			parcel.until = UINT64_MAX;
			parcel.stored += stored / 2 / SKIPPED_COST;
		}
		items[count++] = parcel;
	}
	free(parcels->items);
	parcels->items = items;
	parcels->count = count;
	return 0;
}

int parcels_add(struct parcels *parcels, const struct parcel *parcel)
{
	struct parcel *items;

	items = realloc(parcels->items, ((size_t)parcels->count + 1) * sizeof(*items));
	if (!items)
		return -ENOMEM;
	parcels->items = items;
	items[parcels->count++] = *parcel;
	parcels->stored += parcel->stored;
	return 0;
}

void parcels_deal(struct parcels *parcels, unsigned count)
{
	uint64_t *loads = calloc(count, sizeof(*loads));

	if (!loads)
		die("out of memory");
	for (uint32_t i = 0; i < parcels->count; i++) {
		unsigned least = 0;

		for (unsigned k = 1; k < count; k++)
			if (loads[k] < loads[least])
				least = k;
		if (parcels->items[i].follows && i > 0)
			least = parcels->items[i - 1].owner;
		parcels->items[i].owner = least;
		loads[least] += parcels->items[i].stored;
	}
	free(loads);
}

uint64_t parcels_fingerprint(const struct parcels *parcels)
{
	uint64_t numbers[] = {parcels->piece_count, parcels->count, parcels->stored,
			      name_hash((const char *)parcels->pieces,
					parcels->piece_count * sizeof(*parcels->pieces))};

	return name_hash((const char *)numbers, sizeof(numbers));
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(large_pieces_are_halved)
{
	struct reader_piece pieces[3] = {{.stored = 100}, {.stored = 40001}, {.stored = 200}};
	struct parcels parcels = {.pieces = pieces, .piece_count = 3};

	parcels.items = calloc(4, sizeof(*parcels.items));
	REQUIRE(parcels.items != NULL);
	group(&parcels);
	EXPECT_EQ(parcels.count, 3);
	EXPECT_EQ(parcels_halve(&parcels), 0);
	REQUIRE(parcels.count == 4);
	EXPECT_EQ(parcels.items[0].until, UINT64_MAX);
	EXPECT_EQ(parcels.items[1].from, 0);
	EXPECT_EQ(parcels.items[1].until, 20000);
	EXPECT_EQ(parcels.items[2].first, 1);
	EXPECT_EQ(parcels.items[2].from, 20000);
	EXPECT_EQ(parcels.items[2].until, UINT64_MAX);
	EXPECT_EQ(parcels.items[3].first, 2);
	free(parcels.items);
}

TEST_CASE(parcels_are_dealt_evenly_and_in_turn)
{
	struct parcel items[40] = {{0}};
	struct parcels parcels = {.items = items, .count = 40};
	uint64_t loads[3] = {0};

	for (unsigned i = 0; i < 40; i++)
		items[i].stored = 1000 + i * 37 % 100;
	parcels_deal(&parcels, 3);
	for (unsigned i = 0; i < 40; i++) {
		loads[items[i].owner] += items[i].stored;
		EXPECT(i >= 3 || items[i].owner == i);
	}
	EXPECT(loads[0] < 15200 && loads[1] < 15200 && loads[2] < 15200);
}
#endif
