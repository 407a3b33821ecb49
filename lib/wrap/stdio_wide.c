/* SPDX-License-Identifier: MIT */
/*
 * stdio_wide.c - the wrappers of the printf and scanf families for wide characters: as stdio_format.c and stdio_scan.c.
 */
#include "wrap/wrapper.h"

#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

typedef int (*wide_function)(FILE *stream, const wchar_t *format, va_list args);
typedef int (*wide_chk_function)(FILE *stream, int flag, const wchar_t *format, va_list args);

/* ---- printf ---- */

static int wprintf_record(unsigned function, uintptr_t site, FILE *stream, const wchar_t *format,
			  va_list args)
{
	wide_function next = function_next(SYM_vfwprintf);
	struct call call;
	int result;

	if (!call_enter(&call, function, 1, site))
		return next(stream, format, args);
	arg_stream(&call, 0, stream);
	call_start(&call);
	result = next(stream, format, args);
	call_stop(&call);
	result_int(&call, result, result < 0 && ferror_unlocked(stream));
	call_leave(&call);
	return result;
}

static int wprintf_chk_record(unsigned function, uintptr_t site, FILE *stream, int flag,
			      const wchar_t *format, va_list args)
{
	wide_chk_function next = function_next(SYM___vfwprintf_chk);
	struct call call;
	int result;

	if (!call_enter(&call, function, 1, site))
		return next(stream, flag, format, args);
	arg_stream(&call, 0, stream);
	call_start(&call);
	result = next(stream, flag, format, args);
	call_stop(&call);
	result_int(&call, result, result < 0 && ferror_unlocked(stream));
	call_leave(&call);
	return result;
}

WRAPPER int fwprintf(FILE *stream, const wchar_t *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = wprintf_record(FN_fwprintf, CALL_SITE, stream, format, args);
	va_end(args);
	return result;
}

WRAPPER int __fwprintf_chk(FILE *stream, int flag, const wchar_t *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = wprintf_chk_record(FN_fwprintf, CALL_SITE, stream, flag, format, args);
	va_end(args);
	return result;
}

WRAPPER int wprintf(const wchar_t *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = wprintf_record(FN_wprintf, CALL_SITE, stdout, format, args);
	va_end(args);
	return result;
}

WRAPPER int __wprintf_chk(int flag, const wchar_t *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = wprintf_chk_record(FN_wprintf, CALL_SITE, stdout, flag, format, args);
	va_end(args);
	return result;
}

/* ---- scanf: three versions of the language ---- */

int gnu_fwscanf(FILE *stream, const wchar_t *format, ...) __asm__("fwscanf");
int gnu_wscanf(const wchar_t *format, ...) __asm__("wscanf");
int gnu_vfwscanf(FILE *stream, const wchar_t *format, va_list args) __asm__("vfwscanf");
int gnu_vwscanf(const wchar_t *format, va_list args) __asm__("vwscanf");
int isoc99_fwscanf(FILE *stream, const wchar_t *format, ...) __asm__("__isoc99_fwscanf");
int isoc99_wscanf(const wchar_t *format, ...) __asm__("__isoc99_wscanf");
int isoc99_vfwscanf(FILE *stream, const wchar_t *format, va_list args) __asm__("__isoc99_vfwscanf");
int isoc99_vwscanf(const wchar_t *format, va_list args) __asm__("__isoc99_vwscanf");
int isoc23_fwscanf(FILE *stream, const wchar_t *format, ...) __asm__("__isoc23_fwscanf");
int isoc23_wscanf(const wchar_t *format, ...) __asm__("__isoc23_wscanf");
int isoc23_vfwscanf(FILE *stream, const wchar_t *format, va_list args) __asm__("__isoc23_vfwscanf");
int isoc23_vwscanf(const wchar_t *format, va_list args) __asm__("__isoc23_vwscanf");

static int wscanf_record(unsigned function, uintptr_t site, unsigned symbol, FILE *stream,
			 const wchar_t *format, va_list args)
{
	wide_function next = function_next(symbol);
	struct call call;
	int result;

	if (!call_enter(&call, function, 1, site))
		return next(stream, format, args);
	arg_stream(&call, 0, stream);
	call_start(&call);
	result = next(stream, format, args);
	call_stop(&call);
	result_int(&call, result, result == EOF && ferror_unlocked(stream));
	call_leave(&call);
	return result;
}

WRAPPER int gnu_fwscanf(FILE *stream, const wchar_t *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = wscanf_record(FN_fwscanf, CALL_SITE, SYM_vfwscanf, stream, format, args);
	va_end(args);
	return result;
}

WRAPPER int gnu_wscanf(const wchar_t *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = wscanf_record(FN_wscanf, CALL_SITE, SYM_vfwscanf, stdin, format, args);
	va_end(args);
	return result;
}

WRAPPER int gnu_vfwscanf(FILE *stream, const wchar_t *format, va_list args)
{
	return wscanf_record(FN_vfwscanf, CALL_SITE, SYM_vfwscanf, stream, format, args);
}

WRAPPER int gnu_vwscanf(const wchar_t *format, va_list args)
{
	return wscanf_record(FN_vwscanf, CALL_SITE, SYM_vfwscanf, stdin, format, args);
}

WRAPPER int isoc99_fwscanf(FILE *stream, const wchar_t *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = wscanf_record(FN_fwscanf, CALL_SITE, SYM___isoc99_vfwscanf, stream, format, args);
	va_end(args);
	return result;
}

WRAPPER int isoc99_wscanf(const wchar_t *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = wscanf_record(FN_wscanf, CALL_SITE, SYM___isoc99_vfwscanf, stdin, format, args);
	va_end(args);
	return result;
}

WRAPPER int isoc99_vfwscanf(FILE *stream, const wchar_t *format, va_list args)
{
	return wscanf_record(FN_vfwscanf, CALL_SITE, SYM___isoc99_vfwscanf, stream, format, args);
}

WRAPPER int isoc99_vwscanf(const wchar_t *format, va_list args)
{
	return wscanf_record(FN_vwscanf, CALL_SITE, SYM___isoc99_vfwscanf, stdin, format, args);
}

WRAPPER int isoc23_fwscanf(FILE *stream, const wchar_t *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = wscanf_record(FN_fwscanf, CALL_SITE, SYM___isoc23_vfwscanf, stream, format, args);
	va_end(args);
	return result;
}

WRAPPER int isoc23_wscanf(const wchar_t *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = wscanf_record(FN_wscanf, CALL_SITE, SYM___isoc23_vfwscanf, stdin, format, args);
	va_end(args);
	return result;
}

WRAPPER int isoc23_vfwscanf(FILE *stream, const wchar_t *format, va_list args)
{
	return wscanf_record(FN_vfwscanf, CALL_SITE, SYM___isoc23_vfwscanf, stream, format, args);
}

WRAPPER int isoc23_vwscanf(const wchar_t *format, va_list args)
{
	return wscanf_record(FN_vwscanf, CALL_SITE, SYM___isoc23_vfwscanf, stdin, format, args);
}
