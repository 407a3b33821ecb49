/* SPDX-License-Identifier: MIT */
/*
 * repeat.h - runs: calls of nothing that are made again and again, as one record.
 *
 * A poll that finds nothing and a character that is read are calls like any other, but programs make them by the million, and the next one says what the
 * one before has said. `fold` in the catalogue says which calls these are (function_folds()). If such a call has the same level, call site, stack,
 * arguments and result as the newest record of its thread's ring - of characters (kinds char and wchar) any -, it is added to that record:
 *
 *	repeat	one more
 *	tend	when this call ended
 *	busy	the last argument, 0 in a record of one call: time in all of these calls, ticks
 *
 * Any other record that the thread stores ends the run, as it is then no more the newest; so does sealing.
 *
 * Whoever reads the ring of a killed process, or of one that runs, must find these three as they belong together, though they cannot be
 * stored in one. So tend and busy lie in the ring's header twice; the lowest bit of `repeat` says which pair is the one of this `repeat`:
 *
 *	run[(n + 1) & 1] = tend and busy of n + 1 calls		nobody looks there yet
 *	record->repeat = n + 1 (release)			the call is stored
 *	record->tend, record->busy, run[n & 1] = the same	for who reads the chunk, later
 *
 * A reader takes tend and busy of the last record of a ring from run[repeat & 1] if its repeat is above 1. Nothing is lost: a call that has
 * returned to the program is in `repeat`.
 *
 * A character that is in memory is had in less time than a time stamp takes. Such a call (`quick` in the catalogue) is only counted, when it begins, as it
 * cannot fail and waits for nobody but the stream's lock: run_count(). Up to QUICK_MOST of them, and no more than a quarter of the calls before, are
 * between two calls that are timed in full, as is each that goes to the file. `tend` is the end of the last call that was timed, `busy` the
 * time in those. run_count() lets only through what call_leave_repeated() would add to the run as well; what it looks at is kept by that.
 */
#ifndef RECORDER_RECORD_REPEAT_H
#define RECORDER_RECORD_REPEAT_H

#include <stdio.h>

#include "record/call.h"
#include "record/glibc.h"

#define QUICK_MOST 255u

/* In place of call_leave() where the catalogue says `fold`. */
void call_leave_repeated(struct call *call);

/*
 * The same where it also says `quick`: calls of `symbol` on `stream` may be counted alone from now on, without being timed. `next` is the real function
 * behind it; if it is not libc's own, but that of another library which wants to see each call, they are not.
 */
void call_leave_quick(struct call *call, unsigned symbol, const FILE *stream, void *next);

/* Addresses of programs have less than 48 bits. Never 0. */
static CALL_INLINE uintptr_t run_key(unsigned symbol, const FILE *stream)
{
	return ~((uintptr_t)stream ^ (uintptr_t)symbol << 48);
}

/*
 * Whether the thread has a run of calls of this symbol on this stream; then it is busy until run_let_go(). Nothing of the stream has been looked at.
 */
static CALL_INLINE bool run_claim(struct thread *thread, unsigned symbol, const FILE *stream)
{
	if (unlikely(!thread_is_idle(thread)))
		return false;
	thread_set_busy(thread);
	if (likely(thread_mode(thread) == THREAD_ACTIVE &&
		   thread->quick_key == run_key(symbol, stream)))
		return true;
	thread_set_idle(thread);
	return false;
}

static CALL_INLINE void run_let_go(struct thread *thread)
{
	thread_set_idle(thread);
}

/* Whether the newest record is that of a run which may be counted on from `repeat`. */
static CALL_INLINE bool run_is_open(const struct thread *thread, unsigned function, uintptr_t site,
				    uint32_t repeat)
{
	return thread->head == thread->run_end && thread->depth == 0 &&
	       thread->quick_site == site && repeat != thread->quick_limit &&
	       *thread->quick_file == thread->quick_file_id &&
	       function_state_of(function) == FUNCTION_ON;
}

/* Adds a call to the run, if it may be added without its times. Returns the real function, else NULL. */
static CALL_INLINE void *run_count(const struct thread *thread, unsigned function, uintptr_t site)
{
	struct raw_record *run = thread->quick_run;
	uint32_t repeat = run->repeat;
	void *next = thread->quick_next;

	if (unlikely(!run_is_open(thread, function, site, repeat)))
		return NULL;
	atomic_store_explicit((_Atomic uint32_t *)&run->repeat, repeat + 1, memory_order_release);
	if (!next)
		__builtin_unreachable();
	return next;
}

/* Whether it may be done here and now what libc's function would do. */
static CALL_INLINE bool run_is_direct(void)
{
	return __libc_single_threaded;
}

#endif
