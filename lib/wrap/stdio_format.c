/* SPDX-License-Identifier: MIT */
/*
 * stdio_format.c - the wrappers of the printf family: variable arguments go to the real v-form.
 */
#include "wrap/wrapper.h"

#include <stdarg.h>
#include <stdio.h>

#include "wrap/stdio_formatted.h"

/* Checks the format by `flag`. */
typedef int (*vdprintf_chk_function)(int fd, int flag, const char *format, va_list args);

WRAPPER int fprintf(FILE *stream, const char *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = formatted_record(FN_fprintf, CALL_SITE, SYM_vfprintf, FAILS_BY_RESULT, stream,
				  format, args);
	va_end(args);
	return result;
}

WRAPPER int __fprintf_chk(FILE *stream, int flag, const char *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = formatted_chk_record(FN_fprintf, CALL_SITE, SYM___vfprintf_chk, FAILS_BY_RESULT,
				      stream, flag, format, args);
	va_end(args);
	return result;
}

WRAPPER int printf(const char *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = formatted_record(FN_printf, CALL_SITE, SYM_vfprintf, FAILS_BY_RESULT, stdout,
				  format, args);
	va_end(args);
	return result;
}

WRAPPER int __printf_chk(int flag, const char *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = formatted_chk_record(FN_printf, CALL_SITE, SYM___vfprintf_chk, FAILS_BY_RESULT,
				      stdout, flag, format, args);
	va_end(args);
	return result;
}

WRAPPER int dprintf(int fd, const char *format, ...)
{
	__typeof__(vdprintf) *next = function_next(SYM_vdprintf);
	struct call call;
	va_list args;
	int result;

	va_start(args, format);
	if (!call_enter(&call, FN_dprintf, 1, CALL_SITE)) {
		result = next(fd, format, args);
		va_end(args);
		return result;
	}
	arg_fd(&call, 0, fd);
	call_start(&call);
	result = next(fd, format, args);
	call_stop(&call);
	va_end(args);
	result_int(&call, result, result < 0);
	call_leave(&call);
	return result;
}

WRAPPER int __dprintf_chk(int fd, int flag, const char *format, ...)
{
	vdprintf_chk_function next = function_next(SYM___vdprintf_chk);
	struct call call;
	va_list args;
	int result;

	va_start(args, format);
	if (!call_enter(&call, FN_dprintf, 1, CALL_SITE)) {
		result = next(fd, flag, format, args);
		va_end(args);
		return result;
	}
	arg_fd(&call, 0, fd);
	call_start(&call);
	result = next(fd, flag, format, args);
	call_stop(&call);
	va_end(args);
	result_int(&call, result, result < 0);
	call_leave(&call);
	return result;
}
