/* SPDX-License-Identifier: MIT */
/*
 * memlink.h - what librecorder-mem.so and librecorder.so share: sums of the calls of the allocator, one block for each thread.
 *
 *   program ──> malloc() of librecorder-mem.so ──> malloc() of libc, jemalloc ...
 *                   │ adds to its thread's block            librecorder.so
 *                   └──────────> struct mem_block ──turn()──> memsums.c ──> trace
 *
 * The allocator's functions are interposed by a library of their own, so that they stay what they are where nobody asks for the layer
 * mem. That library exports one thing besides them, MEM_LINK, which librecorder.so finds and fills in when the layer is chosen; until
 * then calls are counted in one early block.
 *
 * A block belongs to the thread that claimed it. Its sums only grow; what of them has been put into the trace is in `given`, which its owner writes, at
 * the first call of each interval, and who ends the process, when nothing is counted any more. So nobody waits for anybody, and nothing is
 * cleared under a thread that is adding.
 *
 * Blocks lie in memory that a fork wipes: a child finds zeros, whose `until` says that the interval is over, and claims one anew.
 */
#ifndef RECORDER_RECORD_MEMLINK_H
#define RECORDER_RECORD_MEMLINK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define MEM_LINK "recorder_mem_link"
#define MEM_LINK_VERSION 1u
#define MEM_BLOCKS                                                                                 \
	4096u /* threads at once; calls of further ones are forwarded, and counted as not counted */

#define MEM_FUNCTION_LIST(X)                                                                       \
	X(malloc)                                                                                  \
	X(calloc)                                                                                  \
	X(realloc)                                                                                 \
	X(reallocarray)                                                                            \
	X(free)                                                                                    \
	X(posix_memalign)                                                                          \
	X(aligned_alloc)                                                                           \
	X(memalign)                                                                                \
	X(valloc)                                                                                  \
	X(pvalloc)

enum mem_function {
#define MEM_FUNCTION(name) MEM_##name,
	MEM_FUNCTION_LIST(MEM_FUNCTION)
#undef MEM_FUNCTION
		MEM_FUNCTIONS
};

struct mem_sum {
	uint64_t count, ticks, bytes;
};

struct mem_block {
	uintptr_t within; /* stack address in the outermost call that is being counted, 0: none */
	uint64_t until;   /* ticks at which the interval ends; 0: the block is new */
	struct mem_sum sums[MEM_FUNCTIONS];
	struct mem_sum given[MEM_FUNCTIONS];
	uint64_t interval; /* number of the interval that sums - given are of */
	_Atomic uint32_t owned;
} __attribute__((aligned(64)));

struct mem_link {
	uint32_t version;
	const char *begin, *end; /* of librecorder-mem.so in memory */
	void (*leave)(void);     /* the calling thread has no block any more */
	/* The rest is zero until librecorder.so writes it, `counted` last. */
	bool monotonic; /* ticks are those of ticks() and not the CPU's counter */
	uint64_t (*ticks)(void);
	struct mem_block *blocks; /* MEM_BLOCKS */
	/* A thread has claimed a block. False: it cannot have one now. */
	bool (*claimed)(struct mem_block *block);
	/* At a call that ends at `now` >= until: stores what is not given yet, and begins the interval of `now`. */
	void (*turn)(struct mem_block *block, uint64_t now);
	_Atomic uint64_t uncounted;
	bool ready;
	bool counted[MEM_FUNCTIONS];
};

#endif
