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
 *
 * A poll (poll_enter() to poll_leave()) is timed each time, as it moves what others have sent. But its record is not made anew, nor held against that of
 * the run in full: what it added to the run still lies at the ring's head, where its own would be. The next poll of the function from the
 * same place takes it as it lies, and as long as its arguments are the run's, it finds nothing, and nothing else is recorded meanwhile, it is added at once:
 *
 *	poll_enter()	thread->poll = the record, or NULL: it is opened as that of any other call
 *	arg_*()		what is known before the call
 *	poll_start()	thread->poll = NULL if an argument is not the run's
 *	call_stop()
 *	poll_found()	thread->poll = NULL; before any argument that is known only now
 *	poll_leave()
 */
#ifndef RECORDER_RECORD_REPEAT_H
#define RECORDER_RECORD_REPEAT_H

#include <stdio.h>

#include "record/call.h"
#include "record/glibc.h"

#define QUICK_MOST 255u

/* In place of call_leave() where the catalogue says `fold`. */
void call_leave_repeated(struct call *call);

/* ---- polls ---- */

/* Whether the call's record is still what the poll before it has left, in full; then it has found nothing up to here, either. */
static CALL_INLINE bool poll_is_again(const struct call *call)
{
	return call->thread->poll == call->record;
}

/* Something differs from the poll before. */
static CALL_INLINE void poll_found(struct call *call)
{
	call->thread->poll = NULL;
}

/* Takes the record that lies at the head, if it is that of a call like this one. The thread is busy. */
static CALL_INLINE bool poll_reopen(struct call *call, struct thread *thread, unsigned function,
				    unsigned arg_count, uintptr_t site)
{
	const struct raw_record *record = thread->poll;

	if (!record || thread_mode(thread) != THREAD_ACTIVE || thread->depth != 0 ||
	    (uint8_t *)record != thread->data + thread->head || thread->head != thread->run_end ||
	    record->head != record_head(call_size(arg_count), (uint16_t)function, 0) ||
	    record->callsite != site)
		return false;
	call_begin_in_place(call, thread, 0, arg_count);
	return true;
}

/* In place of call_enter(): to be left by poll_leave(). */
static CALL_INLINE bool poll_enter(struct call *call, unsigned function, unsigned arg_count,
				   uintptr_t site)
{
	struct thread *thread = thread_tls.self;

	sanitizer_forget_left();
	if (likely(thread_is_idle(thread) && function_state_of(function) == FUNCTION_ON)) {
		thread_set_busy(thread);
		if (likely(poll_reopen(call, thread, function, arg_count, site)))
			return true;
		thread_set_idle(thread);
	}
	if (!call_enter(call, function, arg_count, site))
		return false;
	poll_found(call);
	return true;
}

/* In place of call_start(). */
static CALL_INLINE void poll_start(struct call *call, unsigned arg_count)
{
	const struct raw_record *record = call->record;

	if (likely(poll_is_again(call))) {
		const struct thread *thread = call->thread;
		const struct raw_record *run =
			(const struct raw_record *)(thread->data + thread->run_begin);
		uint64_t different = 0;

#pragma GCC unroll 8
		for (unsigned i = 0; i < arg_count - 1; i++) /* all but `busy` */
			different |= record->args[i] ^ run->args[i];
		if (unlikely(different))
			poll_found(call);
	}
	call_start(call);
}

/* In place of call_leave_repeated(). */
void poll_leave(struct call *call);

/* ---- characters ---- */

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
