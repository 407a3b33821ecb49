/* SPDX-License-Identifier: MIT */
/*
 * numbers.c - a hash table of addresses that only grows: a slot stays with its address, whose number comes and goes.
 */
#include "record/numbers.h"

#include <stdbool.h>
#include <stddef.h>

#include "record/sys.h"
#include "record/wipe.h"

#define TABLE_BITS 18u
#define TABLE_SIZE (1u << TABLE_BITS)
#define TABLE_FILL (TABLE_SIZE / 4 * 3)

struct number_slot {
	_Atomic uintptr_t object; /* 0: free */
	_Atomic int64_t number;   /* 0: none at present */
};

/* In wiped memory. */
struct number_table {
	_Atomic int64_t last;
	_Atomic uint32_t used;
	struct number_slot slots[TABLE_SIZE];
};

static struct number_table *table_of(struct numbers *numbers)
{
	struct number_table *table = atomic_load_explicit(&numbers->table, memory_order_acquire);
	struct number_table *fresh;

	if (table)
		return table;
	fresh = wipe_alloc(sizeof(*fresh));
	if (fresh && !atomic_compare_exchange_strong(&numbers->table, &table, fresh))
		return table;
	return fresh;
}

/* The slot of an object; NULL: it has none, and `take` is not set or there is no room. */
static struct number_slot *slot_of(struct number_table *table, uintptr_t object, bool take)
{
	uint32_t at = (uint32_t)((object * 0x9E3779B97F4A7C15u) >> (64 - TABLE_BITS));

	for (;; at = (at + 1) % TABLE_SIZE) {
		struct number_slot *slot = &table->slots[at];
		uintptr_t here = atomic_load_explicit(&slot->object, memory_order_acquire);

		if (here == object)
			return slot;
		if (here)
			continue;
		if (!take || atomic_load(&table->used) >= TABLE_FILL)
			return NULL;
		if (atomic_compare_exchange_strong(&slot->object, &here, object)) {
			atomic_fetch_add(&table->used, 1);
			return slot;
		}
		if (here == object)
			return slot;
	}
}

static int64_t next_number(struct number_table *table)
{
	return atomic_fetch_add_explicit(&table->last, 1, memory_order_relaxed) + 1;
}

int64_t numbers_of(struct numbers *numbers, uintptr_t object)
{
	struct number_table *table = object ? table_of(numbers) : NULL;
	struct number_slot *slot = table ? slot_of(table, object, true) : NULL;
	int64_t number, fresh;

	if (!slot)
		return object ? NUMBER_UNKNOWN : NUMBER_NULL;
	number = atomic_load_explicit(&slot->number, memory_order_relaxed);
	if (number)
		return number;
	fresh = next_number(table);
	/* of two threads that see it first at a time, both take the number of one */
	return atomic_compare_exchange_strong(&slot->number, &number, fresh) ? fresh : number;
}

int64_t numbers_begin(struct numbers *numbers, uintptr_t object)
{
	struct number_table *table = object ? table_of(numbers) : NULL;
	struct number_slot *slot = table ? slot_of(table, object, true) : NULL;
	int64_t number;

	if (!slot)
		return object ? NUMBER_UNKNOWN : NUMBER_NULL;
	number = next_number(table);
	atomic_store_explicit(&slot->number, number, memory_order_relaxed);
	return number;
}

static struct number_slot *slot_known(struct numbers *numbers, uintptr_t object)
{
	struct number_table *table = atomic_load_explicit(&numbers->table, memory_order_acquire);

	return table && object ? slot_of(table, object, false) : NULL;
}

static int64_t number_or_unknown(int64_t number, uintptr_t object)
{
	if (number)
		return number;
	return object ? NUMBER_UNKNOWN : NUMBER_NULL;
}

int64_t numbers_find(struct numbers *numbers, uintptr_t object)
{
	struct number_slot *slot = slot_known(numbers, object);

	return number_or_unknown(
		slot ? atomic_load_explicit(&slot->number, memory_order_relaxed) : 0, object);
}

int64_t numbers_end(struct numbers *numbers, uintptr_t object)
{
	struct number_slot *slot = slot_known(numbers, object);

	return number_or_unknown(
		slot ? atomic_exchange_explicit(&slot->number, 0, memory_order_relaxed) : 0,
		object);
}

void numbers_put(struct numbers *numbers, uintptr_t object, int64_t number)
{
	struct number_slot *slot = slot_known(numbers, object);

	if (slot && number > 0)
		atomic_store_explicit(&slot->number, number, memory_order_relaxed);
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(numbers_count_objects_as_they_are_seen)
{
	static struct numbers numbers;

	EXPECT_EQ(numbers_find(&numbers, 64), NUMBER_UNKNOWN);
	EXPECT_EQ(numbers_end(&numbers, 64), NUMBER_UNKNOWN);
	EXPECT_EQ(numbers_of(&numbers, 0), NUMBER_NULL);
	EXPECT_EQ(numbers_of(&numbers, 64), 1);
	EXPECT_EQ(numbers_of(&numbers, 72), 2);
	EXPECT_EQ(numbers_of(&numbers, 64), 1);
	EXPECT_EQ(numbers_begin(&numbers, 64), 3);
	EXPECT_EQ(numbers_find(&numbers, 64), 3);
	EXPECT_EQ(numbers_end(&numbers, 64), 3);
	EXPECT_EQ(numbers_find(&numbers, 64), NUMBER_UNKNOWN);
	EXPECT_EQ(numbers_of(&numbers, 64), 4);
	numbers_put(&numbers, 64, numbers_end(&numbers, 64));
	EXPECT_EQ(numbers_of(&numbers, 64), 4);
}

TEST_CASE(numbers_end_when_the_table_is_full)
{
	static struct numbers numbers;

	for (uintptr_t object = 8; object <= 8 * TABLE_FILL; object += 8)
		numbers_of(&numbers, object);
	EXPECT_EQ(numbers_of(&numbers, 4), NUMBER_UNKNOWN);
	EXPECT_EQ(numbers_begin(&numbers, 4), NUMBER_UNKNOWN);
	EXPECT_EQ(numbers_find(&numbers, 4), NUMBER_UNKNOWN);
	EXPECT_EQ(numbers_of(&numbers, 16), 2);
}
#endif
