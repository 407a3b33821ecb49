/* SPDX-License-Identifier: MIT */
/*
 * watched_meta.h - what the LM of a watched process says, doc/format.md section 8.
 */
#ifndef RECORDER_SYSTEM_WATCHED_META_H
#define RECORDER_SYSTEM_WATCHED_META_H

#include "format/entries.h"
#include "system/watched_stream.h"

/* Of the beginning: who and where it is. */
void watched_meta_begin(struct entries *entries, const struct watch_place *place,
			const struct watched_facts *facts);

struct watched_sums {
	uint64_t records, lost, unwritten; /* `unwritten`: of chunks that could not be appended */
	uint64_t too_deep;                 /* of `lost` */
	uint64_t chunks, bytes;
	uint32_t threads;
};

/* Of the end, at `when` (CLOCK_MONOTONIC, ns; 0: now). */
void watched_meta_end(struct entries *entries, const char *reason, int status, uint64_t when,
		      const struct watched_sums *sums);

#endif
