/* SPDX-License-Identifier: MIT */
/*
 * posix_directory.c - the wrappers that make and end a DIR, and those of getcwd.
 */
#include "wrap/wrapper.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "wrap/posix_args.h"

/* The descriptor of a DIR, -1 for NULL, without a record. */
static int directory_fd(DIR *dir)
{
	__typeof__(dirfd) *next = function_next(SYM_dirfd);

	/* the header promises the compiler that it is not NULL; programs may break that */
	__asm__("" : "+r"(dir));
	return dir ? next(dir) : -1;
}

WRAPPER DIR *opendir(const char *path)
{
	__typeof__(opendir) *next = function_next(SYM_opendir);
	struct call call;
	DIR *dir;

	if (!call_enter(&call, FN_opendir, 1, CALL_SITE)) {
		dir = next(path);
		if (dir)
			descriptor_opened(directory_fd(dir), AT_FDCWD, path);
		return dir;
	}
	arg_path(&call, 0, path);
	call_start(&call);
	dir = next(path);
	call_stop(&call);
	result_opened(&call, directory_fd(dir), AT_FDCWD, path);
	call_leave(&call);
	return dir;
}

WRAPPER DIR *fdopendir(int fd)
{
	__typeof__(fdopendir) *next = function_next(SYM_fdopendir);
	struct call call;
	DIR *dir;

	if (!call_enter(&call, FN_fdopendir, 1, CALL_SITE))
		return next(fd);
	arg_fd(&call, 0, fd);
	call_start(&call);
	dir = next(fd);
	call_stop(&call);
	result_fd(&call, directory_fd(dir), !dir);
	call_leave(&call);
	return dir;
}

WRAPPER int closedir(DIR *dir)
{
	__typeof__(closedir) *next = function_next(SYM_closedir);
	struct call call;
	int result;

	if (!call_enter(&call, FN_closedir, 1, CALL_SITE)) {
		descriptor_forget(directory_fd(dir));
		return next(dir);
	}
	arg_dir(&call, 0, dir);
	descriptor_forget(directory_fd(dir));
	call_start(&call);
	result = next(dir);
	call_stop(&call);
	result_int(&call, result, result == -1);
	call_leave(&call);
	return result;
}

/* The path is the result: `buffer` may be NULL, and then libc makes one. */
WRAPPER char *getcwd(char *path, size_t size)
{
	__typeof__(getcwd) *next = function_next(SYM_getcwd);
	struct call call;
	char *result;

	if (!call_enter(&call, FN_getcwd, 2, CALL_SITE))
		return next(path, size);
	arg_int(&call, 0, 0);
	arg_int(&call, 1, size);
	call_start(&call);
	result = next(path, size);
	call_stop(&call);
	result_pointer(&call, result, !result);
	arg_path(&call, 0, result);
	call_leave(&call);
	return result;
}

WRAPPER char *__getcwd_chk(char *path, size_t size, size_t limit)
{
	char *(*next)(char *, size_t, size_t) = function_next(SYM___getcwd_chk);
	struct call call;
	char *result;

	if (!call_enter(&call, FN_getcwd, 2, CALL_SITE))
		return next(path, size, limit);
	arg_int(&call, 0, 0);
	arg_int(&call, 1, size);
	call_start(&call);
	result = next(path, size, limit);
	call_stop(&call);
	result_pointer(&call, result, !result);
	arg_path(&call, 0, result);
	call_leave(&call);
	return result;
}
