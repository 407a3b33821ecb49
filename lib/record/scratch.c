/* SPDX-License-Identifier: MIT */
/* scratch.c - the pool of sealing memory. */
#include "record/scratch.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "format/deflater.h"
#include "record/sys.h"

#define POOL_SIZE 8
#define PAGE 4096u

static struct slot {
	struct scratch scratch;
	atomic_bool taken;
} pool[POOL_SIZE];

static size_t largest; /* that is expected */

void scratch_expect(size_t size)
{
	largest = size;
}

/* A mapping for a deflater and `size` bytes, of *total bytes; NULL: it cannot be had. */
static void *slot_map(size_t size, size_t *total)
{
	void *memory;

	*total = (deflater_size() + size + PAGE - 1) & ~(size_t)(PAGE - 1);
	memory = sys_mmap(*total, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
	return sys_is_error((long)memory) ? NULL : memory;
}

/* Makes room for `size` bytes beside the deflater. The slot is ours. */
static bool slot_ensure(struct scratch *scratch, size_t size)
{
	void *memory = NULL;
	size_t total;

	if (scratch->free_size >= size)
		return true;
	if (scratch->memory)
		sys_munmap(scratch->memory, scratch->size);
	scratch->memory = NULL;
	scratch->free_size = 0;
	if (largest > size)
		memory = slot_map(largest, &total);
	if (!memory)
		memory = slot_map(size, &total);
	if (!memory)
		return false;
	scratch->memory = memory;
	scratch->size = total;
	scratch->deflater = deflater_init(memory);
	scratch->free = scratch->memory + deflater_size();
	scratch->free_size = total - deflater_size();
	return true;
}

struct scratch *scratch_take(size_t size)
{
	for (unsigned i = 0; i < POOL_SIZE; i++) {
		if (atomic_exchange_explicit(&pool[i].taken, true, memory_order_acquire))
			continue;
		if (slot_ensure(&pool[i].scratch, size))
			return &pool[i].scratch;
		scratch_give(&pool[i].scratch);
		return NULL;
	}
	return NULL;
}

void scratch_give(struct scratch *scratch)
{
	struct slot *slot = (struct slot *)scratch;

	atomic_store_explicit(&slot->taken, false, memory_order_release);
}

void scratch_forked(void)
{
	for (unsigned i = 0; i < POOL_SIZE; i++) {
		if (atomic_load_explicit(&pool[i].taken, memory_order_relaxed)) {
			pool[i].scratch.free_size = 0; /* half-written state: build it anew */
			atomic_store_explicit(&pool[i].taken, false, memory_order_relaxed);
		}
	}
}
