/* SPDX-License-Identifier: MIT */
/*
 * mpi_table.h - from the handles of MPI objects to what we know of them.
 *
 * A table is an open-addressing hash of (key, value). Reading takes no lock: every MPI call looks up
 * one to four handles. Writing takes the table's lock. A handle that a thread looks up is alive, so nobody removes
 * it meanwhile (the program would be wrong); all that a reader has to fear is other keys
 * coming and going, and the slots being laid out anew, which `version` tells.
 *
 * Keys are never 0 or 1: these are not stored, and not found. A table of zeros is an empty table.
 *
 * Most calls hand over the same few handles, and all that is wanted is the number that records have for them. A table remembers these beside
 * its slots, each as one word, which needs no version: the key above MPI_RECENT_BITS bits of the number. It forgets a key whose value is set or removed.
 */
#ifndef RECORDER_WRAP_MPI_TABLE_H
#define RECORDER_WRAP_MPI_TABLE_H

#include "wrap/mpi_memory.h"

#define MPI_TABLE_NONE UINT64_MAX
#define MPI_TABLE_KEY_NEVER 1u /* nor any below it */

struct mpi_slot {
	_Atomic uintptr_t key;
	_Atomic uint64_t value;
};

struct mpi_slots {
	uint32_t mask;   /* their number, a power of 2, less 1 */
	uint32_t shift;  /* of a hash of 64 bits, to the number of a slot */
	uint32_t filled; /* slots that are not empty, removed ones included */
	uint32_t live;
	struct mpi_slots *spare; /* as large as this one, to move to; NULL none yet */
	struct mpi_slot slot[];
};

/* So many keys are remembered at most; larger numbers, and keys that are no addresses of a program, are not. */
#define MPI_RECENT_LOG 6u
#define MPI_RECENT_BITS 17u
#define MPI_RECENT_NONE UINT32_MAX

struct mpi_table {
	struct mpi_slots *_Atomic slots;
	_Atomic uint32_t version;
	struct mpi_lock lock;
	_Atomic uint64_t recent[1u << MPI_RECENT_LOG];
};

/* The value under the lock; MPI_TABLE_NONE if there is none. */
uint64_t mpi_table_find_locked(struct mpi_table *table, uintptr_t key);

/* Sets or replaces the value of a key, and returns the old one or MPI_TABLE_NONE. Without memory the key is
 * not stored. */
uint64_t mpi_table_set(struct mpi_table *table, uintptr_t key, uint64_t value);
/* Removes a key and returns its value or MPI_TABLE_NONE. */
uint64_t mpi_table_remove(struct mpi_table *table, uintptr_t key);
/* Adds to a value that counts from 0, and returns what it was before. */
uint64_t mpi_table_count(struct mpi_table *table, uintptr_t key);

/* The key is recorded by this number from now on, until its value is set or removed. Gives the number. */
uint32_t mpi_table_remember(struct mpi_table *table, uintptr_t key, uint32_t number);

/* Its high bits are the better ones. */
static inline uint64_t mpi_table_hash(uintptr_t key)
{
	return key * 0x9E3779B97F4A7C15u;
}

static inline uint32_t mpi_recent_place(uintptr_t key)
{
	return (uint32_t)(mpi_table_hash(key) >> (64 - MPI_RECENT_LOG));
}

/* That number, 0 of key 0; MPI_RECENT_NONE: it is not remembered. */
static inline uint32_t mpi_table_recent(const struct mpi_table *table, uintptr_t key)
{
	uint64_t word =
		atomic_load_explicit(&table->recent[mpi_recent_place(key)], memory_order_acquire);

	return word >> MPI_RECENT_BITS == key ? (uint32_t)word & ((1u << MPI_RECENT_BITS) - 1)
					      : MPI_RECENT_NONE;
}

/* The slot where the search for a key begins. */
static inline uint32_t mpi_table_first(const struct mpi_slots *slots, uintptr_t key)
{
	return (uint32_t)(mpi_table_hash(key) >> slots->shift);
}

/* The value of a key; MPI_TABLE_NONE if there is none. */
static inline uint64_t mpi_table_find(struct mpi_table *table, uintptr_t key)
{
	uint32_t version = atomic_load_explicit(&table->version, memory_order_acquire);
	struct mpi_slots *slots = atomic_load_explicit(&table->slots, memory_order_acquire);
	uint64_t value = MPI_TABLE_NONE;
	uint32_t at;

	if (!slots || __builtin_expect(key <= MPI_TABLE_KEY_NEVER, 0))
		return MPI_TABLE_NONE;
	for (at = mpi_table_first(slots, key);; at = (at + 1) & slots->mask) {
		uintptr_t here = atomic_load_explicit(&slots->slot[at].key, memory_order_acquire);

		if (here == 0)
			break;
		if (here == key) {
			value = atomic_load_explicit(&slots->slot[at].value, memory_order_relaxed);
			break;
		}
	}
	atomic_thread_fence(memory_order_acquire);
	if (atomic_load_explicit(&table->version, memory_order_relaxed) != version)
		return mpi_table_find_locked(table, key);
	return value;
}

#endif
