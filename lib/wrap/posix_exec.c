/* SPDX-License-Identifier: MIT */
/*
 * posix_exec.c - the wrappers of the exec family.
 *
 * A successful exec does not come back: its record is stored before it, with the flag NORETURN,
 * and the stream is sealed. A failed one turns the stored record into an ordinary one. In a child
 * of vfork nothing is sealed: its records are those of its parent's thread.
 *
 * The forms with a list of arguments make a vector of it and call the real form that takes one.
 */
#include "wrap/wrapper.h"

#include <stdarg.h>
#include <unistd.h>

#include "record/ending.h"
#include "record/handover.h"
#include "record/pushed.h"
#include "record/sandbox.h"
#include "record/sys.h"
#include "wrap/posix_records.h"

/*
 * Which program the process goes on with is its life, not a call on a file: it is told of whatever RECORDER_EXCLUDE says, as of
 * /proc/self/exe.
 */
static void keep_excluded(struct call *call)
{
	call->record->flags &= (uint8_t)~RECORD_DROP;
}

/*
 * Stores the record of a call that is not expected to return, and seals the stream. `file`: what is run, NULL: not known by name. What
 * the environment is to be is left in `handover`.
 */
static void exec_begin(struct call *call, bool recorded, const char *file,
		       char *const environment[], struct handover *handover)
{
	if (recorded && file)
		untraced_look(file, environment);
	ending_leaving("exec", recorded ? call : NULL);
	handover_begin(handover, environment);
}

/* It returned, so it failed: errno says why. */
static void exec_failed(struct call *call, bool recorded, struct handover *handover)
{
	int saved = errno;

	handover_end(handover);
	ending_stayed(recorded ? call : NULL, saved);
	errno = saved;
}

/* What the new image gets as its environment; lives as long as the frame. */
#define IMAGE_ENVIRONMENT(environment)                                                             \
	(sandbox_active()                                                                          \
		 ? sandbox_environment(environment,                                                \
				       __builtin_alloca(sandbox_environment_size(environment)))    \
		 : (environment))

/*
 * Whether the exec is bound to fail: shells try one folder of PATH after the other. It is then
 * an ordinary call, and the stream need not be ended for it.
 */
static bool is_hopeless(unsigned symbol, const char *path)
{
	return symbol == SYM_execve && !sandbox_active() && sys_access(path, X_OK);
}

static int exec_in_vain(struct call *call, int (*next)(const char *, char *const *, char *const *),
			const char *path, char *const argv[], char *const environment[])
{
	int result;

	pushed_start(call);
	result = next(path, argv, environment);
	pushed_stop(call);
	result_int(call, result, result == -1);
	pushed_leave(call);
	return result;
}

/* The forms with path and vector, by way of the one that takes an environment. */
static int exec_record(unsigned function, uintptr_t site, unsigned symbol, const char *path,
		       char *const argv[], char *const environment[])
{
	int (*next)(const char *, char *const *, char *const *) = function_next(symbol);
	struct handover handover;
	struct call call;
	bool recorded = pushed_enter(&call, function, 2, site);
	int result;

	if (recorded) {
		arg_path(&call, 0, path);
		arg_strings(&call, 1, argv);
		keep_excluded(&call);
		if (is_hopeless(symbol, path))
			return exec_in_vain(&call, next, path, argv, environment);
	}
	exec_begin(&call, recorded, path, environment, &handover);
	environment = IMAGE_ENVIRONMENT(handover.environment);
	result = next(path, argv, environment);
	exec_failed(&call, recorded, &handover);
	return result;
}

/* Also by syscall(): libc's function does nothing but the system call. */
int execve_record(uintptr_t site, const char *path, char *const argv[], char *const envp[])
{
	return exec_record(FN_execve, site, SYM_execve, path, argv, envp);
}

WRAPPER int execve(const char *path, char *const argv[], char *const envp[])
{
	return execve_record(CALL_SITE, path, argv, envp);
}

WRAPPER int execv(const char *path, char *const argv[])
{
	return exec_record(FN_execv, CALL_SITE, SYM_execve, path, argv, environ);
}

WRAPPER int execvp(const char *file, char *const argv[])
{
	return exec_record(FN_execvp, CALL_SITE, SYM_execvpe, file, argv, environ);
}

WRAPPER int execvpe(const char *file, char *const argv[], char *const envp[])
{
	return exec_record(FN_execvpe, CALL_SITE, SYM_execvpe, file, argv, envp);
}

/* The number of arguments from `first` on, without the NULL at their end. */
static size_t list_length(const char *first, va_list list)
{
	size_t length = 0;
	va_list rest;

	va_copy(rest, list);
	for (const char *each = first; each; each = va_arg(rest, const char *))
		length++;
	va_end(rest);
	return length;
}

/* Copies the list with its NULL, and leaves `list` behind it. */
static void list_copy(char **argv, const char *first, va_list *list)
{
	*argv = (char *)first;
	while (*argv)
		*++argv = va_arg(*list, char *);
}

/* Room for the vector of a list, in the wrapper's frame: exec is called where malloc must not be. */
#define LIST_ROOM(first, list) __builtin_alloca((list_length(first, list) + 1) * sizeof(char *))

WRAPPER int execl(const char *path, const char *first, ...)
{
	char **argv;
	va_list list;

	va_start(list, first);
	argv = LIST_ROOM(first, list);
	list_copy(argv, first, &list);
	va_end(list);
	return exec_record(FN_execl, CALL_SITE, SYM_execve, path, argv, environ);
}

WRAPPER int execlp(const char *file, const char *first, ...)
{
	char **argv;
	va_list list;

	va_start(list, first);
	argv = LIST_ROOM(first, list);
	list_copy(argv, first, &list);
	va_end(list);
	return exec_record(FN_execlp, CALL_SITE, SYM_execvpe, file, argv, environ);
}

WRAPPER int execle(const char *path, const char *first, ...)
{
	char **argv, **envp;
	va_list list;

	va_start(list, first);
	argv = LIST_ROOM(first, list);
	list_copy(argv, first, &list);
	envp = va_arg(list, char **);
	va_end(list);
	return exec_record(FN_execle, CALL_SITE, SYM_execve, path, argv, envp);
}

WRAPPER int fexecve(int fd, char *const argv[], char *const envp[])
{
	__typeof__(fexecve) *next = function_next(SYM_fexecve);
	struct handover handover;
	struct call call;
	bool recorded = pushed_enter(&call, FN_fexecve, 2, CALL_SITE);
	int result;

	if (recorded) {
		arg_fd(&call, 0, fd);
		arg_strings(&call, 1, argv);
		keep_excluded(&call);
	}
	exec_begin(&call, recorded, NULL, envp, &handover);
	envp = IMAGE_ENVIRONMENT(handover.environment);
	result = next(fd, argv, envp);
	exec_failed(&call, recorded, &handover);
	return result;
}

WRAPPER int execveat(int dirfd, const char *path, char *const argv[], char *const envp[], int flags)
{
	__typeof__(execveat) *next = function_next(SYM_execveat);
	struct handover handover;
	struct call call;
	bool recorded = pushed_enter(&call, FN_execveat, 4, CALL_SITE);
	int result;

	if (recorded) {
		arg_fd(&call, 0, dirfd);
		arg_path_at(&call, 1, dirfd, path);
		arg_strings(&call, 2, argv);
		arg_int(&call, 3, flags);
		keep_excluded(&call);
	}
	exec_begin(&call, recorded, dirfd == AT_FDCWD ? path : NULL, envp, &handover);
	envp = IMAGE_ENVIRONMENT(handover.environment);
	result = next(dirfd, path, argv, envp, flags);
	exec_failed(&call, recorded, &handover);
	return result;
}
