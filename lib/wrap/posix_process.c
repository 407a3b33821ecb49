/* SPDX-License-Identifier: MIT */
/*
 * posix_process.c - the wrappers by which processes end, and that of daemon. What does not return is stored when it is entered.
 */
#include "wrap/wrapper.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "record/descriptors.h"
#include "record/ending.h"
#include "record/lifecycle.h"
#include "record/mainspan.h"
#include "record/pushed.h"
#include "record/sys.h"
#include "wrap/posix_records.h"

/*
 * daemon() forks, and its parent ends without another call. It returns to the child, or to the
 * process that could not fork.
 */
WRAPPER int daemon(int stay, int keep)
{
	__typeof__(daemon) *next = function_next(SYM_daemon);
	int parent = sys_getpid();
	struct call call;
	bool recorded = pushed_enter(&call, FN_daemon, 2, CALL_SITE);
	int result, saved;

	if (recorded) {
		arg_int(&call, 0, stay);
		arg_int(&call, 1, keep);
	}
	ending_leaving("daemon", recorded ? &call : NULL);
	result = next(stay, keep);
	if (sys_getpid() != parent) {
		lifecycle_forked_child();
		if (!keep)
			descriptor_forget_range(0, 2);
	} else {
		saved = errno;
		ending_stayed(recorded ? &call : NULL, saved);
		errno = saved;
	}
	return result;
}

/* Runs the handlers of the program, then ours: nothing is sealed here. */
WRAPPER void exit(int status)
{
	__typeof__(exit) *next = function_next(SYM_exit);
	struct call call;

	if (pushed_enter(&call, FN_exit, 1, CALL_SITE)) {
		arg_int(&call, 0, status);
		call_store_noreturn(&call);
	}
	mainspan_end();
	lifecycle_expect_exit();
	next(status);
	__builtin_unreachable();
}

/* The ways to end that pass no handler of exit(). */
static void exit_record(unsigned function, uintptr_t site, int status)
{
	struct call call;

	if (pushed_enter(&call, function, 1, site)) {
		arg_int(&call, 0, status);
		call_store_noreturn(&call);
	}
}

WRAPPER void quick_exit(int status)
{
	__typeof__(quick_exit) *next = function_next(SYM_quick_exit);

	exit_record(FN_quick_exit, CALL_SITE, status);
	lifecycle_exit("quick_exit", status);
	next(status);
	__builtin_unreachable();
}

void exit_at_once_record(uintptr_t site, int status)
{
	exit_record(FN__exit, site, status);
	lifecycle_exit_at_once("_exit", status);
}

WRAPPER void _exit(int status)
{
	__typeof__(_exit) *next = function_next(SYM__exit);

	exit_at_once_record(CALL_SITE, status);
	next(status);
	__builtin_unreachable();
}

WRAPPER void _Exit(int status)
{
	__typeof__(_Exit) *next = function_next(SYM__Exit);

	exit_at_once_record(CALL_SITE, status);
	next(status);
	__builtin_unreachable();
}

WRAPPER void abort(void)
{
	__typeof__(abort) *next = function_next(SYM_abort);
	struct call call;

	if (pushed_enter(&call, FN_abort, 0, CALL_SITE))
		call_store_noreturn(&call);
	lifecycle_exit("abort", SIGABRT);
	next();
	__builtin_unreachable();
}
