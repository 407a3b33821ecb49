/* SPDX-License-Identifier: MIT */
/*
 * posix_varargs.c - the wrappers of ioctl and mremap, whose last argument is not always there.
 */
#include "wrap/wrapper.h"

#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "wrap/posix_records.h"

int ioctl_record(ioctl_function *next, uintptr_t site, int fd, unsigned long request,
		 void *argument)
{
	struct call call;
	int result;

	if (!call_enter(&call, FN_ioctl, 3, site))
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

WRAPPER int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	int result;

	va_start(args, request);
	result = ioctl_record(function_next(SYM_ioctl), CALL_SITE, fd, request,
			      va_arg(args, void *));
	va_end(args);
	return result;
}

void *mremap_record(mremap_function *next, uintptr_t site, void *address, size_t length,
		    size_t new_length, int flags, void *new_address)
{
	bool fixed = flags & MREMAP_FIXED;
	struct call call;
	void *result;

	readable_forget();
	if (!call_enter(&call, FN_mremap, fixed ? 5 : 4, site))
		return next(address, length, new_length, flags, new_address);
	arg_pointer(&call, 0, address);
	arg_int(&call, 1, length);
	arg_int(&call, 2, new_length);
	arg_int(&call, 3, flags);
	if (fixed)
		arg_pointer(&call, 4, new_address);
	call_start(&call);
	result = next(address, length, new_length, flags, new_address);
	call_stop(&call);
	result_pointer(&call, result, result == MAP_FAILED);
	call_leave(&call);
	return result;
}

WRAPPER void *mremap(void *address, size_t length, size_t new_length, int flags, ...)
{
	void *new_address = NULL;
	va_list args;

	va_start(args, flags);
	if (flags & MREMAP_FIXED)
		new_address = va_arg(args, void *);
	va_end(args);
	return mremap_record(function_next(SYM_mremap), CALL_SITE, address, length, new_length,
			     flags, new_address);
}
