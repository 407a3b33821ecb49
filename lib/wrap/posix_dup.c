/* SPDX-License-Identifier: MIT */
/*
 * posix_dup.c - the wrappers of dup and its relatives, and of fcntl, which duplicates too.
 *
 * A program may ask for a number that the recorder holds: then ours is moved away first.
 */
#include "wrap/wrapper.h"

#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

#include "record/descriptors.h"
#include "record/stream.h"
#include "wrap/posix_records.h"

int dup_record(dup_function *next, uintptr_t site, int fd)
{
	struct call call;
	int result;

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

/* Whether the third argument of fcntl() is a number; else it is a pointer or not there. */
static bool fcntl_has_number(int command)
{
	switch (command) {
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
	case F_SETFD:
	case F_SETFL:
	case F_SETOWN:
	case F_SETSIG:
	case F_SETLEASE:
	case F_NOTIFY:
	case F_SETPIPE_SZ:
	case F_ADD_SEALS:
		return true;
	default:
		return false;
	}
}

static void fcntl_done(int result, int fd, int command)
{
	if (result != -1 && (command == F_DUPFD || command == F_DUPFD_CLOEXEC))
		descriptor_duplicated(fd, result);
}

int fcntl_record(fcntl_function *next, uintptr_t site, int fd, int command, unsigned long argument)
{
	bool number = fcntl_has_number(command);
	struct call call;
	int result;

	if (!call_enter(&call, FN_fcntl, number ? 3 : 2, site)) {
		result = next(fd, command, argument);
		fcntl_done(result, fd, command);
		return result;
	}
	arg_fd(&call, 0, fd);
	arg_int(&call, 1, command);
	if (number)
		arg_int(&call, 2, (int)argument);
	call_start(&call);
	result = next(fd, command, argument);
	call_stop(&call);
	fcntl_done(result, fd, command);
	result_int(&call, result, result == -1);
	call_leave(&call);
	return result;
}

/* Like libc: one argument of register size, whether or not there is one. */
#define fcntl_argument(args) va_arg(args, unsigned long)

WRAPPER int fcntl(int fd, int command, ...)
{
	va_list args;
	int result;

	va_start(args, command);
	result = fcntl_record(function_next(SYM_fcntl), CALL_SITE, fd, command,
			      fcntl_argument(args));
	va_end(args);
	return result;
}

WRAPPER int fcntl64(int fd, int command, ...)
{
	va_list args;
	int result;

	va_start(args, command);
	result = fcntl_record(function_next(SYM_fcntl64), CALL_SITE, fd, command,
			      fcntl_argument(args));
	va_end(args);
	return result;
}

WRAPPER int __fcntl(int fd, int command, ...)
{
	va_list args;
	int result;

	va_start(args, command);
	result = fcntl_record(function_next(SYM___fcntl), CALL_SITE, fd, command,
			      fcntl_argument(args));
	va_end(args);
	return result;
}
