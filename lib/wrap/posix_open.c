/* SPDX-License-Identifier: MIT */
/*
 * posix_open.c - the wrappers of open and openat, whose mode is there only for some flags, and of
 * pipe; openat2, which libc has no function for, is recorded as openat.
 */
#include "wrap/wrapper.h"

#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

#include "wrap/posix_args.h"
#include "wrap/posix_records.h"

static bool open_is_unnamed(int flags)
{
	return (flags & O_TMPFILE) == O_TMPFILE;
}

static bool open_has_mode(int flags)
{
	return (flags & O_CREAT) || open_is_unnamed(flags);
}

/* `args` begin after the flags. */
static mode_t open_mode(int flags, va_list args)
{
	return open_has_mode(flags) ? va_arg(args, mode_t) : 0;
}

/* Keeps the descriptor table true; the name of an unnamed file is known to the kernel alone. */
static void open_succeeded(int fd, int dirfd, const char *path, int flags)
{
	if (fd == -1)
		return;
	if (open_is_unnamed(flags))
		descriptor_forget(fd);
	else
		descriptor_opened(fd, dirfd, path);
}

int open_record(open_function *next, uintptr_t site, const char *path, int flags, mode_t mode)
{
	bool has_mode = open_has_mode(flags);
	struct call call;
	int fd;

	if (!call_enter(&call, FN_open, has_mode ? 3 : 2, site)) {
		fd = next(path, flags, mode);
		open_succeeded(fd, AT_FDCWD, path, flags);
		return fd;
	}
	arg_path(&call, 0, path);
	arg_int(&call, 1, flags);
	if (has_mode)
		arg_int(&call, 2, mode);
	call_start(&call);
	fd = next(path, flags, mode);
	call_stop(&call);
	open_succeeded(fd, AT_FDCWD, path, flags);
	result_fd(&call, fd, fd == -1);
	call_leave(&call);
	return fd;
}

int openat_record(openat_function *next, uintptr_t site, int dirfd, const char *path, int flags,
		  mode_t mode)
{
	bool has_mode = open_has_mode(flags);
	struct call call;
	int fd;

	if (!call_enter(&call, FN_openat, has_mode ? 4 : 3, site)) {
		fd = next(dirfd, path, flags, mode);
		open_succeeded(fd, dirfd, path, flags);
		return fd;
	}
	arg_fd(&call, 0, dirfd);
	arg_path_at(&call, 1, dirfd, path);
	arg_int(&call, 2, flags);
	if (has_mode)
		arg_int(&call, 3, mode);
	call_start(&call);
	fd = next(dirfd, path, flags, mode);
	call_stop(&call);
	open_succeeded(fd, dirfd, path, flags);
	result_fd(&call, fd, fd == -1);
	call_leave(&call);
	return fd;
}

/* Below which folder the path begins may be said otherwise than by the path: the kernel is asked for the name. */
long openat2_record(openat2_function *next, uintptr_t site, int dirfd, const char *path,
		    const struct opening *how, size_t size)
{
	struct opening opening = {0};
	struct call call;
	bool has_mode;
	long fd;

	if (size >= sizeof(opening) && readable(how, sizeof(opening)))
		opening = *how;
	has_mode = open_has_mode((int)opening.flags);
	if (!call_enter(&call, FN_openat, has_mode ? 4 : 3, site)) {
		fd = next(dirfd, path, how, size);
		if (fd != -1)
			descriptor_forget((int)fd);
		return fd;
	}
	arg_fd(&call, 0, dirfd);
	arg_path_at(&call, 1, dirfd, path);
	arg_int(&call, 2, (int)opening.flags);
	if (has_mode)
		arg_int(&call, 3, (int64_t)opening.mode);
	call_start(&call);
	fd = next(dirfd, path, how, size);
	call_stop(&call);
	if (fd != -1)
		descriptor_forget((int)fd);
	result_fd(&call, (int)fd, fd == -1);
	call_leave(&call);
	return fd;
}

WRAPPER int open(const char *path, int flags, ...)
{
	va_list args;
	int fd;

	va_start(args, flags);
	fd = open_record(function_next(SYM_open), CALL_SITE, path, flags, open_mode(flags, args));
	va_end(args);
	return fd;
}

WRAPPER int open64(const char *path, int flags, ...)
{
	va_list args;
	int fd;

	va_start(args, flags);
	fd = open_record(function_next(SYM_open64), CALL_SITE, path, flags, open_mode(flags, args));
	va_end(args);
	return fd;
}

WRAPPER int __open(const char *path, int flags, ...)
{
	va_list args;
	int fd;

	va_start(args, flags);
	fd = open_record(function_next(SYM___open), CALL_SITE, path, flags, open_mode(flags, args));
	va_end(args);
	return fd;
}

WRAPPER int __open64(const char *path, int flags, ...)
{
	va_list args;
	int fd;

	va_start(args, flags);
	fd = open_record(function_next(SYM___open64), CALL_SITE, path, flags,
			 open_mode(flags, args));
	va_end(args);
	return fd;
}

WRAPPER int openat(int dirfd, const char *path, int flags, ...)
{
	va_list args;
	int fd;

	va_start(args, flags);
	fd = openat_record(function_next(SYM_openat), CALL_SITE, dirfd, path, flags,
			   open_mode(flags, args));
	va_end(args);
	return fd;
}

WRAPPER int openat64(int dirfd, const char *path, int flags, ...)
{
	va_list args;
	int fd;

	va_start(args, flags);
	fd = openat_record(function_next(SYM_openat64), CALL_SITE, dirfd, path, flags,
			   open_mode(flags, args));
	va_end(args);
	return fd;
}

static void pipe_made(int result, const int fds[2])
{
	if (result == 0) {
		descriptor_forget(fds[0]);
		descriptor_forget(fds[1]);
	}
}

int pipe_record(pipe_function *next, uintptr_t site, int fds[2])
{
	struct call call;
	int result;

	if (!call_enter(&call, FN_pipe, 1, site)) {
		result = next(fds);
		pipe_made(result, fds);
		return result;
	}
	arg_int(&call, 0, 0);
	call_start(&call);
	result = next(fds);
	call_stop(&call);
	pipe_made(result, fds);
	result_int(&call, result, result == -1);
	if (result == 0)
		arg_ints(&call, 0, fds, 2);
	call_leave(&call);
	return result;
}

WRAPPER int pipe(int fds[2])
{
	return pipe_record(function_next(SYM_pipe), CALL_SITE, fds);
}

WRAPPER int __pipe(int fds[2])
{
	return pipe_record(function_next(SYM___pipe), CALL_SITE, fds);
}

int pipe2_record(pipe2_function *next, uintptr_t site, int fds[2], int flags)
{
	struct call call;
	int result;

	if (!call_enter(&call, FN_pipe2, 2, site)) {
		result = next(fds, flags);
		pipe_made(result, fds);
		return result;
	}
	arg_int(&call, 0, 0);
	arg_int(&call, 1, flags);
	call_start(&call);
	result = next(fds, flags);
	call_stop(&call);
	pipe_made(result, fds);
	result_int(&call, result, result == -1);
	if (result == 0)
		arg_ints(&call, 0, fds, 2);
	call_leave(&call);
	return result;
}

WRAPPER int pipe2(int fds[2], int flags)
{
	return pipe2_record(function_next(SYM_pipe2), CALL_SITE, fds, flags);
}
