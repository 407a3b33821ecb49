/* SPDX-License-Identifier: MIT */
/*
 * posix_close.c - the wrappers of close and its relatives.
 *
 * The descriptor table forgets an entry before the real close: afterwards another thread may have
 * got the same number. The recorder's own descriptor is not the program's to close: closing it
 * gives EBADF, as if it did not exist, and a range is closed around it.
 */
#include "wrap/wrapper.h"

#include <linux/close_range.h>
#include <unistd.h>

#include "record/descriptors.h"
#include "record/stream_file.h"
#include "wrap/posix_records.h"

static int close_refused(int fd)
{
	(void)fd;
	return descriptor_refused();
}

int close_record(close_function *next, uintptr_t site, int fd)
{
	struct call call;
	int result;

	if (descriptor_is_ours(fd))
		next = close_refused;
	if (!call_enter(&call, FN_close, 1, site)) {
		descriptor_forget(fd);
		return next(fd);
	}
	arg_fd(&call, 0, fd);
	descriptor_forget(fd);
	call_start(&call);
	result = next(fd);
	call_stop(&call);
	result_int(&call, result, result == -1);
	call_leave(&call);
	return result;
}

WRAPPER int close(int fd)
{
	return close_record(function_next(SYM_close), CALL_SITE, fd);
}

WRAPPER int __close(int fd)
{
	return close_record(function_next(SYM___close), CALL_SITE, fd);
}

/* The real close_range(), around our descriptor. */
static int close_range_around(close_range_function *next, unsigned first, unsigned last, int flags)
{
	int fd = stream_descriptor();
	unsigned ours = (unsigned)fd;

	if (fd < 0 || ours < first || ours > last)
		return next(first, last, flags);
	if (ours > first && next(first, ours - 1, flags) == -1)
		return -1;
	return ours < last ? next(ours + 1, last, flags) : 0;
}

int close_range_record(close_range_function *next, uintptr_t site, unsigned first, unsigned last,
		       int flags)
{
	struct call call;
	int result;

	/* With CLOEXEC nothing is closed, and ours have that flag anyway; errors are the real one's. */
	if (!(flags & CLOSE_RANGE_CLOEXEC) && first <= last)
		descriptor_forget_range(first, last);
	if (!call_enter(&call, FN_close_range, 3, site))
		return close_range_around(next, first, last, flags);
	arg_int(&call, 0, first);
	arg_int(&call, 1, last);
	arg_int(&call, 2, flags);
	call_start(&call);
	result = close_range_around(next, first, last, flags);
	call_stop(&call);
	result_int(&call, result, result == -1);
	call_leave(&call);
	return result;
}

WRAPPER int close_range(unsigned first, unsigned last, int flags)
{
	return close_range_record(function_next(SYM_close_range), CALL_SITE, first, last, flags);
}

/* The real closefrom(), around our descriptor. */
static void closefrom_around(int first)
{
	__typeof__(closefrom) *next = function_next(SYM_closefrom);
	__typeof__(close) *next_close = function_next(SYM_close);
	int ours = stream_descriptor();

	if (ours >= first && ours >= 0) {
		for (int fd = first > 0 ? first : 0; fd < ours; fd++)
			next_close(fd);
		first = ours + 1;
	}
	next(first);
}

WRAPPER void closefrom(int first)
{
	struct call call;

	descriptor_forget_range(first > 0 ? (unsigned)first : 0, UINT32_MAX);
	if (!call_enter(&call, FN_closefrom, 1, CALL_SITE)) {
		closefrom_around(first);
		return;
	}
	arg_int(&call, 0, first);
	call_start(&call);
	closefrom_around(first);
	call_stop(&call);
	call_leave(&call);
}
