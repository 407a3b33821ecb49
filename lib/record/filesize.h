/* SPDX-License-Identifier: MIT */
/*
 * filesize.h - writing without the signals that the program would get for it: SIGXFSZ under a limit (RLIMIT_FSIZE), and SIGPIPE
 * where the standard error is a pipe that nobody reads any more.
 *
 * They are blocked meanwhile; if the recorder raised one it is taken away, unless the program had one pending before.
 */
#ifndef RECORDER_RECORD_FILESIZE_H
#define RECORDER_RECORD_FILESIZE_H

#include <errno.h>

#include "record/sys.h"

#define FILESIZE_SIGNALS (1ull << (SIGXFSZ - 1) | 1ull << (SIGPIPE - 1))

struct filesize_guard {
	uint64_t mask, pending; /* of the thread before */
};

static inline struct filesize_guard filesize_begin(void)
{
	struct filesize_guard guard = {0, 0};
	uint64_t block = FILESIZE_SIGNALS;

	sys_sigprocmask(SIG_BLOCK, &block, &guard.mask);
	sys_sigpending(&guard.pending);
	return guard;
}

/* `result`: of the call that was made in between. */
static inline void filesize_end(const struct filesize_guard *guard, long result)
{
	int number = result == -EFBIG ? SIGXFSZ : result == -EPIPE ? SIGPIPE : 0;
	uint64_t signal = number ? 1ull << (number - 1) : 0;

	if (signal && !(guard->pending & signal))
		sys_sigtake(&signal);
	sys_sigprocmask(SIG_SETMASK, &guard->mask, NULL);
}

static inline long filesize_write(int fd, const void *buffer, size_t size)
{
	struct filesize_guard guard = filesize_begin();
	long written = sys_write(fd, buffer, size);

	filesize_end(&guard, written);
	return written;
}

static inline long filesize_writev(int fd, const struct iovec *parts, int count)
{
	struct filesize_guard guard = filesize_begin();
	long written = sys_writev(fd, parts, count);

	filesize_end(&guard, written);
	return written;
}

/* 0 if a write gave all of `size` bytes, else why not. */
static inline int filesize_error(long written, long size)
{
	if (written == size)
		return 0;
	return written < 0 ? (int)written : -ENOSPC;
}

#endif
