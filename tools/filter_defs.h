/* SPDX-License-Identifier: MIT */
/*
 * filter_defs.h - the definitions that some records of a stream need, on their way into another file.
 *
 * What there may be a million of (files, stacks, objects) goes along when the first record that is kept needs it; the rest goes with the first record.
 */
#ifndef RECORDER_TOOLS_FILTER_DEFS_H
#define RECORDER_TOOLS_FILTER_DEFS_H

#include "buffer.h"
#include "read/trace.h"

/* Of one stream; zeroed memory but for `from`. */
struct filter_defs {
	const struct stream *from;
	struct idmap functions, files, stacks, objects; /* that were put into `entries` */
	struct buffer entries, payload;
	uint32_t count; /* of `entries` */
	bool begun;     /* what goes with the first record is there */
};

/* Adds what the stream's threads are. */
void filter_defs_threads(struct filter_defs *defs);
/* Adds what the record needs, which is decoded, and was not added before. */
void filter_defs_need(struct filter_defs *defs, const struct function *function,
		      const struct raw_record *record);
/* The entries have been taken. */
void filter_defs_clear(struct filter_defs *defs);
void filter_defs_release(struct filter_defs *defs);

#endif
