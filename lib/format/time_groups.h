/* SPDX-License-Identifier: MIT */
/*
 * time_groups.h - signatures of a chunk whose times have codes in common.
 *
 * Times of calls that take alike are coded together: a signature with many records has a group of its own, as its times are what they are, and codes of their own cost
 * little beside them. Of the others those of one function share a group, and what is left shares the first. doc/format.md says how groups are stored.
 *
 *	time_groups_make() -> time_groups_sort() if they are not one -> time_groups_put() of idle times, then of durations
 */
#ifndef RECORDER_FORMAT_TIME_GROUPS_H
#define RECORDER_FORMAT_TIME_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "format/sequence_encode.h"
#include "format/signature_table.h"
#include "format/varint.h"

#define TIME_GROUPS_OWN 256u /* of signatures */
#define TIME_GROUPS (1 + TIME_GROUPS_OWN + TABLE_FUNCTIONS)

struct time_group {
	uint32_t records, begin;
	uint32_t next; /* while times are sorted */
};

struct time_group_of_function {
	uint32_t rest; /* records whose signature has no group of its own */
	uint32_t most; /* records of its largest signature */
	uint16_t group;
};

/* What is not counted in is never touched: most chunks of short processes have one group. */
struct time_groups {
	uint32_t count;
	struct time_group_of_function functions[TABLE_FUNCTIONS];
	struct time_group list[TIME_GROUPS];
	uint16_t of_signature[TABLE_SIGNATURES]; /* while times are sorted */
};

/* Of each record, in their order. */
struct grouped_times {
	const uint16_t *signature;
	const uint64_t *idle, *duration; /* time units */
	uint32_t count;
};

/* Gives each signature its group. */
void time_groups_make(struct time_groups *groups, struct signature_table *table);
/* Whether all of `count` records are in one, so that their times are together as they are. */
bool time_groups_are_one(const struct time_groups *groups, uint32_t count);
/* Puts the times of each group together. */
void time_groups_sort(struct time_groups *groups, const struct signature_table *table,
		      const struct grouped_times *times, uint64_t *idle, uint64_t *duration);
/* Writes a sequence for each group of times that are together. */
void time_groups_put(const struct time_groups *groups, const uint64_t *times,
		     struct sequence_work *sequence, struct varints *words, struct varints *bits);

#endif
