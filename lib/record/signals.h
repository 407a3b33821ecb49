/* SPDX-License-Identifier: MIT */
/*
 * signals.h - no handler runs while the recorder does what one must not come into: a handler's calls could not be told from its own, or would find it in the middle.
 */
#ifndef RECORDER_RECORD_SIGNALS_H
#define RECORDER_RECORD_SIGNALS_H

#include <signal.h>
#include <stdint.h>

#include "record/sandbox.h"
#include "record/sys.h"

#define SIGNALS_ALL UINT64_MAX

/* Blocks all of the calling thread. Returns which were blocked, for signals_restore(). Does nothing in a sandbox, where the system call could be forbidden. */
static inline uint64_t signals_block(void)
{
	uint64_t all = SIGNALS_ALL, before;

	if (sandbox_active() || sys_sigprocmask(SIG_SETMASK, &all, &before))
		return SIGNALS_ALL;
	return before;
}

static inline void signals_restore(uint64_t before)
{
	if (before != SIGNALS_ALL)
		sys_sigprocmask(SIG_SETMASK, &before, NULL);
}

#endif
