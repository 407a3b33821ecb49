/* SPDX-License-Identifier: MIT */
/* mpi_memory.c - memory of layer mpi, taken from the kernel */
#include "wrap/mpi_memory.h"

#include <string.h>

#define SLAB_SIZE ((size_t)64 << 10)
#define SCRATCH_SLOTS 64u
#define SCRATCH_MIN ((size_t)16 << 10)

static struct mpi_lock slab_lock;
static uint8_t *slab;
static size_t slab_left;

static void *map(size_t size)
{
	void *memory = sys_mmap(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	return sys_is_error((long)memory) ? NULL : memory;
}

void *mpi_memory_get(size_t size)
{
	uint8_t *memory;

	size = (size + 15) & ~(size_t)15;
	if (size >= SLAB_SIZE)
		return map(size);
	mpi_lock(&slab_lock);
	if (size > slab_left) {
		slab = map(SLAB_SIZE);
		slab_left = slab ? SLAB_SIZE : 0;
	}
	memory = slab;
	if (slab) {
		slab += size;
		slab_left -= size;
	}
	mpi_unlock(&slab_lock);
	return memory;
}

/* What lies before the memory that is handed out. */
struct scratch_head {
	size_t size;   /* of the mapping, this header included */
	uint32_t slot; /* SCRATCH_SLOTS: unmapped when it is given back */
	uint32_t reserved;
};

static struct {
	atomic_uint taken;
	struct scratch_head *memory;
} slots[SCRATCH_SLOTS];

static struct scratch_head *scratch_map(size_t size, uint32_t slot)
{
	struct scratch_head *head = map(size);

	if (head) {
		head->size = size;
		head->slot = slot;
	}
	return head;
}

/* A slot's mapping, made larger if need be. */
static struct scratch_head *slot_grow(uint32_t slot, size_t size)
{
	struct scratch_head *head = slots[slot].memory;

	if (head && head->size >= size)
		return head;
	if (head)
		sys_munmap(head, head->size);
	slots[slot].memory = scratch_map(size < SCRATCH_MIN ? SCRATCH_MIN : size, slot);
	return slots[slot].memory;
}

void *mpi_scratch_take(size_t size)
{
	struct scratch_head *head;

	size += sizeof(*head);
	for (uint32_t slot = 0; slot < SCRATCH_SLOTS; slot++) {
		if (atomic_load_explicit(&slots[slot].taken, memory_order_relaxed) ||
		    atomic_exchange_explicit(&slots[slot].taken, 1, memory_order_acquire))
			continue;
		head = slot_grow(slot, size);
		if (head)
			return head + 1;
		atomic_store_explicit(&slots[slot].taken, 0, memory_order_release);
		return NULL;
	}
	head = scratch_map(size, SCRATCH_SLOTS);
	return head ? head + 1 : NULL;
}

void mpi_scratch_give(void *memory)
{
	struct scratch_head *head;

	if (!memory)
		return;
	head = (struct scratch_head *)memory - 1;
	if (head->slot == SCRATCH_SLOTS)
		sys_munmap(head, head->size);
	else
		atomic_store_explicit(&slots[head->slot].taken, 0, memory_order_release);
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(mpi_scratch_is_not_shared)
{
	void *taken[SCRATCH_SLOTS + 2];

	for (unsigned i = 0; i < SCRATCH_SLOTS + 2; i++) {
		taken[i] = mpi_scratch_take(1000 * (i + 1));
		memset(taken[i], (int)i, 1000 * (i + 1));
	}
	for (unsigned i = 0; i < SCRATCH_SLOTS + 2; i++) {
		EXPECT_EQ(((uint8_t *)taken[i])[1000 * (i + 1) - 1], i);
		mpi_scratch_give(taken[i]);
	}
	EXPECT(mpi_scratch_take(100) == taken[0]);
	mpi_scratch_give(taken[0]);
}
#endif
