/* SPDX-License-Identifier: MIT */
/*
 * open_calls.h - the calls of a thread that are in flight: how they are left, stored and closed. For those who record calls (call.h, pushed.h).
 *
 *	open-call stack: | outermost | ... | innermost |
 *
 * Each has a record there; that of the innermost may lie at the ring's head instead, where it is going to stay ("in place", call.h). A call is
 * known by its frame, an address on the stack of the program: a call whose frame is inside of one that begins or ends now has been left, by longjmp or the like.
 */
#ifndef RECORDER_RECORD_OPEN_CALLS_H
#define RECORDER_RECORD_OPEN_CALLS_H

#include "record/clock.h"
#include "record/thread.h"

/* Into each wrapper, however many there are: else a call is recorded, and one that is filtered out is passed on, some 2 ns later. */
#define CALL_INLINE inline __attribute__((always_inline))

/* So much that compilers put what is rare behind all the rest. */
#define likely(condition) __builtin_expect_with_probability(!!(condition), 1, 0.999)
#define unlikely(condition) __builtin_expect_with_probability(!!(condition), 0, 0.999)

/* A private flag of open records: not to be stored (path filter). Never in a trace. */
#define RECORD_DROP 0x80u
#define RECORD_KEEP 0x40u /* another file of the call is of interest */

/* Stack addresses further apart than this are taken as different stacks. */
#define LEFT_DISTANCE_MAX (8u << 20)

/* Calls shorter than this are dropped, and counted. */
extern HIDDEN uint64_t call_min_ticks;

__attribute__((cold)) void call_drop_left(struct thread *thread, uintptr_t frame);
/* Those inside of the outermost `level` ones have been left. */
void call_drop_to(struct thread *thread, uint32_t level);
/* The same from a function that may run for long, not from a wrapper: the thread is not busy. */
void call_drop_inside(struct thread *thread, uint32_t level);
/* Before one is opened within another: drops what the program has left, and moves away what is in place. */
void call_make_way(struct thread *thread, uintptr_t frame);
/* The same, and says whether there is room for one more. If not it is counted as lost. */
bool call_may_nest(struct thread *thread, uint32_t size, uintptr_t frame);
/* Marks the thread busy, in `frame`, once its ring is its own, while the process ends. False: that would take too long. */
bool call_take_ring(struct thread *thread, uintptr_t frame);
/* The thread ends inside of the calls that are open (pthread_exit, cancellation): they are stored as left. */
void call_drop_all(struct thread *thread);
/* The same at `now`, where there is no clock any more. The thread is busy. */
void call_drop_all_at(struct thread *thread, uint64_t now);

/* The record of an open call, wherever it is. */
static inline struct raw_record *call_open_record(const struct thread *thread, uint32_t level)
{
	return (struct raw_record *)(thread->open + thread->calls[level].offset);
}

/* Whether one more call fits on the stack of open ones. */
static CALL_INLINE bool call_has_room(const struct thread *thread, uint32_t size)
{
	return thread->open_top + size <= thread->open_size && thread->level < OPEN_CALLS_MAX;
}

/* ---- for those who store calls; the thread is busy ---- */

/* The structure that the call with this frame records into, marked busy; NULL: it cannot be recorded, which is counted. */
struct thread *call_ready_thread(uintptr_t frame);
/* Defines the function, if that has not been done. False: it cannot be. May change errno. */
bool call_is_defined(unsigned function);
/* Whether the ring has room for `size` bytes, where need be in what had no memory so far. */
bool call_has_ring_room(struct thread *thread, uint32_t size);
/* Makes room for `size` bytes in the ring; the open-call stack may lie elsewhere afterwards. False: a sandbox, or no memory for a record as long; it is lost. */
bool call_ensure_room(struct thread *thread, uint32_t size);
/* Stores a finished record at the ring's head, where there is room. */
void call_store_finished(struct thread *thread, struct raw_record *record);
/* The call at `level`, the innermost one and not in place, is over. */
void call_pop(struct thread *thread, uint32_t level);
/* Now and then: whether the ring is old, or something was asked of the process. */
void call_attend(struct thread *thread);
/* When the innermost call is over, or was never open: those around it go on with their records where these are. */
void call_seal_around(struct thread *thread);

#endif
