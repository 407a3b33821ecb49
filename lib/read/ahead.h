/* SPDX-License-Identifier: MIT */
/*
 * ahead.h - records of a thread that were fetched ahead of the chunk they lie in: raw, and by a heap the first one of them at any time.
 */
#ifndef RECORDER_READ_AHEAD_H
#define RECORDER_READ_AHEAD_H

#include "read/raw_buffer.h"
#include "read/record_order.h"

/* Raw records and a heap of their entries. */
struct ahead {
	struct raw_buffer raw;
	struct source_entry *entries;
	uint32_t count, capacity;
};

/* The record of an entry; valid until one is added or the rest is moved together. */
static inline const struct raw_record *ahead_record(const struct ahead *ahead,
						    const struct source_entry *entry)
{
	return (const struct raw_record *)(ahead->raw.records + entry->offset);
}

/* Copies a record. 0 or -ENOMEM. */
int ahead_add(struct ahead *heap, const struct raw_record *record, int64_t tstart,
	      uint64_t sequence, bool open);
/* The first one, entries[0], is taken: its record stays where it is. */
void ahead_drop_first(struct ahead *heap);
/*
 * Records that were taken leave holes; once these are most of the memory the rest moves
 * together. 0 or -ENOMEM.
 */
int ahead_compact(struct ahead *ahead);
void ahead_clear(struct ahead *ahead);
void ahead_release(struct ahead *ahead);

#endif
