/* SPDX-License-Identifier: MIT */
/*
 * stdio_open.c - the wrappers that make and end a FILE, and keep the descriptor table true.
 */
#include "wrap/wrapper.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "record/descriptors.h"

/* The descriptor of a stream, -1 if it has none, without a record. Keeps errno. */
static int stream_fd(FILE *stream)
{
	__typeof__(fileno) *next = function_next(SYM_fileno);
	int saved = errno;
	int fd = stream ? next(stream) : -1;

	errno = saved;
	return fd;
}

static void stream_opened(FILE *stream, const char *path)
{
	int fd = stream_fd(stream);

	if (fd == -1)
		return;
	if (path)
		descriptor_opened(fd, AT_FDCWD, path);
	else
		descriptor_forget(fd);
}

static FILE *fopen_record(FILE *(*next)(const char *path, const char *mode), uintptr_t site,
			  const char *path, const char *mode)
{
	struct call call;
	FILE *stream;

	if (!call_enter(&call, FN_fopen, 2, site)) {
		stream = next(path, mode);
		stream_opened(stream, path);
		return stream;
	}
	arg_path(&call, 0, path);
	arg_string(&call, 1, mode);
	call_start(&call);
	stream = next(path, mode);
	call_stop(&call);
	stream_opened(stream, path);
	result_stream(&call, stream);
	call_leave(&call);
	return stream;
}

WRAPPER FILE *fopen(const char *path, const char *mode)
{
	return fopen_record(function_next(SYM_fopen), CALL_SITE, path, mode);
}

WRAPPER FILE *fopen64(const char *path, const char *mode)
{
	return fopen_record(function_next(SYM_fopen64), CALL_SITE, path, mode);
}

/* `path` may be NULL: the same file in another mode. */
static FILE *freopen_record(FILE *(*next)(const char *path, const char *mode, FILE *stream),
			    uintptr_t site, const char *path, const char *mode, FILE *stream)
{
	struct call call;
	FILE *result;

	if (!call_enter(&call, FN_freopen, 3, site)) {
		descriptor_forget(stream_fd(stream));
		result = next(path, mode, stream);
		stream_opened(result, path);
		return result;
	}
	arg_path(&call, 0, path);
	arg_string(&call, 1, mode);
	arg_stream(&call, 2, stream);
	descriptor_forget(stream_fd(stream));
	call_start(&call);
	result = next(path, mode, stream);
	call_stop(&call);
	stream_opened(result, path);
	result_stream(&call, result);
	call_leave(&call);
	return result;
}

WRAPPER FILE *freopen(const char *path, const char *mode, FILE *stream)
{
	return freopen_record(function_next(SYM_freopen), CALL_SITE, path, mode, stream);
}

WRAPPER FILE *freopen64(const char *path, const char *mode, FILE *stream)
{
	return freopen_record(function_next(SYM_freopen64), CALL_SITE, path, mode, stream);
}

static FILE *tmpfile_record(FILE *(*next)(void), uintptr_t site)
{
	struct call call;
	FILE *stream;

	if (!call_enter(&call, FN_tmpfile, 0, site)) {
		stream = next();
		stream_opened(stream, NULL);
		return stream;
	}
	call_start(&call);
	stream = next();
	call_stop(&call);
	stream_opened(stream, NULL);
	result_stream(&call, stream);
	call_leave(&call);
	return stream;
}

WRAPPER FILE *tmpfile(void)
{
	return tmpfile_record(function_next(SYM_tmpfile), CALL_SITE);
}

WRAPPER FILE *tmpfile64(void)
{
	return tmpfile_record(function_next(SYM_tmpfile64), CALL_SITE);
}

WRAPPER FILE *popen(const char *command, const char *mode)
{
	__typeof__(popen) *next = function_next(SYM_popen);
	struct call call;
	FILE *stream;

	if (!call_enter(&call, FN_popen, 2, CALL_SITE)) {
		stream = next(command, mode);
		stream_opened(stream, NULL);
		return stream;
	}
	untraced_look("/bin/sh", environ);
	arg_command(&call, 0, command);
	arg_string(&call, 1, mode);
	call_start(&call);
	stream = next(command, mode);
	call_stop(&call);
	stream_opened(stream, NULL);
	result_stream(&call, stream);
	call_leave(&call);
	return stream;
}

/* fclose() and pclose(): the number is free before they return. */
static int close_stream_record(int (*next)(FILE *stream), unsigned function, uintptr_t site,
			       FILE *stream)
{
	struct call call;
	int result;

	if (!call_enter(&call, function, 1, site)) {
		descriptor_forget(stream_fd(stream));
		return next(stream);
	}
	arg_stream(&call, 0, stream);
	descriptor_forget(stream_fd(stream));
	call_start(&call);
	result = next(stream);
	call_stop(&call);
	result_int(&call, result, result == -1);
	call_leave(&call);
	return result;
}

WRAPPER int fclose(FILE *stream)
{
	return close_stream_record(function_next(SYM_fclose), FN_fclose, CALL_SITE, stream);
}

WRAPPER int pclose(FILE *stream)
{
	return close_stream_record(function_next(SYM_pclose), FN_pclose, CALL_SITE, stream);
}
