/* SPDX-License-Identifier: MIT */
/*
 * arena.h - definitions on their way to the stream file.
 *
 * One mapped live file per stream (STREAM.defs, doc/format.md section 9): a ring of entries that any thread appends to without a lock,
 * and that reaches the .rec as DEFS chunks, always before the data that needs it.
 *
 *      freed        flushed              head
 *        |             |                   |          positions only grow; modulo size
 *   -----+-- zeroed ---+-- entries --------+---- zero
 *
 *   reserve   compare-and-swap head forward; the space behind is zero
 *   write     first the entry's header, marked as not complete, then the payload, then the mark in one 8-byte release store
 *   flush     copy flushed..head aside, without what is not complete (arena_copy.h); if nobody moved `flushed` meanwhile the copy is good: append it as a
 *             DEFS chunk, then move `flushed` behind what is complete from there on (compare-and-swap; two threads may flush the same entries, and one
 *             may be flushed again, which does no harm), zero that, move `freed`. A signal handler that interrupts the last two steps writes but
 *             moves nothing
 *
 * In the mapped header `head` and `flushed` are visible to readers of a killed process.
 */
#ifndef RECORDER_RECORD_ARENA_H
#define RECORDER_RECORD_ARENA_H

#include <stdbool.h>

#include "format/reasons.h"
#include "format/wire.h"

struct deflater;

/* Makes the arena of this process's stream. Without a live file it is private memory: definitions then reach
 * the stream only by flushing. 0 or a negative errno. */
int arena_open(void);
/* Unlinks the live file; the memory stays in use until exec or exit. */
void arena_unlink(void);
/* After arena_unlink(), in a process of one thread: the file is there again. */
void arena_restore(void);
/* In a forked child: lets go of the parent's. */
void arena_forked(void);

/* Appends a definition; false if there is no room and none could be made. */
bool arena_put(enum def_type type, const void *payload, size_t size);
/* The same with another number in the payload's first four bytes. */
bool arena_put_numbered(enum def_type type, uint32_t number, const void *payload, size_t size);

/* Bytes that a flush may need as scratch. */
size_t arena_flush_size(void);
/* Appends all that is not yet in the stream file to it. `scratch` holds arena_flush_size() bytes, aligned to 8. 0 or a negative errno. */
int arena_flush(uint8_t *scratch, struct deflater *deflater);

/* The same where there is no memory to be had as scratch, or no stack for it. -EBUSY while another call is at it. */
int arena_flush_reserve(void);

/* Counters in the live header, for whoever reads the remains. */
/* Those that no ring or chunk states; fewer when one does. */
void arena_count_lost(enum loss_reason reason, uint64_t records);
void arena_uncount_lost(uint64_t records);
void arena_count_stored(uint64_t records, uint64_t bytes);
/* None is stored in the segment that begins. */
void arena_next_segment(void);
/* The last one counted is taken back. */
void arena_uncount_stored(void);
uint64_t arena_stored(void);
/* How far definitions are in the stream. */
uint64_t arena_flushed(void);

#endif
