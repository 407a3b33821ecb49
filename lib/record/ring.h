/* SPDX-License-Identifier: MIT */
/*
 * ring.h - the buffer of one thread: the raw form of its open chunk, in a live file.
 *
 *     live file:  | header | open-call stack | data: raw records ... head |       | held |
 *
 * The record of a call in flight may also lie at the head, see fixed.h.
 * The owner appends records and publishes (generation, head) with one store; the ring is recycled - next generation, head 0 - only after its
 * chunk is in the stream file. Rings start small, because a program has many threads that do little, and most of what they
 * have room for then has no memory until it is needed (each page takes a microsecond or more to come and to go). They double, only when empty: while they are small each time that they were full, then if they fill fast.
 */
#ifndef RECORDER_RECORD_RING_H
#define RECORDER_RECORD_RING_H

#include <stdbool.h>

#include "record/thread.h"

/* Gives the thread its ring, a new one or the one that its structure had before; sets the thread's fields for it.
 * 0, or -ENOMEM. */
int ring_open(struct thread *thread);
/* The ring is full of what it has memory for: gives it all that its file has room for. False: it has that already, or there is none. */
bool ring_extend(struct thread *thread);
/* The same for the rings of all threads, which see it when theirs are full: before no system call can be made any more. */
void ring_reserve_all(void);
/* Whether it may become larger now. */
bool ring_may_grow(const struct thread *thread);
/* After sealing: begins the next generation, in a larger ring if `grow`. */
void ring_recycle(struct thread *thread, bool grow);
/*
 * The same when only the records before byte `from` are in a chunk; `t_base`: tend of the last of them. The others become the first ones of the ring. Until they are there somebody else
 * has to have them (hold.h).
 */
void ring_keep(struct thread *thread, uint32_t from, uint64_t t_base);
/* The record of a call that is in place (fixed.h) is moved to the open-call stack, before another one comes to the ring's head. */
void ring_settle(struct thread *thread);
/* Whether it is memory of the process only: nobody finds its records behind the process's end. */
bool ring_is_private(const struct thread *thread);
/* The two places for what is held, behind each other, of *size bytes both together; NULL: there are none. */
uint8_t *ring_held(const struct thread *thread, uint32_t *size);
/* Shows the thread's ring as free to readers of remains. */
void ring_release(struct thread *thread);
/* At the end of the process: no ring file is left; the memory stays. */
void ring_unlink_all(void);
/* After ring_unlink_all(), in a process of one thread: the files are there again. */
void ring_restore_all(void);
/* In a forked child: unmaps the parent's rings. */
void ring_forked(void);

#endif
