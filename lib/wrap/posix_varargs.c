/* SPDX-License-Identifier: MIT */
/* posix_varargs.c - the wrapper of ioctl, whose last argument is not always there. */
#include "wrap/wrapper.h"

#include <stdarg.h>
#include <sys/ioctl.h>

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
