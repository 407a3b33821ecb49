/* SPDX-License-Identifier: MIT */
/*
 * mem_count.h - counting one call: what the functions of mem_calls.c are written with.
 *
 *	struct mem_block *block;
 *	uint64_t begin;
 *
 *	if (!mem_begin(MEM_malloc, &block, &begin))
 *		return next(size);
 *	area = next(size);
 *	mem_end(MEM_malloc, block, begin, area ? size : 0);
 *
 * Only the outermost call counts: what an allocator calls inside of its own is no call of the program. It is known by its stack
 * address, so that a call that was left by longjmp (from a signal handler) does not silence those after it.
 */
#ifndef RECORDER_MEM_MEM_COUNT_H
#define RECORDER_MEM_MEM_COUNT_H

#include <stddef.h>

#include "record/clock.h"
#include "record/hidden.h"
#include "record/memlink.h"

#define MEM_INLINE inline __attribute__((always_inline))

extern struct mem_link recorder_mem_link;
/* Never NULL: a thread without one has a block that lets no call be counted. */
extern HIDDEN __thread struct mem_block *mem_block __attribute__((tls_model("initial-exec")));

/* A thread's first call, or one that is not to be counted. NULL: that. */
__attribute__((cold)) struct mem_block *mem_begin_slow(enum mem_function function, uintptr_t frame);
/* The interval is over, or the block was wiped by a fork. The block to be added to, NULL: none. */
__attribute__((cold)) struct mem_block *mem_turn(struct mem_block *block, uint64_t now);

static MEM_INLINE bool mem_begin(enum mem_function function, struct mem_block **block,
				 uint64_t *begin)
{
	uintptr_t frame = (uintptr_t)begin;
	struct mem_block *own = mem_block;

	if (__builtin_expect(!recorder_mem_link.counted[function] || frame < own->within, 0)) {
		own = mem_begin_slow(function, frame);
		if (!own)
			return false;
	}
	own->within = frame;
	*block = own;
	*begin = clock_ticks();
	return true;
}

/* One writer, and at the end of the process one who reads. */
static MEM_INLINE void mem_add(uint64_t *sum, uint64_t value)
{
	__atomic_store_n(sum, *sum + value, __ATOMIC_RELAXED);
}

static MEM_INLINE void mem_end(enum mem_function function, struct mem_block *block, uint64_t begin,
			       uint64_t bytes)
{
	uint64_t end = clock_ticks();
	struct mem_sum *sum;

	if (__builtin_expect(end >= block->until, 0)) {
		block = mem_turn(block, end);
		if (!block)
			return;
	}
	sum = &block->sums[function];
	mem_add(&sum->ticks, end - begin);
	mem_add(&sum->bytes, bytes);
	mem_add(&sum->count, 1);
	block->within = 0;
}

#endif
