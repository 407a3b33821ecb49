/* SPDX-License-Identifier: MIT */
/*
 * critical.h - what nobody may jump out of.
 *
 * A signal handler of the program may come at any place, and leave it for good by siglongjmp(). Most of what a call does to its thread's ring can be undone then (mend.h). Not so where
 * a lock is held, or others would find in the middle what is theirs, too: a chunk that is being sealed, a definition, a ring that grows, scratch memory. There a task counts how deep it is in;
 * after a jump that count stays, and says for good that the thread is not to be mended.
 * Both are stores to memory of the thread: no system call, no barrier. Blocking signals instead would take two system calls each time.
 */
#ifndef RECORDER_RECORD_CRITICAL_H
#define RECORDER_RECORD_CRITICAL_H

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

#endif
