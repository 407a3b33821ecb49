/* SPDX-License-Identifier: MIT */
/*
 * posix_wait.c - waitpid(): by hand because launchers wait with it for their ranks, and so learn when one died. What is noted
 * of that is the only use of a wrapper in a process that is not recorded.
 */
#include "wrap/wrapper.h"

#include <sys/wait.h>

#include "record/leftover.h"

typedef pid_t wait_function(pid_t pid, int *status, int options);

static pid_t wait_untraced(wait_function *next, pid_t pid, int *status, int options)
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

static pid_t wait_record(wait_function *next, uintptr_t site, pid_t pid, int *status, int options)
{
	struct call call;
	pid_t result;

	if (!call_enter(&call, FN_waitpid, 3, site))
		return wait_untraced(next, pid, status, options);
	arg_int(&call, 0, pid);
	arg_int(&call, 1, 0);
	arg_int(&call, 2, options);
	call_start(&call);
	result = next(pid, status, options);
	call_stop(&call);
	result_int(&call, result, result == -1);
	if (result > 0)
		arg_int_at(&call, 1, status);
	call_leave(&call);
	return result;
}

WRAPPER pid_t waitpid(pid_t pid, int *status, int options)
{
	return wait_record(function_next(SYM_waitpid), CALL_SITE, pid, status, options);
}

WRAPPER pid_t __waitpid(pid_t pid, int *status, int options)
{
	return wait_record(function_next(SYM___waitpid), CALL_SITE, pid, status, options);
}
