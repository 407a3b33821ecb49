/* SPDX-License-Identifier: MIT */
/* parcels.c - see parcels.h */
#include "parcels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hashes.h"
#include "message.h"

#define PIECE_COST 16u /* records that may be read while a piece is begun */

static void group(struct parcels *parcels)
{
	struct parcel *parcel = NULL;

	for (uint32_t i = 0; i < parcels->piece_count; i++) {
		uint64_t stored = parcels->pieces[i].stored + PIECE_COST;

		if (!parcel || parcel->stored + stored > PARCEL_RECORDS) {
			parcel = &parcels->items[parcels->count++];
			*parcel = (struct parcel){.first = i};
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
