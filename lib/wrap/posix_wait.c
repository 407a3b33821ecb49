/* SPDX-License-Identifier: MIT */
/*
 * posix_wait.c - wait() and its like: by hand because how a child ended is recorded also where the program does not ask, and because
 * launchers wait with waitpid() for their ranks, and so learn when one died. What is noted of that is the only use of a
 * wrapper in a process that is not recorded.
 */
#include "wrap/wrapper.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include "record/leftover.h"
#include "wrap/posix_records.h"

typedef pid_t wait_function(int *status);
typedef pid_t waitpid_function(pid_t pid, int *status, int options);

static pid_t wait_untraced(waitpid_function *next, pid_t pid, int *status, int options)
{
	int own;
	pid_t result;

	if (!status)
		status = &own;
	result = next(pid, status, options);
	if (result > 0 && (WIFSIGNALED(*status) || WIFEXITED(*status)))
		leftover_note_death((uint32_t)result);
	return result;
}

/* waitpid() and wait4(): the status is not known before the call. */
static void wait_starts(struct call *call, pid_t pid, int options)
{
	arg_int(call, 0, pid);
	arg_int(call, 1, 0);
	arg_int(call, 2, options);
	call_start(call);
}

/* What is known after the call: of the status, the argument `index`, only if there is a child. */
static void waited(struct call *call, pid_t result, unsigned index, const int *status)
{
	result_int(call, result, result == -1);
	if (result > 0)
		arg_int_at(call, index, status);
	call_leave(call);
}

static pid_t waitpid_record(waitpid_function *next, uintptr_t site, pid_t pid, int *status,
			    int options)
{
	struct call call;
	pid_t result;
	int own;

	if (!call_enter(&call, FN_waitpid, 3, site))
		return wait_untraced(next, pid, status, options);
	if (!status)
		status = &own;
	wait_starts(&call, pid, options);
	result = next(pid, status, options);
	call_stop(&call);
	waited(&call, result, 1, status);
	return result;
}

WRAPPER pid_t waitpid(pid_t pid, int *status, int options)
{
	return waitpid_record(function_next(SYM_waitpid), CALL_SITE, pid, status, options);
}

WRAPPER pid_t __waitpid(pid_t pid, int *status, int options)
{
	return waitpid_record(function_next(SYM___waitpid), CALL_SITE, pid, status, options);
}

static pid_t wait_record(wait_function *next, uintptr_t site, int *status)
{
	struct call call;
	pid_t result;
	int own;

	if (!call_enter(&call, FN_wait, 1, site))
		return next(status);
	if (!status)
		status = &own;
	arg_int(&call, 0, 0);
	call_start(&call);
	result = next(status);
	call_stop(&call);
	waited(&call, result, 0, status);
	return result;
}

WRAPPER pid_t wait(int *status)
{
	return wait_record(function_next(SYM_wait), CALL_SITE, status);
}

WRAPPER pid_t __wait(int *status)
{
	return wait_record(function_next(SYM___wait), CALL_SITE, status);
}

WRAPPER pid_t wait3(int *status, int options, struct rusage *usage)
{
	__typeof__(wait3) *next = function_next(SYM_wait3);
	struct call call;
	pid_t result;
	int own;

	if (!call_enter(&call, FN_wait3, 2, CALL_SITE))
		return next(status, options, usage);
	if (!status)
		status = &own;
	arg_int(&call, 0, 0);
	arg_int(&call, 1, options);
	call_start(&call);
	result = next(status, options, usage);
	call_stop(&call);
	waited(&call, result, 0, status);
	return result;
}

pid_t wait4_record(wait4_function *next, uintptr_t site, pid_t pid, int *status, int options,
		   struct rusage *usage)
{
	struct call call;
	pid_t result;
	int own;

	if (!call_enter(&call, FN_wait4, 3, site))
		return next(pid, status, options, usage);
	if (!status)
		status = &own;
	wait_starts(&call, pid, options);
	result = next(pid, status, options, usage);
	call_stop(&call);
	waited(&call, result, 1, status);
	return result;
}

WRAPPER pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	return wait4_record(function_next(SYM_wait4), CALL_SITE, pid, status, options, usage);
}
