/* SPDX-License-Identifier: MIT */
/*
 * record_order.h - the order in which the records of a thread are given: by tstart, then from the outer call to the inner one, then by number.
 */
#ifndef RECORDER_READ_RECORD_ORDER_H
#define RECORDER_READ_RECORD_ORDER_H

#include "read/records.h"

/* Of a raw record that was fetched ahead: where it lies and its place in the order. */
struct source_entry {
	int64_t tstart; /* ns */
	uint32_t offset;
	uint16_t level;
	uint16_t open; /* a call in flight */
	uint64_t sequence;
};

static inline bool record_order_before(const struct source_entry *a, const struct source_entry *b)
{
	if (a->tstart != b->tstart)
		return a->tstart < b->tstart;
	if (a->level != b->level)
		return a->level < b->level;
	return a->sequence < b->sequence;
}

static inline struct source_entry record_order_entry(const struct records *records, uint32_t number)
{
	return (struct source_entry){.tstart = records->items[number].tstart,
				     .level = records_level(records, number),
				     .sequence = records_sequence(records, number)};
}

/* How far `queue`, numbers of records, is in order from `begin` on. */
uint32_t record_order_run_end(const struct records *records, const uint32_t *queue, uint32_t begin,
			      uint32_t count);
/* Merges each run that is in order with the one after it; returns how many there are then in `to`, which has room for `count`. */
uint32_t record_order_merge_runs(const struct records *records, const uint32_t *queue,
				 uint32_t count, uint32_t *to);

#endif
