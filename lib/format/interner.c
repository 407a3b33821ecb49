/* SPDX-License-Identifier: MIT */
/* interner.c - see interner.h */
#include "format/interner.h"

#include <stdbool.h>
#include <string.h>

#include "format/hash.h"
#include "format/places.h"

#define SLOTS_FIRST 64u

static uint32_t slots_for(uint32_t capacity)
{
	uint32_t slots = places_for(capacity);

	return slots < SLOTS_FIRST ? SLOTS_FIRST : slots;
}

size_t interner_size(uint32_t capacity)
{
	return capacity * sizeof(struct interned) + slots_for(capacity) * sizeof(uint32_t);
}

void interner_init(struct interner *interner, void *memory, uint32_t capacity)
{
	*interner = (struct interner){.list = memory,
				      .slots = (uint32_t *)((struct interned *)memory + capacity),
				      .capacity = capacity,
				      .slot_count = SLOTS_FIRST};
	memset(interner->slots, 0, SLOTS_FIRST * sizeof(uint32_t));
}

static void double_slots(struct interner *interner)
{
	uint32_t mask;

	interner->slot_count *= 2;
	mask = interner->slot_count - 1;
	memset(interner->slots, 0, interner->slot_count * sizeof(uint32_t));
	for (uint32_t i = 0; i < interner->count; i++) {
		uint32_t slot = interner->list[i].hash & mask;

		while (interner->slots[slot])
			slot = (slot + 1) & mask;
		interner->slots[slot] = i + 1;
	}
}

static uint32_t add(struct interner *interner, uint32_t slot, struct interned entry)
{
	if (interner->count == interner->capacity)
		return INTERNER_NONE;
	interner->list[interner->count++] = entry;
	interner->slots[slot] = interner->count;
	if (interner->count * 2 > interner->slot_count)
		double_slots(interner);
	return interner->count - 1;
}

uint32_t interner_find(struct interner *interner, const void *bytes, uint32_t size)
{
	uint32_t hash = hash_bytes(bytes, size, 0), mask = interner->slot_count - 1,
		 slot = hash & mask;

	for (; interner->slots[slot]; slot = (slot + 1) & mask) {
		const struct interned *entry = &interner->list[interner->slots[slot] - 1];

		if (entry->hash == hash && entry->size == size &&
		    !memcmp(entry->bytes, bytes, size))
			return interner->slots[slot] - 1;
	}
	return add(interner, slot, (struct interned){bytes, size, hash});
}

#ifdef UNIT_TEST
#include "unittest.h"

#define INTERNER_TEST_COUNT 1000u

TEST_CASE(interner_numbers)
{
	static uint64_t memory[INTERNER_TEST_COUNT * 8];
	static char names[INTERNER_TEST_COUNT][24];
	struct interner interner;

	REQUIRE(interner_size(INTERNER_TEST_COUNT) <= sizeof(memory));
	interner_init(&interner, memory, INTERNER_TEST_COUNT);
	for (unsigned i = 0; i < INTERNER_TEST_COUNT; i++) {
		memset(names[i], 'x', sizeof(names[i]));
		memcpy(names[i] + i % 16, &i, sizeof(i));
		EXPECT_EQ(interner_find(&interner, names[i], i % 16 + 4), i);
	}
	for (unsigned i = 0; i < INTERNER_TEST_COUNT; i++)
		EXPECT_EQ(interner_find(&interner, names[i], i % 16 + 4), i);
	EXPECT_EQ(interner_find(&interner, "another", 7), INTERNER_NONE);
	EXPECT_EQ(interner_find(&interner, names[3], 19), INTERNER_NONE);
}

/* Names that are the same but for their last two bytes, wherever these are in a word, mostly have places of their own. */
TEST_CASE(interner_spreads)
{
	static uint8_t taken[4096];

	for (uint32_t size = 2; size < 40; size++) {
		uint8_t name[40] = "";
		unsigned places = 0;

		memset(taken, 0, sizeof(taken));
		for (unsigned i = 0; i < 1024; i++) {
			uint32_t place;

			name[size - 2] = (uint8_t)(i >> 5);
			name[size - 1] = (uint8_t)(i & 31);
			place = hash_bytes(name, size, 0) % sizeof(taken);
			places += !taken[place];
			taken[place] = 1;
		}
		EXPECT(places > 800);
	}
}
#endif
