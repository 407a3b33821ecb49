/* SPDX-License-Identifier: MIT */
/*
 * posix_dup.c - the wrappers of dup and its relatives; fcntl, which duplicates too, is in posix_control.c.
 *
 * A program may ask for a number that the recorder holds: then ours is moved away first.
 */
#include "wrap/wrapper.h"

#include <unistd.h>

#include "record/descriptors.h"
#include "record/stream_file.h"
#include "wrap/posix_records.h"

int dup_record(dup_function *next, uintptr_t site, int fd)
{
	struct call call;
	int result;

	if (unlikely(descriptor_is_ours(fd)))
		return descriptor_refused();
	if (!call_enter(&call, FN_dup, 1, site)) {
		result = next(fd);
		if (result != -1)
			descriptor_duplicated(fd, result);
		return result;
	}
	arg_fd(&call, 0, fd);
	call_start(&call);
	result = next(fd);
	call_stop(&call);
	if (result != -1)
		descriptor_duplicated(fd, result);
	result_fd(&call, result, result == -1);
	call_leave(&call);
	return result;
}

WRAPPER int dup(int fd)
{
	return dup_record(function_next(SYM_dup), CALL_SITE, fd);
}

/* `fd2` is about to be closed and to stand for what `fd` does. */
static void dup_prepare(int fd, int fd2)
{
	if (fd == fd2)
		return;
	stream_descriptor_move(fd2);
	descriptor_forget(fd2);
}

static void dup_done(int result, int fd)
{
	if (result != -1 && result != fd)
		descriptor_duplicated(fd, result);
}

int dup2_record(dup2_function *next, uintptr_t site, int fd, int fd2)
{
	struct call call;
	int result;

	if (!call_enter(&call, FN_dup2, 2, site)) {
		dup_prepare(fd, fd2);
		result = next(fd, fd2);
		dup_done(result, fd);
		return result;
	}
	arg_fd(&call, 0, fd);
	arg_fd(&call, 1, fd2);
	dup_prepare(fd, fd2);
	call_start(&call);
	result = next(fd, fd2);
	call_stop(&call);
	dup_done(result, fd);
	result_fd(&call, result, result == -1);
	call_leave(&call);
	return result;
}

WRAPPER int dup2(int fd, int fd2)
{
	return dup2_record(function_next(SYM_dup2), CALL_SITE, fd, fd2);
}

WRAPPER int __dup2(int fd, int fd2)
{
	return dup2_record(function_next(SYM___dup2), CALL_SITE, fd, fd2);
}

int dup3_record(dup3_function *next, uintptr_t site, int fd, int fd2, int flags)
{
	struct call call;
	int result;

	if (!call_enter(&call, FN_dup3, 3, site)) {
		dup_prepare(fd, fd2);
		result = next(fd, fd2, flags);
		dup_done(result, fd);
		return result;
	}
	arg_fd(&call, 0, fd);
	arg_fd(&call, 1, fd2);
	arg_int(&call, 2, flags);
	dup_prepare(fd, fd2);
	call_start(&call);
	result = next(fd, fd2, flags);
	call_stop(&call);
	dup_done(result, fd);
	result_fd(&call, result, result == -1);
	call_leave(&call);
	return result;
}

WRAPPER int dup3(int fd, int fd2, int flags)
{
	return dup3_record(function_next(SYM_dup3), CALL_SITE, fd, fd2, flags);
}
