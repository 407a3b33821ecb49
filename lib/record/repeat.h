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
 *	busy	the last argument: time in all of these calls, ticks; without meaning in a record of one call
 *
 * Any other record that the thread stores ends the run, as it is then no more the newest; so does sealing. Most characters are not even timed, and counted in the records of several
 * runs: counted.h.
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

#include "record/call.h"

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
		thread_set_busy_in(thread, (uintptr_t)call);
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

/* ---- for counted.h ---- */

/* Adds the call to the run that its thread's newest record is, and returns that; then the caller is to call repeat_close(). NULL: it is to be stored. */
struct raw_record *repeat_add(struct call *call);
void repeat_close(struct call *call);
/* Stores the call as a record of its own, which may begin a run if repeat_may_begin(). */
void repeat_store(struct call *call);
bool repeat_may_begin(const struct raw_record *record);
/* Of the newest record, which stands for one call: from now on more may be added by storing `repeat` alone. */
void repeat_prepare(struct thread *thread, struct raw_record *record);

#endif
