/* SPDX-License-Identifier: MIT */
/*
 * readable.h - whether memory that the program passed can be read without a fault.
 *
 * The kernel answers EFAULT to a bad pointer; a recorder that reads it first would crash the
 * program instead. Asking the kernel each time would cost a system call, so pages that were readable once are remembered
 * in a small cache. It loses
 *
 * - those that the program unmaps or protects by a call that has a wrapper, syscall(2) among them: readable_forget();
 * - those that were in the heap of brk(2) beyond where it ends now, as free() makes it end earlier without a call that can be seen;
 * - all of them several times a second: call_attend().
 *
 * Pages of files that the program has mapped are not remembered, as whoever makes the file shorter, in another process too, takes them away.
 *
 * What is left: memory that libc itself unmaps, which is a large block of malloc() that is freed, a heap of a thread's and a stack of one that has
 * ended. Nothing tells of that but a wrapper of free(), which all programs would pay for. Who passes such memory soon after it was
 * passed when it was good, and nothing came to lie there, has a fault where the kernel would have said EFAULT.
 */
#ifndef RECORDER_RECORD_READABLE_H
#define RECORDER_RECORD_READABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/glibc.h"

#define READABLE_PAGE 12 /* bits of an address in its page, or in a part of it */
#define READABLE_CACHE 256u
#define READABLE_MEASURED (64 << 10) /* bytes of a string that are looked at */

extern _Atomic uintptr_t readable_cache[READABLE_CACHE]; /* numbers of readable pages; 0: free */
extern _Atomic uintptr_t readable_break; /* where the heap ended when the cache was last used */

static inline _Atomic uintptr_t *readable_entry(uintptr_t page)
{
	return &readable_cache[(page ^ page >> 8) % READABLE_CACHE];
}

static inline uintptr_t readable_break_now(void)
{
	return &__curbrk ? (uintptr_t)__atomic_load_n(&__curbrk, __ATOMIC_RELAXED) : 0;
}

/* The word at an address can be read now: asks the kernel. */
bool readable_now(const void *address);
/* The general case of readable(). */
bool readable_slow(const void *address, size_t size);

/* Whether all of it can be read. A size of 0 can. */
static inline bool readable(const void *address, size_t size)
{
	uintptr_t first = (uintptr_t)address >> READABLE_PAGE;
	uintptr_t last = ((uintptr_t)address + size - 1) >> READABLE_PAGE;

	if (first == last && first &&
	    readable_break_now() == atomic_load_explicit(&readable_break, memory_order_relaxed) &&
	    atomic_load_explicit(readable_entry(first), memory_order_relaxed) == first)
		return true;
	return readable_slow(address, size);
}

/* Whether a string can be read to its end, or to READABLE_MEASURED; *length is set, to no more than that. */
bool readable_string(const char *string, size_t *length);
/* Memory there was mapped, unmapped or protected. Any range will do, also one that no memory can have. */
void readable_forget(const void *address, size_t size);
/* It is not known where mappings changed. */
void readable_forget_all(void);
/* Whether others may take memory away: no page is remembered for which it says so. Called in signal handlers, too. */
typedef bool readable_passing(const void *address, uint64_t length);
void readable_except(readable_passing *passing);

#endif
