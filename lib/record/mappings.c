/* SPDX-License-Identifier: MIT */
/* mappings.c - a table of mapped ranges, with a version in each slot: odd while somebody writes it. */
#include "record/mappings.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "record/errand.h"
#include "record/files.h"
#include "record/maps.h"
#include "record/sys.h"
#include "record/wipe.h"

#define SLOTS 4096u
#define PAGE_MASK 4095ul /* of the smallest page there is */

struct range {
	uintptr_t start, end; /* equal: free */
	int64_t offset;
	uint32_t file;
};

struct slot {
	_Atomic uint32_t version;
	_Atomic uint32_t file;
	_Atomic uintptr_t start, end;
	_Atomic int64_t offset;
};

/* In memory that a forked child inherits, as it does the mappings. */
static struct table {
	_Atomic uint32_t limit; /* slots that were ever used */
	struct slot slots[SLOTS];
} * _Atomic inherited;

enum state { FRESH, BEING_NAMED, NAMED };

/* In wiped memory: whether the numbers of files are those of this process's stream. */
static _Atomic uint32_t *_Atomic state;

/* ---- one slot ---- */

/* False: somebody is writing it. */
static bool slot_read(struct slot *slot, struct range *range)
{
	uint32_t version = atomic_load_explicit(&slot->version, memory_order_acquire);

	range->start = atomic_load_explicit(&slot->start, memory_order_relaxed);
	range->end = atomic_load_explicit(&slot->end, memory_order_relaxed);
	range->offset = atomic_load_explicit(&slot->offset, memory_order_relaxed);
	range->file = atomic_load_explicit(&slot->file, memory_order_relaxed);
	atomic_thread_fence(memory_order_acquire);
	return !(version & 1) &&
	       atomic_load_explicit(&slot->version, memory_order_relaxed) == version;
}

/* Replaces what was read, unless somebody else has; false then. */
static bool slot_replace(struct slot *slot, const struct range *old, const struct range *new)
{
	uint32_t version = atomic_load_explicit(&slot->version, memory_order_acquire);
	struct range now;

	if (!slot_read(slot, &now) || now.start != old->start || now.end != old->end ||
	    version & 1 || !atomic_compare_exchange_strong(&slot->version, &version, version + 1))
		return false;
	atomic_store_explicit(&slot->start, new->start, memory_order_relaxed);
	atomic_store_explicit(&slot->end, new->end, memory_order_relaxed);
	atomic_store_explicit(&slot->offset, new->offset, memory_order_relaxed);
	atomic_store_explicit(&slot->file, new->file, memory_order_relaxed);
	atomic_store_explicit(&slot->version, version + 2, memory_order_release);
	return true;
}

/* ---- the table ---- */

static void insert(struct table *table, const struct range *new)
{
	static const struct range nothing;
	struct range found;

	for (uint32_t i = 0; i < SLOTS; i++) {
		uint32_t limit = atomic_load(&table->limit);

		if (!slot_read(&table->slots[i], &found) || found.start != found.end ||
		    !slot_replace(&table->slots[i], &nothing, new))
			continue;
		while (limit < i + 1 && !atomic_compare_exchange_weak(&table->limit, &limit, i + 1))
			;
		return;
	}
}

/* One of the kernel's mappings: those of the parent that lie in it are of this file. */
static void name_inherited(const struct maps_line *line, void *data)
{
	struct table *table = data;
	uint32_t limit = atomic_load(&table->limit);
	struct range found, named;

	for (uint32_t i = 0; i < limit; i++) {
		if (!slot_read(&table->slots[i], &found) || found.file ||
		    found.start >= line->end || found.end <= line->start)
			continue;
		named = found;
		named.file = file_mapped(line->path, line->device, line->inode);
		slot_replace(&table->slots[i], &found, &named);
	}
}

static int ask_kernel(void *data)
{
	static struct maps_reader reader;
	struct table *table = data;

	for (uint32_t i = 0; i < SLOTS; i++)
		atomic_store_explicit(&table->slots[i].file, 0, memory_order_relaxed);
	return maps_read(&reader, name_inherited, table);
}

static _Atomic uint32_t *state_word(void)
{
	_Atomic uint32_t *word = atomic_load_explicit(&state, memory_order_acquire), *none = NULL;

	if (word || !files_active())
		return word;
	word = wipe_alloc(sizeof(*word));
	if (word && !atomic_compare_exchange_strong(&state, &none, word)) {
		sys_munmap((void *)word, sizeof(*word));
		word = none;
	}
	return word;
}

/* NULL: nothing is mapped that we know of. */
static struct table *table_of(void)
{
	struct table *table = atomic_load_explicit(&inherited, memory_order_acquire);
	_Atomic uint32_t *word = table ? state_word() : NULL;
	uint32_t fresh = FRESH;

	if (!word)
		return NULL;
	if (atomic_load_explicit(word, memory_order_acquire) == NAMED)
		return table;
	if (!atomic_compare_exchange_strong(word, &fresh, BEING_NAMED))
		return NULL;
	errand_run(ask_kernel, table);
	atomic_store_explicit(word, NAMED, memory_order_release);
	return table;
}

/* The same, made if it is not there. */
static struct table *table_made(void)
{
	struct table *table, *none = NULL;

	if (atomic_load_explicit(&inherited, memory_order_acquire) || !state_word())
		return table_of();
	table = sys_mmap(sizeof(*table), PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
	if (sys_is_error((long)table))
		return NULL;
	if (atomic_compare_exchange_strong(&inherited, &none, table))
		atomic_store(state_word(), NAMED);
	else
		sys_munmap(table, sizeof(*table));
	return table_of();
}

static uintptr_t end_of(const void *address, uint64_t length)
{
	uintptr_t end = ((uintptr_t)address + length + PAGE_MASK) & ~PAGE_MASK;

	return end < (uintptr_t)address ? UINTPTR_MAX : end;
}

struct mapped_part mapping_find(const void *address, uint64_t length)
{
	uintptr_t start = (uintptr_t)address, end = start + length, lowest = UINTPTR_MAX;
	struct table *table = table_of();
	struct mapped_part part = {.offset = -1};
	uint32_t limit = table ? atomic_load_explicit(&table->limit, memory_order_acquire) : 0;
	struct range found;

	for (uint32_t i = 0; i < limit; i++) {
		uintptr_t from, to;

		if (!slot_read(&table->slots[i], &found) || found.start >= end ||
		    found.end <= start || found.start >= lowest)
			continue;
		lowest = found.start;
		from = found.start > start ? found.start : start;
		to = found.end < end ? found.end : end;
		part.file = found.file;
		part.offset = found.offset + (int64_t)(from - found.start);
		part.bytes = to - from;
	}
	return part;
}

/* Takes [start, end) out of a range: up to two are left. */
static void cut(struct table *table, struct slot *slot, uintptr_t start, uintptr_t end)
{
	struct range old, low, high;

	if (!slot_read(slot, &old) || old.start >= end || old.end <= start)
		return;
	low = high = old;
	low.end = old.start < start ? start : old.start;
	high.start = old.end > end ? end : old.end;
	high.offset += (int64_t)(high.start - old.start);
	if (low.start == low.end)
		low = (struct range){0};
	if (slot_replace(slot, &old, &low) && high.start < high.end)
		insert(table, &high);
}

void mapping_removed(const void *address, uint64_t length)
{
	struct table *table = table_of();
	uint32_t limit = table ? atomic_load_explicit(&table->limit, memory_order_acquire) : 0;

	if ((uintptr_t)address & PAGE_MASK || length == 0) /* the kernel refuses it */
		return;
	for (uint32_t i = 0; i < limit; i++)
		cut(table, &table->slots[i], (uintptr_t)address, end_of(address, length));
}

void mapping_added(const void *address, uint64_t length, uint32_t file, int64_t offset)
{
	struct range range = {(uintptr_t)address, end_of(address, length), offset, file};
	struct table *table;

	mapping_removed(address, length);
	if (!file)
		return;
	table = table_made();
	if (table)
		insert(table, &range);
}

void mapping_moved(const void *from, uint64_t length, const void *to, uint64_t new_length)
{
	struct mapped_part part = mapping_find(from, length ? length : 1);

	mapping_removed(from, length);
	mapping_added(to, new_length, part.file, part.offset);
}
