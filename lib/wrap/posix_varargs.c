/* SPDX-License-Identifier: MIT */
/*
 * posix_varargs.c - the wrappers of ioctl and mremap, whose last argument is not always there.
 */
#include "wrap/wrapper.h"

#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

WRAPPER int ioctl(int fd, unsigned long request, ...)
{
	__typeof__(ioctl) *next = function_next(SYM_ioctl);
	struct call call;
	va_list args;
	void *argument;
	int result;

	va_start(args, request);
	argument = va_arg(args, void *);
	va_end(args);
	if (!call_enter(&call, FN_ioctl, 3, CALL_SITE))
		return next(fd, request, argument);
	arg_fd(&call, 0, fd);
	arg_int(&call, 1, request);
	arg_pointer(&call, 2, argument);
	call_start(&call);
	result = next(fd, request, argument);
	call_stop(&call);
	result_int(&call, result, result == -1);
	call_leave(&call);
	return result;
}

WRAPPER void *mremap(void *address, size_t length, size_t new_length, int flags, ...)
{
	__typeof__(mremap) *next = function_next(SYM_mremap);
	bool fixed = flags & MREMAP_FIXED;
	void *new_address = NULL, *result;
	struct call call;
	va_list args;

	if (fixed) {
		va_start(args, flags);
		new_address = va_arg(args, void *);
		va_end(args);
	}
	if (!call_enter(&call, FN_mremap, fixed ? 5 : 4, CALL_SITE))
		return next(address, length, new_length, flags, new_address);
	arg_pointer(&call, 0, address);
	arg_int(&call, 1, length);
	arg_int(&call, 2, new_length);
	arg_int(&call, 3, flags);
	if (fixed)
		arg_pointer(&call, 4, new_address);
	readable_forget();
	call_start(&call);
	result = next(address, length, new_length, flags, new_address);
	call_stop(&call);
	result_pointer(&call, result, result == MAP_FAILED);
	call_leave(&call);
	return result;
}
