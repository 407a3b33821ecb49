/* SPDX-License-Identifier: MIT */
/* watched_order.c - see watched_order.h */
#include "system/watched_order.h"

#include <stdlib.h>
#include <string.h>

struct place {
	uint64_t end;
	size_t at;
};

static int by_end(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static struct raw_record *record_at(const struct watched_records *records, size_t at)
{
	return (struct raw_record *)(void *)(records->raw.bytes + at);
}

static void let_ends_rise(const struct watched_records *records)
{
	uint64_t last = 0;

	for (size_t at = 0; at < records->raw.size; at += record_at(records, at)->size) {
		struct raw_record *record = record_at(records, at);

		if (record->tend < last)
			record->tend = last;
		last = record->tend;
	}
}

static void put_in_order(struct watched_records *records, const struct place *places,
			 uint8_t *ordered, uint64_t first)
{
	size_t size = 0;

	for (uint32_t i = 0; i < records->count; i++) {
		struct raw_record *record = record_at(records, places[i].at);

		record->sequence = (uint32_t)(first + i);
		memcpy(ordered + size, record, record->size);
		size += record->size;
	}
	memcpy(records->raw.bytes, ordered, size);
}

void watched_order(struct watched_records *records, uint64_t first)
{
	struct place *places = malloc(records->count * sizeof(*places));
	uint8_t *ordered = malloc(records->raw.size);
	uint32_t count = 0;

	if (!places || !ordered) {
		let_ends_rise(records);
		free(places);
		free(ordered);
		return;
	}
	for (size_t at = 0; count < records->count; at += record_at(records, at)->size)
		places[count++] = (struct place){record_at(records, at)->tend, at};
	qsort(places, count, sizeof(*places), by_end);
	put_in_order(records, places, ordered, first);
	free(places);
	free(ordered);
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(watched_order)
{
	static const uint64_t ends[] = {10, 30, 20, 30, 5}, want[] = {5, 10, 20, 30, 30},
			      starts[] = {4, 0, 2, 1, 3};
	struct raw_record records[5];
	struct watched_records all = {.raw = {(uint8_t *)records, sizeof(records), sizeof(records)},
				      .count = 5};

	memset(records, 0, sizeof(records));
	for (unsigned i = 0; i < 5; i++) {
		records[i].size = sizeof(records[i]);
		records[i].tend = ends[i];
		records[i].tstart = i;
	}
	watched_order(&all, 7);
	for (unsigned i = 0; i < 5; i++) {
		EXPECT_EQ(records[i].tend, want[i]);
		EXPECT_EQ(records[i].tstart, starts[i]);
		EXPECT_EQ(records[i].sequence, 7 + i);
	}
}
#endif
