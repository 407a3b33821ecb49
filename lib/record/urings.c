/* SPDX-License-Identifier: MIT */
/*
 * urings.c - a table of rings. A slot is taken, filled, and only then has a key, by which readers see afterwards whether what they
 * copied is one ring's.
 */
#include "record/urings.h"

#include "record/files.h"
#include "record/readable.h"
#include "record/sandbox.h"
#include "record/sys.h"
#include "record/wipe.h"

#ifndef IORING_OFF_MMAP_MASK /* headers before Linux 6.4 */
#define IORING_OFF_MMAP_MASK 0xf8000000ULL
#endif

#define SLOTS 64u
#define PAGE_MASK 4095ul /* of the smallest page there is */

/* Flags of kernels later than the oldest headers that we are compiled with. */
#define SETUP_NO_MMAP (1u << 14)
#define SETUP_NO_SQARRAY (1u << 16)
#define SETUP_HYBRID_IOPOLL (1u << 17)
/* Those that say nothing else about where entries stand. */
#define SETUP_KNOWN ((SETUP_HYBRID_IOPOLL << 1) - 1 - SETUP_NO_MMAP)

/* Keys: the descriptor below, a count of the rings above, so that no two are the same. */
#define KEY_FREE 0u
#define KEY_TAKEN UINT64_MAX

struct slot {
	_Atomic uint64_t key;
	struct io_uring_params params; /* written before the key is */
	int pid;                       /* whose it is: a child of vfork has its own descriptors */
	_Atomic uintptr_t submissions, completions, requests;
	_Atomic unsigned submissions_seen, completions_seen;
};

/* In wiped memory: a forked child has none. */
static struct table {
	_Atomic uint32_t made;
	struct slot slots[SLOTS];
} * _Atomic table;

/* NULL: there never was a ring. */
static struct table *table_known(void)
{
	return atomic_load_explicit(&table, memory_order_acquire);
}

static struct table *table_made(void)
{
	struct table *known = table_known(), *fresh;

	if (known || !files_active())
		return known;
	fresh = wipe_alloc(sizeof(*fresh));
	return fresh && !atomic_compare_exchange_strong(&table, &known, fresh) ? known : fresh;
}

static bool key_is_of(uint64_t key, unsigned first, unsigned last)
{
	uint32_t fd = (uint32_t)key;

	return key != KEY_FREE && key != KEY_TAKEN && fd >= first && fd <= last;
}

static struct slot *slot_of(int fd, uint64_t *key)
{
	struct table *known = table_known();

	for (unsigned i = 0; known && fd >= 0 && i < SLOTS; i++) {
		*key = atomic_load_explicit(&known->slots[i].key, memory_order_acquire);
		if (key_is_of(*key, (unsigned)fd, (unsigned)fd))
			return &known->slots[i];
	}
	return NULL;
}

/* ---- which bytes of a mapping are needed ---- */

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t submissions_size(const struct io_uring_params *params)
{
	uint64_t size = sizeof(unsigned) + larger(params->sq_off.head, params->sq_off.tail);

	if (params->flags & SETUP_NO_SQARRAY)
		return size;
	return larger(size, params->sq_off.array + (uint64_t)params->sq_entries * sizeof(unsigned));
}

static uint64_t completions_size(const struct io_uring_params *params)
{
	uint64_t entry = sizeof(struct io_uring_cqe) << !!(params->flags & IORING_SETUP_CQE32);

	return larger(params->cq_off.tail + sizeof(unsigned),
		      params->cq_off.cqes + params->cq_entries * entry);
}

static uint64_t requests_size(const struct io_uring_params *params)
{
	return (uint64_t)params->sq_entries * sizeof(struct io_uring_sqe)
	       << !!(params->flags & IORING_SETUP_SQE128);
}

/* ---- the life of a ring ---- */

void uring_made(int fd, const struct io_uring_params *params)
{
	struct table *made = fd < 0 ? NULL : table_made();
	uint64_t key;

	if (!made)
		return;
	uring_closed((unsigned)fd, (unsigned)fd);
	if (!readable(params, sizeof(*params)) || params->flags & ~SETUP_KNOWN)
		return;
	for (unsigned i = 0; i < SLOTS; i++) {
		struct slot *slot = &made->slots[i];

		key = KEY_FREE;
		if (!atomic_compare_exchange_strong(&slot->key, &key, KEY_TAKEN))
			continue;
		slot->params = *params;
		slot->pid = sys_getpid();
		atomic_store(&slot->submissions, 0);
		atomic_store(&slot->completions, 0);
		atomic_store(&slot->requests, 0);
		atomic_store(&slot->submissions_seen, 0);
		atomic_store(&slot->completions_seen, 0);
		key = (uint64_t)(atomic_fetch_add(&made->made, 1) % INT32_MAX + 1) << 32;
		atomic_store_explicit(&slot->key, key | (unsigned)fd, memory_order_release);
		return;
	}
}

void uring_closed(unsigned first, unsigned last)
{
	struct table *known = table_known();

	for (unsigned i = 0; known && i < SLOTS; i++) {
		struct slot *slot = &known->slots[i];
		uint64_t key = atomic_load_explicit(&slot->key, memory_order_acquire);

		if (key_is_of(key, first, last) && (sandbox_active() || slot->pid == sys_getpid()))
			atomic_compare_exchange_strong(&slot->key, &key, KEY_FREE);
	}
}

/* The part of that kind is at `address`, unless it is known elsewhere and this is a second place. */
static void place(_Atomic uintptr_t *part, const void *address, bool first)
{
	uintptr_t nowhere = 0;

	if (first)
		atomic_store_explicit(part, (uintptr_t)address, memory_order_release);
	else
		atomic_compare_exchange_strong(part, &nowhere, (uintptr_t)address);
}

void uring_mapped(int fd, const void *address, uint64_t length, int64_t offset)
{
	const struct io_uring_params *params;
	uint64_t kind = (uint64_t)offset & IORING_OFF_MMAP_MASK, key;
	struct slot *slot;
	bool single;

	uring_unmapped(address, length);
	slot = slot_of(fd, &key);
	if (!slot || (uint64_t)offset != kind)
		return;
	params = &slot->params;
	single = params->features & IORING_FEAT_SINGLE_MMAP;
	if (kind == IORING_OFF_SQES && length >= requests_size(params))
		place(&slot->requests, address, true);
	if (kind == IORING_OFF_SQ_RING || (single && kind == IORING_OFF_CQ_RING))
		if (length >= submissions_size(params))
			place(&slot->submissions, address, kind == IORING_OFF_SQ_RING);
	if (kind == IORING_OFF_CQ_RING || (single && kind == IORING_OFF_SQ_RING))
		if (length >= completions_size(params))
			place(&slot->completions, address, kind == IORING_OFF_CQ_RING);
}

static void displace(_Atomic uintptr_t *part, uint64_t size, uintptr_t from, uintptr_t to)
{
	uintptr_t here = atomic_load_explicit(part, memory_order_acquire);

	if (here && here < to && here + size > from)
		atomic_compare_exchange_strong(part, &here, 0);
}

void uring_unmapped(const void *address, uint64_t length)
{
	struct table *known = table_known();
	uintptr_t from = (uintptr_t)address, to = from + length;

	if (!known || from & PAGE_MASK || to <= from) /* the kernel refuses it */
		return;
	for (unsigned i = 0; i < SLOTS; i++) {
		struct slot *slot = &known->slots[i];
		uint64_t key = atomic_load_explicit(&slot->key, memory_order_acquire);

		if (key == KEY_FREE || key == KEY_TAKEN)
			continue;
		displace(&slot->submissions, submissions_size(&slot->params), from, to);
		displace(&slot->completions, completions_size(&slot->params), from, to);
		displace(&slot->requests, requests_size(&slot->params), from, to);
	}
}

/* ---- asking ---- */

bool uring_has_array(const struct uring *ring)
{
	return !(ring->flags & SETUP_NO_SQARRAY);
}

bool uring_find(int fd, struct uring *found)
{
	uint64_t key;
	struct slot *slot = slot_of(fd, &key);

	if (!slot)
		return false;
	*found = (struct uring){
		.flags = slot->params.flags,
		.submission_slots = slot->params.sq_entries,
		.completion_slots = slot->params.cq_entries,
		.submission_offsets = slot->params.sq_off,
		.completion_offsets = slot->params.cq_off,
		.submissions_size = submissions_size(&slot->params),
		.submissions = (const char *)atomic_load(&slot->submissions),
		.completions = (const char *)atomic_load(&slot->completions),
		.requests = (const struct io_uring_sqe *)atomic_load(&slot->requests),
		.submissions_seen = &slot->submissions_seen,
		.completions_seen = &slot->completions_seen,
	};
	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(&slot->key, memory_order_relaxed) == key;
}
