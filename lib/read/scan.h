/* SPDX-License-Identifier: MIT */
/*
 * scan.h - from chunk header to chunk header through a .rec file. Definitions, losses and calls in
 * flight are taken in on the way;
 * of records only the headers of their chunks.
 */
#ifndef RECORDER_READ_SCAN_H
#define RECORDER_READ_SCAN_H

#include "read/body.h"
#include "read/trace.h"

/*
 * Scans the stream's .rec from where the last scan ended (at first: its begin) to its end.
 * `growing`: the process may be writing, an incomplete end is no damage. `killed`: the process died
 * and its live files are there; a chunk that it was just writing is no damage, its records are still
 * in the ring (were they not, their numbers would be missing). 0; -EPROTO: a newer version; -ENOMEM
 * or another negative errno. Damage is noted.
 */
int scan_stream(struct stream *stream, struct body *body, bool growing, bool killed);

/*
 * The thread of that index, made if need be; NULL: no memory. Pointers to other threads are
 * invalid after it.
 */
struct thread *stream_thread(struct stream *stream, uint32_t index);
/* Puts the threads in the order of their indices. 0 or -ENOMEM. */
int stream_sort_threads(struct stream *stream);
/* a + b, UINT64_MAX if that is too much. */
uint64_t add_counts(uint64_t a, uint64_t b);
/* Adds to a loss of that reason. 0 or -ENOMEM. */
int stream_add_loss(struct stream *stream, const char *reason, size_t length, uint64_t count);
/* Appends one raw record. 0 or -ENOMEM. */
int raw_buffer_add(struct raw_buffer *buffer, const struct raw_record *record);
/*
 * The calls in flight that a raw open-call stack holds, as far as it is in order: levels rise,
 * nothing is cut.
 */
int raw_buffer_open_calls(struct raw_buffer *buffer, const void *stack, size_t size);
/* How much memory the definitions of a stream may take. */
uint64_t stream_defs_limit(const struct stream *stream);

#endif
