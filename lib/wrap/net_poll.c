/* SPDX-License-Identifier: MIT */
/* net_poll.c - which files poll() waits for: that stands in an array of structures */
#include "wrap/wrapper.h"

#include <poll.h>

#include "wrap/net_args.h"

static int64_t file_at(const void *fds, uint32_t at)
{
	return fd_pair(((const struct pollfd *)fds)[at].fd);
}

void arg_polled(struct call *call, unsigned index, const struct pollfd *fds, nfds_t count)
{
	size_t size;

	if (__builtin_mul_overflow(count, sizeof(*fds), &size) || !readable(fds, size))
		arg_int(call, index, fds ? BLOCK_UNREADABLE : BLOCK_ABSENT);
	else
		arg_each(call, index, (int64_t)count, file_at, fds);
}
