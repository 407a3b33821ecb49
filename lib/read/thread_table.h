/* SPDX-License-Identifier: MIT */
/*
 * thread_table.h - the threads of a stream, found by their index while its files are read.
 */
#ifndef RECORDER_READ_THREAD_TABLE_H
#define RECORDER_READ_THREAD_TABLE_H

#include "read/trace.h"

/* The thread of that index; NULL: there is none. */
struct thread *stream_find_thread(const struct stream *stream, uint32_t index);
/*
 * The same, made if need be; NULL: no memory. Pointers to other threads are
 * invalid after it.
 */
struct thread *stream_thread(struct stream *stream, uint32_t index);
/* Puts the threads in the order of their indices. 0 or -ENOMEM. */
int stream_sort_threads(struct stream *stream);

/* One more chunk of records of the thread, as its header at `offset` of a segment says. NULL: no memory. */
struct chunk *thread_add_chunk(struct thread *thread, const struct chunk_header *header,
			       uint32_t segment, uint64_t offset);

#endif
