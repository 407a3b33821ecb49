/* SPDX-License-Identifier: MIT */
/*
 * paired.h - calls that begin and end in two calls of ours: regions, functions of Python.
 *
 *	if (paired_enter(&call, function, 0, 0))	...		if (paired_stop(&call, function)) {
 *		paired_start(&call);					call.record->result = ...;
 *										pushed_leave(&call);
 *									}
 *
 * No frame of a wrapper tells when the program has left such a call: it is left when the call around it is, and it ends when one around it does. Who begins and ends
 * in order has each end paired with its begin, recorded or not: those that are not (paused, nested too deep) are counted in the innermost call that is.
 */
#ifndef RECORDER_RECORD_PAIRED_H
#define RECORDER_RECORD_PAIRED_H

#include "record/mend.h"
#include "record/pushed.h"
#include "record/sharing.h"

/* The structure that has the calls of whoever runs now: a signal handler's are elsewhere if it interrupted the recorder. NULL: none. */
static inline struct thread *paired_thread(void)
{
	struct thread *thread = sharing_self();

	if (!mend_is_idle(thread, (uintptr_t)__builtin_dwarf_cfa()))
		thread = thread->spare;
	return thread && thread_is_idle(thread) && thread_mode(thread) != THREAD_NONE ? thread
										      : NULL;
}

/* How many are open inside of the innermost open call and are not recorded. */
static inline uint32_t *paired_skipped(struct thread *thread)
{
	return thread->level ? &thread->calls[thread->level - 1].skipped : &thread->skipped_outside;
}

/* Behind pushed_enter(), with its result: if false, its end is known as that of a call that is not recorded. */
static inline bool paired_entered(bool entered)
{
	struct thread *thread;

	if (likely(entered))
		return true;
	thread = paired_thread();
	if (thread)
		++*paired_skipped(thread);
	return false;
}

static inline bool paired_enter(struct call *call, unsigned function, unsigned arg_count,
				uintptr_t site)
{
	return paired_entered(pushed_enter(call, function, arg_count, site));
}

/* As pushed_start(). It lasts as long as the call around it at most: as if its frame were just inside of that one's. */
static inline void paired_start(struct call *call)
{
	struct thread *thread = call->thread;
	uint32_t level;

	pushed_start(call);
	level = thread->level - 1;
	thread->calls[level].frame = level ? thread->calls[level - 1].frame - 1 : UINTPTR_MAX;
}

/* As pushed_stop(), for the call at the top of the stack. */
static inline void paired_stop_top(struct call *call, struct thread *thread)
{
	call->thread = thread;
	call->record = call_open_record(thread, thread->level - 1);
	pushed_stop(call);
	thread->calls[thread->level - 1].frame = (uintptr_t)call;
}

/* The end of the newest call of `function`, whatever arguments it has; those named functions inside of it that have no end are over, too. False: it is not recorded. */
bool paired_stop(struct call *call, uint32_t function);

#endif
