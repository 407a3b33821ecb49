/* SPDX-License-Identifier: MIT */
/*
 * posix_control.c - the wrappers of fcntl and ioctl: what the argument behind the command is, the command says. What lies behind a
 * pointer is read only for commands that read or write it, and without risk.
 */
#include "wrap/wrapper.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <sys/ioctl.h>

#include "record/descriptors.h"
#include "wrap/posix_records.h"

#ifndef F_SET_RW_HINT
#define F_GET_RW_HINT 1035
#define F_SET_RW_HINT 1036
#define F_GET_FILE_RW_HINT 1037
#define F_SET_FILE_RW_HINT 1038
#endif

/* ---- fcntl ---- */

enum meaning { NONE, NUMBER, POINTER, HINT, LOCK, LOCK_FOUND };

static enum meaning fcntl_meaning(int command)
{
	switch (command) {
	case F_GETFD:
	case F_GETFL:
	case F_GETOWN:
	case F_GETSIG:
	case F_GETLEASE:
	case F_GETPIPE_SZ:
	case F_GET_SEALS:
		return NONE;
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
		return NUMBER;
	case F_SET_RW_HINT:
	case F_SET_FILE_RW_HINT:
		return HINT;
	case F_SETLK:
	case F_SETLKW:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
		return LOCK;
	case F_GETLK:
	case F_OFD_GETLK:
		return LOCK_FOUND;
	default:
		return POINTER;
	}
}

/* fd and command, and what the command needs: its argument, the lock that is asked for, the one that is found. */
static unsigned fcntl_arg_count(enum meaning meaning)
{
	static const uint8_t counts[] = {
		[NONE] = 2, [NUMBER] = 3, [POINTER] = 3, [HINT] = 3, [LOCK] = 4, [LOCK_FOUND] = 5,
	};

	return counts[meaning];
}

/* A lock as five numbers. */
static void arg_flock(struct call *call, unsigned index, const struct flock *lock)
{
	int64_t words[5] = {0};

	call->record->args[index] = lock ? BLOCK_UNREADABLE : BLOCK_ABSENT;
	if (!lock || !readable(lock, sizeof(*lock)))
		return;
	words[0] = lock->l_type;
	words[1] = lock->l_whence;
	words[2] = lock->l_start;
	words[3] = lock->l_len;
	words[4] = lock->l_pid;
	arg_array(call, index, words, 5, 5, words[0] + words[1] + words[2] + words[3] + words[4]);
}

static void fcntl_args(struct call *call, enum meaning meaning, unsigned long argument)
{
	const void *pointer = (const void *)argument;

	if (meaning == NUMBER)
		arg_int(call, 2, (int)argument);
	else if (meaning == HINT)
		arg_long_at(call, 2, pointer);
	else if (meaning != NONE)
		arg_pointer(call, 2, pointer);
	if (meaning >= LOCK)
		arg_flock(call, 3, pointer);
	if (meaning == LOCK_FOUND)
		arg_int(call, 4, 0);
}

static void fcntl_done(int result, int fd, int command)
{
	if (result != -1 && (command == F_DUPFD || command == F_DUPFD_CLOEXEC))
		descriptor_duplicated(fd, result);
}

static void fcntl_result(struct call *call, int result, int command)
{
	if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
		result_fd(call, result, result == -1);
	else
		result_int(call, (int64_t)pair_make(result, 0), result == -1);
}

int fcntl_record(fcntl_function *next, uintptr_t site, int fd, int command, unsigned long argument)
{
	enum meaning meaning = fcntl_meaning(command);
	struct call call;
	int result;

	if (unlikely(descriptor_is_ours(fd)))
		return descriptor_refused();
	if (!call_enter(&call, FN_fcntl, fcntl_arg_count(meaning), site)) {
		result = next(fd, command, argument);
		fcntl_done(result, fd, command);
		return result;
	}
	arg_fd(&call, 0, fd);
	arg_int(&call, 1, command);
	fcntl_args(&call, meaning, argument);
	call_start(&call);
	result = next(fd, command, argument);
	call_stop(&call);
	fcntl_done(result, fd, command);
	fcntl_result(&call, result, command);
	if (meaning == LOCK_FOUND && result != -1)
		arg_flock(&call, 4, (const struct flock *)argument);
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

/* ---- ioctl ---- */

/* The size of a number behind the pointer that the kernel reads, or writes. */
static size_t ioctl_reads(unsigned long request)
{
	switch (request) {
	case FIONBIO:
	case FIOASYNC:
	case TIOCSPGRP:
	case FS_IOC_SETFLAGS: /* an int, whatever its name says */
		return sizeof(int);
	default:
		return 0;
	}
}

static size_t ioctl_writes(unsigned long request)
{
	switch (request) {
	case FIONREAD:
	case TIOCOUTQ:
	case TIOCGPGRP:
	case FIGETBSZ:
	case FS_IOC_GETFLAGS:
		return sizeof(int);
	case BLKGETSIZE64:
		return sizeof(uint64_t);
	default:
		return 0;
	}
}

static void arg_number_at(struct call *call, unsigned index, const void *pointer, size_t size)
{
	if (size == sizeof(int))
		arg_int_at(call, index, pointer);
	else
		arg_long_at(call, index, pointer);
}

/* The file whose blocks another one is to share, and which of them. */
static void arg_cloned(struct call *call, unsigned long request, const void *argument)
{
	const struct file_clone_range *range = argument;
	int64_t words[3];

	if (request == FICLONE) {
		arg_int(call, 2, (int)(uintptr_t)argument);
		arg_next_file(call);
		arg_fd(call, 3, (int)(uintptr_t)argument);
		arg_last_file(call);
		return;
	}
	arg_pointer(call, 2, argument);
	if (!readable(range, sizeof(*range))) {
		arg_only(call, 3);
		return;
	}
	arg_next_file(call);
	arg_fd(call, 3, (int)range->src_fd);
	arg_last_file(call);
	words[0] = (int64_t)range->src_offset;
	words[1] = (int64_t)range->src_length;
	words[2] = (int64_t)range->dest_offset;
	arg_array(call, 4, words, 3, 3, words[0] + words[1] + words[2]);
}

static unsigned ioctl_arg_count(unsigned long request)
{
	return request == FICLONE ? 4 : request == FICLONERANGE ? 5 : 3;
}

int ioctl_record(ioctl_function *next, uintptr_t site, int fd, unsigned long request,
		 void *argument)
{
	size_t writes = ioctl_writes(request);
	struct call call;
	int result;

	if (!call_enter(&call, FN_ioctl, ioctl_arg_count(request), site))
		return next(fd, request, argument);
	arg_fd(&call, 0, fd);
	arg_int(&call, 1, request);
	if (request == FICLONE || request == FICLONERANGE)
		arg_cloned(&call, request, argument);
	else if (ioctl_reads(request))
		arg_number_at(&call, 2, argument, ioctl_reads(request));
	else if (writes)
		arg_int(&call, 2, 0);
	else
		arg_pointer(&call, 2, argument);
	call_start(&call);
	result = next(fd, request, argument);
	call_stop(&call);
	result_int(&call, result, result == -1);
	if (writes && result == -1)
		arg_only(&call, 2);
	else if (writes)
		arg_number_at(&call, 2, argument, writes);
	call_leave(&call);
	return result;
}

WRAPPER int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	int result;

	va_start(args, request);
	result = ioctl_record(function_next(SYM_ioctl), CALL_SITE, fd, request,
			      va_arg(args, void *));
	va_end(args);
	return result;
}
