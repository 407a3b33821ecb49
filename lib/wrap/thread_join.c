/* SPDX-License-Identifier: MIT */
/*
 * thread_join.c - the wrappers of pthread_join and its like, of C11 too: when they return, another thread may have the same pthread_t already. So
 * the number is taken before the call, and given back if it fails.
 */
#include "wrap/wrapper.h"

#include <threads.h>

#include "wrap/thread_args.h"

static void join_starts(struct call *call, pthread_t thread)
{
	int64_t number = numbers_of(&thread_numbers, (uintptr_t)thread);

	numbers_end(&thread_numbers, (uintptr_t)thread);
	arg_int(call, 0, number);
}

static int join_ends(struct call *call, pthread_t thread, int result)
{
	if (result != 0)
		numbers_put(&thread_numbers, (uintptr_t)thread, (int64_t)call->record->args[0]);
	result_errnum(call, result);
	call_leave(call);
	return result;
}

WRAPPER int pthread_join(pthread_t thread, void **value)
{
	__typeof__(pthread_join) *next = function_next(SYM_pthread_join);
	struct call call;
	int result;

	if (!call_enter(&call, FN_pthread_join, 1, CALL_SITE))
		return next(thread, value);
	join_starts(&call, thread);
	call_start(&call);
	result = next(thread, value);
	call_stop(&call);
	return join_ends(&call, thread, result);
}

WRAPPER int pthread_tryjoin_np(pthread_t thread, void **value)
{
	__typeof__(pthread_tryjoin_np) *next = function_next(SYM_pthread_tryjoin_np);
	struct call call;
	int result;

	if (!call_enter(&call, FN_pthread_tryjoin_np, 1, CALL_SITE))
		return next(thread, value);
	join_starts(&call, thread);
	call_start(&call);
	result = next(thread, value);
	call_stop(&call);
	return join_ends(&call, thread, result);
}

WRAPPER int pthread_timedjoin_np(pthread_t thread, void **value, const struct timespec *until)
{
	__typeof__(pthread_timedjoin_np) *next = function_next(SYM_pthread_timedjoin_np);
	struct call call;
	int result;

	if (!call_enter(&call, FN_pthread_timedjoin_np, 1, CALL_SITE))
		return next(thread, value, until);
	join_starts(&call, thread);
	call_start(&call);
	result = next(thread, value, until);
	call_stop(&call);
	return join_ends(&call, thread, result);
}

WRAPPER int pthread_clockjoin_np(pthread_t thread, void **value, clockid_t clock,
				 const struct timespec *until)
{
	__typeof__(pthread_clockjoin_np) *next = function_next(SYM_pthread_clockjoin_np);
	struct call call;
	int result;

	if (!call_enter(&call, FN_pthread_clockjoin_np, 2, CALL_SITE))
		return next(thread, value, clock, until);
	join_starts(&call, thread);
	arg_int(&call, 1, clock);
	call_start(&call);
	result = next(thread, value, clock, until);
	call_stop(&call);
	return join_ends(&call, thread, result);
}

WRAPPER int pthread_detach(pthread_t thread)
{
	__typeof__(pthread_detach) *next = function_next(SYM_pthread_detach);
	struct call call;
	int result;

	if (!call_enter(&call, FN_pthread_detach, 1, CALL_SITE))
		return next(thread);
	join_starts(&call, thread);
	call_start(&call);
	result = next(thread);
	call_stop(&call);
	return join_ends(&call, thread, result);
}

/* ---- of C11 ---- */

static int c11_join_ends(struct call *call, thrd_t thread, int result)
{
	if (result != thrd_success)
		numbers_put(&thread_numbers, (uintptr_t)thread, (int64_t)call->record->args[0]);
	result_int(call, result, false);
	call_leave(call);
	return result;
}

WRAPPER int thrd_join(thrd_t thread, int *value)
{
	__typeof__(thrd_join) *next = function_next(SYM_thrd_join);
	struct call call;
	int result;

	if (!call_enter(&call, FN_thrd_join, 1, CALL_SITE))
		return next(thread, value);
	join_starts(&call, (pthread_t)thread);
	call_start(&call);
	result = next(thread, value);
	call_stop(&call);
	return c11_join_ends(&call, thread, result);
}

WRAPPER int thrd_detach(thrd_t thread)
{
	__typeof__(thrd_detach) *next = function_next(SYM_thrd_detach);
	struct call call;
	int result;

	if (!call_enter(&call, FN_thrd_detach, 1, CALL_SITE))
		return next(thread);
	join_starts(&call, (pthread_t)thread);
	call_start(&call);
	result = next(thread);
	call_stop(&call);
	return c11_join_ends(&call, thread, result);
}
