/* SPDX-License-Identifier: MIT */
/*
 * snapshot.h - copies of a stream's live files, doc/format.md section 9: what a process that runs,
 * or died, had not yet put into its .rec file.
 */
#ifndef RECORDER_READ_SNAPSHOT_H
#define RECORDER_READ_SNAPSHOT_H

#include "read/trace.h"

/* A copied ring. */
struct ring_copy {
	uint32_t thread, tid;
	uint64_t first_sequence;
	uint64_t lost;
	uint32_t lost_reason; /* enum loss_reason */
	uint8_t *data;        /* raw records */
	size_t size;
	uint8_t *open; /* the calls in flight, outermost first */
	size_t open_size;
	uint8_t *held; /* both places, format/held.h */
	size_t held_size;
};

/* Zeroed memory is an empty snapshot. */
struct snapshot {
	struct ring_copy *rings;
	uint32_t ring_count;
	uint8_t *defs; /* entries, in order */
	size_t defs_size;
	bool has_arena;
	struct anchor anchor;
	uint64_t lost; /* that no ring or chunk counts */
	uint32_t lost_reason;
	uint64_t death; /* when the process died, Unix ns, 0 unknown */
};

/*
 * Copies the live files of the stream from directory `dir`, rings before definitions. Must be
 * called before the .rec is read. Missing files are no error. 0 or -ENOMEM.
 */
int snapshot_take(struct snapshot *snapshot, struct stream *stream, const char *dir);
void snapshot_release(struct snapshot *snapshot);

#endif
