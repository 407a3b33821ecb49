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
 * The same where it also says `quick`: calls on `stream` may be counted alone from now on, without being timed. `next` is what such a call is
 * passed on to.
 */
void call_leave_quick(struct call *call, const FILE *stream, void *next);

/* Whether the thread has a run of calls on this stream. To be asked before anything of the stream is looked at. */
static CALL_INLINE bool run_is_on(const struct thread *thread, const FILE *stream)
{
	return likely(thread->quick_key == ~(uintptr_t)stream);
}

/* Whether the newest record is that of a run which may be counted on; the thread is busy. */
static CALL_INLINE bool run_is_open(const struct thread *thread, const struct raw_record *run,
				    unsigned function, uintptr_t site)
{
	return thread->head == thread->run_end && thread->level == 0 && run->callsite == site &&
	       run->function == function && run->repeat != thread->quick_limit &&
	       *thread->quick_file == thread->quick_file_id &&
	       function_state_of(function) == FUNCTION_ON;
}

/* Adds a call to the run, if it may be added without its times. A signal handler may have ended the run since run_is_on(). */
static CALL_INLINE bool run_count(struct thread *thread, unsigned function, const FILE *stream,
				  uintptr_t site)
{
	struct raw_record *run;

	if (unlikely(!thread_is_idle(thread)))
		return false;
	thread_set_busy(thread);
	run = (struct raw_record *)(thread->data + thread->run_begin);
	if (unlikely(thread_mode(thread) != THREAD_ACTIVE || !run_is_on(thread, stream) ||
		     !run_is_open(thread, run, function, site))) {
		thread_set_idle(thread);
		return false;
	}
	atomic_store_explicit((_Atomic uint32_t *)&run->repeat, run->repeat + 1,
			      memory_order_release);
	thread_set_idle(thread);
	return true;
}

/* Whether it may be done here and now what libc's own function would do. */
static CALL_INLINE bool run_is_direct(const struct thread *thread)
{
	return likely(thread->quick_direct && __libc_single_threaded);
}

#endif
