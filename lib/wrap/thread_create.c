/* SPDX-License-Identifier: MIT */
/*
 * thread_create.c - the wrappers of pthread_create and thrd_create, which tell the new thread's tid, and of sem_open, whose last arguments are not
 * always there.
 */
#include "wrap/wrapper.h"

#include <fcntl.h>
#include <stdarg.h>
#include <threads.h>

#include "record/pthread_field.h"
#include "wrap/thread_args.h"

struct numbers sync_numbers, thread_numbers;

WRAPPER int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			   void *(*start)(void *), void *argument)
{
	__typeof__(pthread_create) *next = function_next(SYM_pthread_create);
	struct call call;
	int result;

	if (!call_enter(&call, FN_pthread_create, 3, CALL_SITE))
		return next(thread, attributes, start, argument);
	arg_int(&call, 0, 0);
	arg_pointer(&call, 1, (const void *)start);
	arg_int(&call, 2, 0);
	call_start(&call);
	result = next(thread, attributes, start, argument);
	call_stop(&call);
	result_errnum(&call, result);
	if (result == 0) {
		arg_int(&call, 0, numbers_begin(&thread_numbers, (uintptr_t)*thread));
		arg_int(&call, 2, pthread_field_tid(*thread));
	}
	call_leave(&call);
	return result;
}

WRAPPER int thrd_create(thrd_t *thread, thrd_start_t start, void *argument)
{
	__typeof__(thrd_create) *next = function_next(SYM_thrd_create);
	struct call call;
	int result;

	if (!call_enter(&call, FN_thrd_create, 3, CALL_SITE))
		return next(thread, start, argument);
	arg_int(&call, 0, 0);
	arg_pointer(&call, 1, (const void *)start);
	arg_int(&call, 2, 0);
	call_start(&call);
	result = next(thread, start, argument);
	call_stop(&call);
	result_int(&call, result, false);
	if (result == thrd_success) {
		arg_int(&call, 0, numbers_begin(&thread_numbers, (uintptr_t)*thread));
		arg_int(&call, 2, pthread_field_tid((pthread_t)*thread));
	}
	call_leave(&call);
	return result;
}

WRAPPER sem_t *sem_open(const char *name, int flags, ...)
{
	__typeof__(sem_open) *next = function_next(SYM_sem_open);
	unsigned value = 0;
	struct call call;
	mode_t mode = 0;
	sem_t *result;
	va_list args;

	if (flags & O_CREAT) {
		va_start(args, flags);
		mode = va_arg(args, mode_t);
		value = va_arg(args, unsigned);
		va_end(args);
	}
	if (!call_enter(&call, FN_sem_open, 5, CALL_SITE))
		return next(name, flags, mode, value);
	arg_string(&call, 0, name);
	arg_int(&call, 1, flags);
	arg_int(&call, 2, mode);
	arg_int(&call, 3, value);
	arg_int(&call, 4, 0);
	call_start(&call);
	result = next(name, flags, mode, value);
	call_stop(&call);
	result_pointer(&call, result, result == SEM_FAILED);
	if (result != SEM_FAILED)
		arg_sync(&call, 4, result);
	call_leave(&call);
	return result;
}
