/* SPDX-License-Identifier: MIT */
/*
 * mem_real.h - the allocator behind ours.
 *
 * Found by dlsym() at the first call, which may be one that dlsym() itself makes, and may come before any constructor: what is asked for
 * meanwhile comes from a small area that is never given back.
 */
#ifndef RECORDER_MEM_MEM_REAL_H
#define RECORDER_MEM_MEM_REAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/hidden.h"
#include "record/memlink.h"

#define EARLY_SIZE 32768u

extern HIDDEN void *mem_next[MEM_FUNCTIONS];
extern HIDDEN uint8_t mem_early[EARLY_SIZE];

/* Looks up all of them, once. NULL: not there, or this very thread is at it. Keeps errno. */
void *mem_look_up(enum mem_function function);

static inline void *mem_next_of(enum mem_function function)
{
	void *next = __atomic_load_n(&mem_next[function], __ATOMIC_RELAXED);

	return __builtin_expect(next != NULL, 1) ? next : mem_look_up(function);
}

/* Whether it comes from the area: the allocator knows nothing of it. */
static inline bool mem_is_early(const void *area)
{
	return __builtin_expect((uintptr_t)area - (uintptr_t)mem_early < EARLY_SIZE, 0);
}

/* Zeroed; NULL with ENOMEM where the area is used up. `alignment`: a power of two. */
void *mem_early_alloc(size_t alignment, size_t size);
/* The bytes from there to the end of the area: all that a copy may read. */
size_t mem_early_rest(const void *area);

#endif
