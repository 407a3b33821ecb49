/* SPDX-License-Identifier: MIT */
/*
 * filesize.h - growing a file under a limit (RLIMIT_FSIZE) without the signal that the program would get for it.
 *
 * SIGXFSZ is blocked meanwhile; if the recorder raised one it is taken away, unless the program had one pending before.
 */
#ifndef RECORDER_RECORD_FILESIZE_H
#define RECORDER_RECORD_FILESIZE_H

#include <errno.h>

#include "record/sys.h"

#define FILESIZE_SIGNAL (1ull << (SIGXFSZ - 1))

struct filesize_guard {
	uint64_t mask, pending; /* of the thread before */
};

static inline struct filesize_guard filesize_begin(void)
{
	struct filesize_guard guard = {0, 0};
	uint64_t block = FILESIZE_SIGNAL;

	sys_sigprocmask(SIG_BLOCK, &block, &guard.mask);
	sys_sigpending(&guard.pending);
	return guard;
}

/* `result`: of the call that was made in between. */
static inline void filesize_end(const struct filesize_guard *guard, long result)
{
	uint64_t signal = FILESIZE_SIGNAL;

	if (result == -EFBIG && !(guard->pending & FILESIZE_SIGNAL))
		sys_sigtake(&signal);
	sys_sigprocmask(SIG_SETMASK, &guard->mask, NULL);
}

#endif
