/* SPDX-License-Identifier: MIT */
/*
 * watched_meta.h - what the LM of a watched process says, doc/format.md section 8.
 */
#ifndef RECORDER_SYSTEM_WATCHED_META_H
#define RECORDER_SYSTEM_WATCHED_META_H

#include "system/watched_stream.h"

/* Entries of one META chunk, in memory of the caller's. */
struct meta_page {
	struct packer packer;
	uint32_t count;
};

/* Of the beginning: who and where it is. */
void watched_meta_begin(struct meta_page *page, const struct watch_place *place,
			const struct watched_facts *facts);

struct watched_sums {
	uint64_t records, lost, unwritten; /* `unwritten`: of chunks that could not be appended */
	uint64_t too_deep;                 /* of `lost` */
	uint64_t chunks, bytes;
	uint32_t threads;
};

/* Of the end, at `when` (CLOCK_MONOTONIC, ns; 0: now). */
void watched_meta_end(struct meta_page *page, const char *reason, int status, uint64_t when,
		      const struct watched_sums *sums);

#endif
