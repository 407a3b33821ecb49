/* SPDX-License-Identifier: MIT */
/* mem_count.c - see mem_count.h */
#include "mem/mem_count.h"

#include <errno.h>

#define EXPORTED __attribute__((visibility("default")))

static void leave(void);

/* Of this library, by the linker. */
extern const char __ehdr_start[] HIDDEN;
extern const char _end[] HIDDEN;

EXPORTED struct mem_link recorder_mem_link = {
	.version = MEM_LINK_VERSION, .begin = __ehdr_start, .end = _end, .leave = leave};

/* Of threads without a block: each stack address is below its `within`. */
static struct mem_block nobodys = {.within = UINTPTR_MAX};
/*
 * Of the process's first thread, until librecorder.so is there. Its `until` stays 0: the end of each call asks whether it is.
 */
static struct mem_block early;

HIDDEN __thread struct mem_block *mem_block __attribute__((tls_model("initial-exec"))) = &nobodys;

/* Of clock.h, whose other half is in librecorder.so. */
bool clock_is_monotonic;

uint64_t clock_monotonic_ticks(void)
{
	return recorder_mem_link.ticks();
}

static void leave(void)
{
	mem_block = &nobodys;
}

static struct mem_block *uncounted(void)
{
	atomic_fetch_add_explicit(&recorder_mem_link.uncounted, 1, memory_order_relaxed);
	return NULL;
}

static bool take(struct mem_block *block)
{
	uint32_t expected = 0;

	return !atomic_load_explicit(&block->owned, memory_order_relaxed) &&
	       atomic_compare_exchange_strong(&block->owned, &expected, 1);
}

/* A block for the calling thread, which it has from then on; its sums may be those of a thread that has ended, all given. */
static struct mem_block *claim(uintptr_t within)
{
	struct mem_link *link = &recorder_mem_link;
	int before = errno;

	for (unsigned i = 0; i < MEM_BLOCKS; i++) {
		struct mem_block *block = &link->blocks[i];

		if (!take(block))
			continue;
		block->within =
			within; /* what is allocated by claimed() is no call of the program */
		block->until = 0;
		mem_block = block;
		if (link->claimed(block)) {
			errno = before;
			return block;
		}
		leave();
		atomic_store_explicit(&block->owned, 0, memory_order_release);
		errno = before;
		return NULL;
	}
	return uncounted();
}

static struct mem_block *begin_early(void)
{
	uint32_t expected = 0;

	if (mem_block != &early && !atomic_compare_exchange_strong(&early.owned, &expected, 1))
		return uncounted();
	return mem_block = &early;
}

struct mem_block *mem_begin_slow(enum mem_function function, uintptr_t frame)
{
	struct mem_link *link = &recorder_mem_link;
	bool ready = __atomic_load_n(&link->ready, __ATOMIC_ACQUIRE);

	if (mem_block != &nobodys && frame < mem_block->within)
		return NULL;
	if (!ready)
		return begin_early();
	if (!link->counted[function])
		return NULL;
	clock_is_monotonic = link->monotonic;
	return mem_block == &nobodys ? claim(frame) : mem_block;
}

/* What was counted before there was anybody to tell it to. */
static struct mem_block *move_early(void)
{
	struct mem_block *block = claim(early.within);

	if (!block)
		return mem_block = &early;
	for (unsigned i = 0; i < MEM_FUNCTIONS; i++) {
		mem_add(&block->sums[i].count, early.sums[i].count);
		mem_add(&block->sums[i].bytes, early.sums[i].bytes);
		if (!recorder_mem_link.monotonic)
			mem_add(&block->sums[i].ticks, early.sums[i].ticks);
	}
	return block;
}

struct mem_block *mem_turn(struct mem_block *block, uint64_t now)
{
	struct mem_link *link = &recorder_mem_link;
	int before = errno;

	if (block == &early) {
		if (!__atomic_load_n(&link->ready, __ATOMIC_ACQUIRE))
			return block;
		block = move_early();
		if (block == &early)
			return block;
	} else if (!atomic_load_explicit(&block->owned, memory_order_relaxed)) {
		block = claim(block->within); /* in a forked child */
	}
	if (block)
		link->turn(block, now);
	errno = before;
	return block;
}
