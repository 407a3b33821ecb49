/* SPDX-License-Identifier: MIT */
/*
 * signals.h - no handler runs while the recorder does what one must not come into: a handler's calls could not be told from its own, or would find it in the middle.
 */
#ifndef RECORDER_RECORD_SIGNALS_H
#define RECORDER_RECORD_SIGNALS_H

#include <signal.h>
#include <stdint.h>

#include "record/config.h"
#include "record/sandbox.h"
#include "record/sys.h"
#include "record/thread.h"

#define SIGNALS_UNTOUCHED UINT64_MAX

static inline uint64_t signal_bit(int signal)
{
	return (uint64_t)1 << (signal - 1);
}

/* What an instruction raises is not among them: the kernel ends a process that has it blocked, and some programs have a handler that does what a filter of system calls has refused (SIGSYS). */
static inline uint64_t signals_from_outside(void)
{
	return ~(signal_bit(SIGILL) | signal_bit(SIGTRAP) | signal_bit(SIGBUS) |
		 signal_bit(SIGFPE) | signal_bit(SIGSEGV) | signal_bit(SIGSYS));
}

/* Blocks those that come from outside. Returns which were blocked, for signals_restore(). Does nothing in a sandbox, where the system call could be forbidden. */
static inline uint64_t signals_block(void)
{
	uint64_t outside = signals_from_outside(), before;

	if (sandbox_active() || sys_sigprocmask(SIG_BLOCK, &outside, &before))
		return SIGNALS_UNTOUCHED;
	return before;
}

static inline void signals_restore(uint64_t before)
{
	if (before != SIGNALS_UNTOUCHED)
		sys_sigprocmask(SIG_SETMASK, &before, NULL);
}

/*
 * runtime_enter() where a handler's calls are to be recorded, and not to be forwarded as those of libc: it waits. Not where that is so in any case: at the start, and in a process that
 * records nothing, which may be under a filter of system calls. Returns what runtime_leave_alone() takes.
 */
static inline uint64_t runtime_enter_alone(void)
{
	bool waits = config.enable && !thread_task()->in_runtime;
	uint64_t before = waits ? signals_block() : SIGNALS_UNTOUCHED;

	runtime_enter();
	return before;
}

static inline void runtime_leave_alone(uint64_t before)
{
	runtime_leave();
	signals_restore(before);
}

#endif
