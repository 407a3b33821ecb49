/* SPDX-License-Identifier: MIT */
/*
 * thread_rings.h - what rings still hold of the threads of a stream: records that lie in no chunk, which become its tail, and chunks that may not be in
 * the .rec yet.
 */
#ifndef RECORDER_READ_THREAD_RINGS_H
#define RECORDER_READ_THREAD_RINGS_H

#include "read/snapshot.h"
#include "read/trace.h"

/* Threads that are known only by a ring get their place first: it moves the others. 0 or -ENOMEM. */
int rings_add_threads(struct stream *stream, const struct snapshot *snapshot);
/* By thread and number of the first record, as the other functions need them. */
void rings_sort(struct snapshot *snapshot);

/* What rings hold of records that may not be in the .rec yet: chunks like others, which stand in no file. 0 or -ENOMEM. */
int thread_add_held(struct thread *thread, const struct snapshot *snapshot);
/* Whether a ring still has records that a chunk claims to have. */
bool thread_ring_overlaps(const struct thread *thread, const struct snapshot *snapshot,
			  uint64_t expected);
/* Records from number `expected` on, which becomes the one after the last: into thread->tail. 0 or -ENOMEM. */
int thread_add_rings(struct thread *thread, const struct snapshot *snapshot, uint64_t *expected);
/* The tail as one more chunk behind those of the file; the number of its first record is not set. 0 or -ENOMEM. */
int thread_add_tail(struct thread *thread);

#endif
