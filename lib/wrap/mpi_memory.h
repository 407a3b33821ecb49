/* SPDX-License-Identifier: MIT */
/*
 * mpi_memory.h - memory and locks of layer mpi. Both work without libc.
 *
 * Nothing here is for signal handlers: MPI may not be called in them.
 */
#ifndef RECORDER_WRAP_MPI_MEMORY_H
#define RECORDER_WRAP_MPI_MEMORY_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "record/critical.h"
#include "record/sys.h"

/* Zeroed memory that is never given back; NULL if there is none. */
void *mpi_memory_get(size_t size);

/*
 * Memory for the time of one call, for statuses and rank lists whose length the program decides. Kept
 * mapped for the next taker. NULL if there is none.
 */
void *mpi_scratch_take(size_t size);
void mpi_scratch_give(void *memory);

/* A lock held for some dozen instructions. */
struct mpi_lock {
	atomic_uint taken;
};

static inline void mpi_lock(struct mpi_lock *lock)
{
	unsigned spins = 0;

	critical_enter();
	while (atomic_exchange_explicit(&lock->taken, 1, memory_order_acquire)) {
		while (atomic_load_explicit(&lock->taken, memory_order_relaxed)) {
			/* its holder may need this CPU */
			if (++spins % 64 == 0)
				sys_sched_yield();
		}
	}
}

static inline void mpi_unlock(struct mpi_lock *lock)
{
	atomic_store_explicit(&lock->taken, 0, memory_order_release);
	critical_leave();
}

#endif
