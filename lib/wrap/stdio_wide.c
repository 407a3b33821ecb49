/* SPDX-License-Identifier: MIT */
/*
 * stdio_wide.c - the wrappers of the printf and scanf families for wide characters: as stdio_format.c and stdio_scan.c.
 */
#include "wrap/wrapper.h"

#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

#include "wrap/stdio_formatted.h"

/* ---- printf ---- */

WRAPPER int fwprintf(FILE *stream, const wchar_t *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = formatted_record(FN_fwprintf, CALL_SITE, SYM_vfwprintf, FAILS_BY_STREAM, stream,
				  format, args);
	va_end(args);
	return result;
}

WRAPPER int __fwprintf_chk(FILE *stream, int flag, const wchar_t *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = formatted_chk_record(FN_fwprintf, CALL_SITE, SYM___vfwprintf_chk, FAILS_BY_STREAM,
				      stream, flag, format, args);
	va_end(args);
	return result;
}

WRAPPER int wprintf(const wchar_t *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = formatted_record(FN_wprintf, CALL_SITE, SYM_vfwprintf, FAILS_BY_STREAM, stdout,
				  format, args);
	va_end(args);
	return result;
}

WRAPPER int __wprintf_chk(int flag, const wchar_t *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = formatted_chk_record(FN_wprintf, CALL_SITE, SYM___vfwprintf_chk, FAILS_BY_STREAM,
				      stdout, flag, format, args);
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

WRAPPER int gnu_fwscanf(FILE *stream, const wchar_t *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = formatted_record(FN_fwscanf, CALL_SITE, SYM_vfwscanf, FAILS_BY_STREAM, stream,
				  format, args);
	va_end(args);
	return result;
}

WRAPPER int gnu_wscanf(const wchar_t *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = formatted_record(FN_wscanf, CALL_SITE, SYM_vfwscanf, FAILS_BY_STREAM, stdin,
				  format, args);
	va_end(args);
	return result;
}

WRAPPER int gnu_vfwscanf(FILE *stream, const wchar_t *format, va_list args)
{
	return formatted_record(FN_vfwscanf, CALL_SITE, SYM_vfwscanf, FAILS_BY_STREAM, stream,
				format, args);
}

WRAPPER int gnu_vwscanf(const wchar_t *format, va_list args)
{
	return formatted_record(FN_vwscanf, CALL_SITE, SYM_vfwscanf, FAILS_BY_STREAM, stdin, format,
				args);
}

WRAPPER int isoc99_fwscanf(FILE *stream, const wchar_t *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = formatted_record(FN_fwscanf, CALL_SITE, SYM___isoc99_vfwscanf, FAILS_BY_STREAM,
				  stream, format, args);
	va_end(args);
	return result;
}

WRAPPER int isoc99_wscanf(const wchar_t *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = formatted_record(FN_wscanf, CALL_SITE, SYM___isoc99_vfwscanf, FAILS_BY_STREAM,
				  stdin, format, args);
	va_end(args);
	return result;
}

WRAPPER int isoc99_vfwscanf(FILE *stream, const wchar_t *format, va_list args)
{
	return formatted_record(FN_vfwscanf, CALL_SITE, SYM___isoc99_vfwscanf, FAILS_BY_STREAM,
				stream, format, args);
}

WRAPPER int isoc99_vwscanf(const wchar_t *format, va_list args)
{
	return formatted_record(FN_vwscanf, CALL_SITE, SYM___isoc99_vfwscanf, FAILS_BY_STREAM,
				stdin, format, args);
}

WRAPPER int isoc23_fwscanf(FILE *stream, const wchar_t *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = formatted_record(FN_fwscanf, CALL_SITE, SYM___isoc23_vfwscanf, FAILS_BY_STREAM,
				  stream, format, args);
	va_end(args);
	return result;
}

WRAPPER int isoc23_wscanf(const wchar_t *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = formatted_record(FN_wscanf, CALL_SITE, SYM___isoc23_vfwscanf, FAILS_BY_STREAM,
				  stdin, format, args);
	va_end(args);
	return result;
}

WRAPPER int isoc23_vfwscanf(FILE *stream, const wchar_t *format, va_list args)
{
	return formatted_record(FN_vfwscanf, CALL_SITE, SYM___isoc23_vfwscanf, FAILS_BY_STREAM,
				stream, format, args);
}

WRAPPER int isoc23_vwscanf(const wchar_t *format, va_list args)
{
	return formatted_record(FN_vwscanf, CALL_SITE, SYM___isoc23_vfwscanf, FAILS_BY_STREAM,
				stdin, format, args);
}
