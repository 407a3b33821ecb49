/* SPDX-License-Identifier: MIT */
/*
 * critical.h - what nobody may jump out of.
 *
 * A signal handler of the program may come at any place, and leave it for good by siglongjmp(). Most of what a call does to its thread's ring can be undone then (mend.h). Not so where
 * a lock is held, or others would find in the middle what is theirs, too: a chunk that is being sealed, a ring that grows, scratch memory, a definition. No handler can come where signals are blocked, which takes two
 * system calls: little beside sealing. It would be much for a definition, of which a program that opens files makes one after the other. There a task counts how deep it is in;
 * after a jump that count stays, and says for good that the thread is not to be mended. That is two stores to memory of the thread.
 */
#ifndef RECORDER_RECORD_CRITICAL_H
#define RECORDER_RECORD_CRITICAL_H

#include "record/signals.h"
#include "record/thread.h"

static inline void critical_enter(void)
{
	thread_task()->critical++;
	compiler_barrier();
}

static inline void critical_leave(void)
{
	compiler_barrier();
	thread_task()->critical--;
}

/* The same with signals blocked. Returns what critical_leave_alone() takes. */
static inline uint64_t critical_enter_alone(void)
{
	uint64_t blocked = signals_block();

	critical_enter();
	return blocked;
}

static inline void critical_leave_alone(uint64_t blocked)
{
	critical_leave();
	signals_restore(blocked);
}

#endif
