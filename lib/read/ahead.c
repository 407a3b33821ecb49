/* SPDX-License-Identifier: MIT */
/* ahead.c - see ahead.h */
#include "read/ahead.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct source_entry *ahead_entry(struct ahead *ahead)
{
	struct source_entry *entries;

	if (ahead->count == ahead->capacity) {
		uint32_t capacity = ahead->capacity ? ahead->capacity * 2 : 64;

		entries = realloc(ahead->entries, capacity * sizeof(*entries));
		if (!entries)
			return NULL;
		ahead->entries = entries;
		ahead->capacity = capacity;
	}
	return &ahead->entries[ahead->count++];
}

void ahead_clear(struct ahead *ahead)
{
	ahead->count = 0;
	ahead->raw.size = 0;
	ahead->raw.count = 0;
}

static void swap(struct source_entry *a, struct source_entry *b)
{
	struct source_entry entry = *a;

	*a = *b;
	*b = entry;
}

static void heap_up(struct ahead *heap)
{
	uint32_t i = heap->count - 1;

	for (; i > 0 && record_order_before(&heap->entries[i], &heap->entries[(i - 1) / 2]);
	     i = (i - 1) / 2)
		swap(&heap->entries[i], &heap->entries[(i - 1) / 2]);
}

void ahead_drop_first(struct ahead *heap)
{
	uint32_t i = 0;

	heap->entries[0] = heap->entries[--heap->count];
	for (;;) {
		uint32_t child = 2 * i + 1;

		if (child + 1 < heap->count &&
		    record_order_before(&heap->entries[child + 1], &heap->entries[child]))
			child++;
		if (child >= heap->count ||
		    !record_order_before(&heap->entries[child], &heap->entries[i]))
			break;
		swap(&heap->entries[i], &heap->entries[child]);
		i = child;
	}
}

int ahead_add(struct ahead *heap, const struct raw_record *record, int64_t tstart,
	      uint64_t sequence, bool open)
{
	struct source_entry *entry = ahead_entry(heap);

	if (!entry)
		return -ENOMEM;
	*entry = (struct source_entry){
		.tstart = tstart,
		.offset = (uint32_t)heap->raw.size,
		.level = record->level,
		.open = open,
		.sequence = sequence,
	};
	if (raw_buffer_add(&heap->raw, record))
		return -ENOMEM;
	heap_up(heap);
	return 0;
}

int ahead_compact(struct ahead *ahead)
{
	struct raw_buffer raw = {0};

	if (ahead->raw.count < 64 || ahead->raw.count / 4 < ahead->count)
		return 0;
	for (uint32_t i = 0; i < ahead->count; i++) {
		size_t offset = raw.size;

		if (raw_buffer_add(&raw, ahead_record(ahead, &ahead->entries[i]))) {
			free(raw.records);
			return -ENOMEM;
		}
		ahead->entries[i].offset = (uint32_t)offset;
	}
	free(ahead->raw.records);
	ahead->raw = raw;
	return 0;
}

void ahead_release(struct ahead *ahead)
{
	free(ahead->raw.records);
	free(ahead->entries);
	memset(ahead, 0, sizeof(*ahead));
}
