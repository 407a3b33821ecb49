/* SPDX-License-Identifier: MIT */
/*
 * ties.h - which call a request to a device, or a write-back of a file, comes from; only as far as it follows from what was recorded:
 *
 *	- a thread makes one call of the kernel at a time: what it begins in a call comes from that call (past the page cache, in fsync, pages that a read needs)
 *	- a thread of the kernel writes one file back at a time: a request of that file which it begins meanwhile comes from that write-back
 *	- bytes of a file that go to a device, by either way, come from the write that put them into the page cache last; its arrow ends at the write-back, if there is one
 *
 * Nothing comes from a call merely because it was going on at that time: which write-back syncfs() waits for, and what a journal writes, are nobody's.
 */
#ifndef RECORDER_TOOLS_TIES_H
#define RECORDER_TOOLS_TIES_H

#include <stdbool.h>
#include <stdint.h>

#include "unwritten.h"

enum tie_kind {
	TIE_CALL,
	TIE_WRITEBACK,
	TIE_REQUEST,
	TIE_RANGE, /* one of the ranges of the request that is known by the same stream, thread and number */
};

struct tie_end {
	int64_t begin, end; /* ns since the trace's start */
	struct file_identity
		file; /* of a call only that of one that writes; `machine` is known of all */
	uint64_t from, until; /* a call: the bytes of the file that it wrote; as those of a range */
	uint32_t process, tid;   /* in which it began; the number of its first stream */
	uint32_t stream, thread; /* of its record, as are the next two */
	uint64_t sequence;
	uint32_t place;   /* the thread that it stands at in the output */
	uint32_t flusher; /* the thread of the kernel that did it; 0: the thread itself */
	uint16_t level;
	uint8_t kind;    /* enum tie_kind */
	uint8_t in_call; /* began in a call of the kernel */
	uint8_t writes;
	uint8_t has_file;
};

/* From the first to the second. 0 or a negative errno, which ends it. */
typedef int tie_sink(void *self, const struct tie_end *from, const struct tie_end *to);

/* By when they begin. */
int ties_by_time(const void *a, const void *b);
/* `list` gets that order. 0, what the sink said, or -ENOMEM. */
int ties_find(struct tie_end *list, uint32_t count, tie_sink *sink, void *self);

#endif
