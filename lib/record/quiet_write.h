/* SPDX-License-Identifier: MIT */
/*
 * quiet_write.h - writing without the signals that the program would get for it: SIGXFSZ under a limit (RLIMIT_FSIZE), and SIGPIPE
 * where the standard error is a pipe that nobody reads any more.
 *
 * They are blocked meanwhile; if the recorder raised one it is taken away, unless the program had one pending before.
 */
#ifndef RECORDER_RECORD_QUIET_WRITE_H
#define RECORDER_RECORD_QUIET_WRITE_H

#include <errno.h>

#include "record/sys.h"

#define QUIET_SIGNALS (1ull << (SIGXFSZ - 1) | 1ull << (SIGPIPE - 1))

struct quiet_guard {
	uint64_t mask, pending; /* of the thread before */
};

static inline struct quiet_guard quiet_begin(void)
{
	struct quiet_guard guard = {0, 0};
	uint64_t block = QUIET_SIGNALS;

	sys_sigprocmask(SIG_BLOCK, &block, &guard.mask);
	/* a signal that was not blocked is not pending */
	if (guard.mask & QUIET_SIGNALS)
		sys_sigpending(&guard.pending);
	return guard;
}

/* `result`: of the call that was made in between. */
static inline void quiet_end(const struct quiet_guard *guard, long result)
{
	int number = result == -EFBIG ? SIGXFSZ : result == -EPIPE ? SIGPIPE : 0;
	uint64_t signal = number ? 1ull << (number - 1) : 0;

	if (signal && !(guard->pending & signal))
		sys_sigtake(&signal);
	sys_sigprocmask(SIG_SETMASK, &guard->mask, NULL);
}

static inline long quiet_write(int fd, const void *buffer, size_t size)
{
	struct quiet_guard guard = quiet_begin();
	long written = sys_write(fd, buffer, size);

	quiet_end(&guard, written);
	return written;
}

static inline long quiet_writev(int fd, const struct iovec *parts, int count)
{
	struct quiet_guard guard = quiet_begin();
	long written = sys_writev(fd, parts, count);

	quiet_end(&guard, written);
	return written;
}

/* 0 if a write gave all of `size` bytes, else why not. */
static inline int write_error(long written, long size)
{
	if (written == size)
		return 0;
	return written < 0 ? (int)written : -ENOSPC;
}

#endif
