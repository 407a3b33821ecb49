/* SPDX-License-Identifier: MIT */
/* mpi_table.c - writing to tables of MPI handles */
#include "wrap/mpi_table.h"

#include <stdbool.h>

#define FIRST_BITS 7u
#define REMOVED ((uintptr_t)MPI_TABLE_KEY_NEVER)

static struct mpi_slots *slots_new(uint32_t bits)
{
	struct mpi_slots *slots = mpi_memory_get(sizeof(*slots) + (sizeof(slots->slot[0]) << bits));

	if (slots) {
		slots->mask = (1u << bits) - 1;
		slots->shift = 64 - bits;
	}
	return slots;
}

/* The slot that has the key, or else the one where it is to be put: a removed one or the end of the search. */
static struct mpi_slot *slots_search(struct mpi_slots *slots, uintptr_t key)
{
	struct mpi_slot *place = NULL;

	for (uint32_t at = mpi_table_first(slots, key);; at = (at + 1) & slots->mask) {
		struct mpi_slot *slot = &slots->slot[at];
		uintptr_t here = atomic_load_explicit(&slot->key, memory_order_relaxed);

		if (here == key)
			return slot;
		if (here == REMOVED && !place)
			place = slot;
		if (here == 0)
			return place ? place : slot;
	}
}

/* The value first: whoever finds the key finds its value. */
static void slot_fill(struct mpi_slots *slots, struct mpi_slot *slot, uintptr_t key, uint64_t value)
{
	uintptr_t before = atomic_load_explicit(&slot->key, memory_order_relaxed);

	slots->filled += before == 0;
	slots->live += before != key;
	atomic_store_explicit(&slot->value, value, memory_order_relaxed);
	atomic_store_explicit(&slot->key, key, memory_order_release);
}

static void slots_copy(struct mpi_slots *to, struct mpi_slots *from)
{
	for (uint32_t at = 0; at <= from->mask; at++) {
		uintptr_t key = atomic_load_explicit(&from->slot[at].key, memory_order_relaxed);

		if (key > REMOVED)
			slot_fill(to, slots_search(to, key), key,
				  atomic_load_explicit(&from->slot[at].value,
						       memory_order_relaxed));
	}
}

static void slots_clear(struct mpi_slots *slots)
{
	for (uint32_t at = 0; at <= slots->mask; at++)
		atomic_store_explicit(&slots->slot[at].key, 0, memory_order_relaxed);
	slots->filled = slots->live = 0;
}

/* Where to move to: twice as large, or, if most keys are removed ones, the other one of this size. */
static struct mpi_slots *slots_next(struct mpi_slots *slots)
{
	struct mpi_slots *next = slots->spare;
	uint32_t bits = 64 - slots->shift;

	if (slots->live > slots->mask / 3)
		return slots_new(bits + 1);
	if (next) {
		slots_clear(next);
	} else {
		next = slots_new(bits);
		if (next)
			next->spare = slots;
		slots->spare = next;
	}
	return next;
}

/*
 * Room for one more key. Slots that are left may still be read, so they are not unmapped; they are
 * used again, which readers notice by the version.
 */
static bool table_reserve(struct mpi_table *table)
{
	struct mpi_slots *slots = atomic_load_explicit(&table->slots, memory_order_relaxed);
	struct mpi_slots *next;

	if (slots && slots->filled < slots->mask / 3 * 2)
		return true;
	atomic_fetch_add_explicit(&table->version, 1, memory_order_relaxed);
	/* before the first store into slots that were used before */
	atomic_thread_fence(memory_order_release);
	next = slots ? slots_next(slots) : slots_new(FIRST_BITS);
	if (next) {
		if (slots)
			slots_copy(next, slots);
		atomic_store_explicit(&table->slots, next, memory_order_release);
	}
	return next || (slots && slots->filled < slots->mask);
}

static uint64_t table_find(struct mpi_table *table, uintptr_t key)
{
	struct mpi_slots *slots = atomic_load_explicit(&table->slots, memory_order_relaxed);
	struct mpi_slot *slot;

	if (!slots || key <= REMOVED)
		return MPI_TABLE_NONE;
	slot = slots_search(slots, key);
	if (atomic_load_explicit(&slot->key, memory_order_relaxed) != key)
		return MPI_TABLE_NONE;
	return atomic_load_explicit(&slot->value, memory_order_relaxed);
}

/* ---- what is remembered ---- */

uint32_t mpi_table_remember(struct mpi_table *table, uintptr_t key, uint32_t number)
{
	uint64_t word = (uint64_t)key << MPI_RECENT_BITS | number;

	if (word >> MPI_RECENT_BITS == key && number >> MPI_RECENT_BITS == 0)
		atomic_store_explicit(&table->recent[mpi_recent_place(key)], word,
				      memory_order_release);
	return number;
}

static void forget(struct mpi_table *table, uintptr_t key)
{
	_Atomic uint64_t *place = &table->recent[mpi_recent_place(key)];
	uint64_t word = atomic_load_explicit(place, memory_order_relaxed);

	if (word >> MPI_RECENT_BITS == key) /* unless it is another's by now */
		atomic_compare_exchange_strong(place, &word, 0);
}

/* ---- writing ---- */

static uint64_t table_set(struct mpi_table *table, uintptr_t key, uint64_t value)
{
	uint64_t before = table_find(table, key);
	struct mpi_slots *slots;

	if (key <= REMOVED || (before == MPI_TABLE_NONE && !table_reserve(table)))
		return MPI_TABLE_NONE;
	slots = atomic_load_explicit(&table->slots, memory_order_relaxed);
	slot_fill(slots, slots_search(slots, key), key, value);
	forget(table, key);
	return before;
}

uint64_t mpi_table_find_locked(struct mpi_table *table, uintptr_t key)
{
	uint64_t value;

	mpi_lock(&table->lock);
	value = table_find(table, key);
	mpi_unlock(&table->lock);
	return value;
}

uint64_t mpi_table_set(struct mpi_table *table, uintptr_t key, uint64_t value)
{
	uint64_t before;

	mpi_lock(&table->lock);
	before = table_set(table, key, value);
	mpi_unlock(&table->lock);
	return before;
}

uint64_t mpi_table_count(struct mpi_table *table, uintptr_t key)
{
	uint64_t before;

	mpi_lock(&table->lock);
	before = table_find(table, key);
	if (before == MPI_TABLE_NONE)
		before = 0;
	table_set(table, key, before + 1);
	mpi_unlock(&table->lock);
	return before;
}

uint64_t mpi_table_remove(struct mpi_table *table, uintptr_t key)
{
	struct mpi_slots *slots;
	uint64_t before;

	mpi_lock(&table->lock);
	before = table_find(table, key);
	if (before != MPI_TABLE_NONE) {
		slots = atomic_load_explicit(&table->slots, memory_order_relaxed);
		atomic_store_explicit(&slots_search(slots, key)->key, REMOVED,
				      memory_order_relaxed);
		slots->live--;
		forget(table, key);
	}
	mpi_unlock(&table->lock);
	return before;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(mpi_table_keeps_values)
{
	static struct mpi_table table;

	EXPECT(mpi_table_find(&table, 16) == MPI_TABLE_NONE);
	EXPECT(mpi_table_find(&table, 0) == MPI_TABLE_NONE);
	for (uintptr_t key = 16; key < 16 * 1000; key += 16)
		EXPECT(mpi_table_set(&table, key, key * 3) == MPI_TABLE_NONE);
	for (uintptr_t key = 16; key < 16 * 1000; key += 16)
		EXPECT_EQ(mpi_table_find(&table, key), key * 3);
	EXPECT_EQ(mpi_table_set(&table, 32, 7), 96);
	EXPECT_EQ(mpi_table_remove(&table, 32), 7);
	EXPECT(mpi_table_find(&table, 32) == MPI_TABLE_NONE);
	EXPECT(mpi_table_remove(&table, 32) == MPI_TABLE_NONE);
	EXPECT(mpi_table_find(&table, 0) == MPI_TABLE_NONE);
}

TEST_CASE(mpi_table_does_not_grow_by_coming_and_going)
{
	static struct mpi_table table;

	mpi_table_set(&table, 5, 55);
	for (uintptr_t key = 1000; key < 200000; key++) {
		mpi_table_set(&table, key * 64, key);
		EXPECT_EQ(mpi_table_remove(&table, key * 64), key);
	}
	EXPECT_EQ(mpi_table_find(&table, 5), 55);
	EXPECT_EQ(table.slots->mask + 1, 1u << FIRST_BITS);
}

TEST_CASE(mpi_table_has_no_small_keys)
{
	static struct mpi_table table;

	mpi_table_set(&table, 64, 7);
	mpi_table_remove(&table, 64);
	for (uintptr_t key = 0; key <= MPI_TABLE_KEY_NEVER; key++) {
		EXPECT(mpi_table_set(&table, key, 9) == MPI_TABLE_NONE);
		EXPECT(mpi_table_find(&table, key) == MPI_TABLE_NONE);
		EXPECT(mpi_table_find_locked(&table, key) == MPI_TABLE_NONE);
		EXPECT(mpi_table_remove(&table, key) == MPI_TABLE_NONE);
	}
}

TEST_CASE(mpi_table_remembers)
{
	static struct mpi_table table;

	EXPECT_EQ(mpi_table_recent(&table, 0), 0);
	EXPECT_EQ(mpi_table_recent(&table, 64), MPI_RECENT_NONE);
	mpi_table_set(&table, 64, 7);
	mpi_table_remember(&table, 64, 0);
	EXPECT_EQ(mpi_table_recent(&table, 64), 0);
	mpi_table_remember(&table, 64, (1u << MPI_RECENT_BITS) - 1);
	EXPECT_EQ(mpi_table_recent(&table, 64), (1u << MPI_RECENT_BITS) - 1);
	mpi_table_set(&table, 64, 8);
	EXPECT_EQ(mpi_table_recent(&table, 64), MPI_RECENT_NONE);
	mpi_table_remember(&table, 64, 8);
	mpi_table_remove(&table, 64);
	EXPECT_EQ(mpi_table_recent(&table, 64), MPI_RECENT_NONE);
	/* what does not fit into a word */
	mpi_table_remember(&table, 64, 1u << MPI_RECENT_BITS);
	EXPECT_EQ(mpi_table_recent(&table, 64), MPI_RECENT_NONE);
	mpi_table_remember(&table, (uintptr_t)1 << 50 | 64, 9);
	EXPECT_EQ(mpi_table_recent(&table, (uintptr_t)1 << 50 | 64), MPI_RECENT_NONE);
	EXPECT_EQ(mpi_table_recent(&table, 64), MPI_RECENT_NONE);
	/* one that has another one's place, which the other one's end leaves alone */
	for (uintptr_t key = 65; key < 100000; key++) {
		if (mpi_recent_place(key) != mpi_recent_place(64))
			continue;
		mpi_table_set(&table, 64, 7);
		mpi_table_remember(&table, key, 3);
		EXPECT_EQ(mpi_table_recent(&table, 64), MPI_RECENT_NONE);
		mpi_table_remove(&table, 64);
		EXPECT_EQ(mpi_table_recent(&table, key), 3);
	}
}

TEST_CASE(mpi_table_counts)
{
	static struct mpi_table table;

	EXPECT_EQ(mpi_table_count(&table, 99), 0);
	EXPECT_EQ(mpi_table_count(&table, 99), 1);
	EXPECT_EQ(mpi_table_count(&table, 98), 0);
}
#endif
