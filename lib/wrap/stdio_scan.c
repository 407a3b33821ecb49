/* SPDX-License-Identifier: MIT */
/*
 * stdio_scan.c - the wrappers of the scanf family.
 *
 * Each function exists in three versions of the language: the plain name (GNU before C99),
 * __isoc99_ and, in newer libraries, __isoc23_. The headers redirect the plain name to one of them;
 * so the functions here have names of their own and say by which symbol they are exported.
 */
#include "wrap/wrapper.h"

#include <stdarg.h>
#include <stdio.h>

#include "wrap/stdio_formatted.h"

int gnu_fscanf(FILE *stream, const char *format, ...) __asm__("fscanf");
int gnu_scanf(const char *format, ...) __asm__("scanf");
int gnu_vfscanf(FILE *stream, const char *format, va_list args) __asm__("vfscanf");
int gnu_vscanf(const char *format, va_list args) __asm__("vscanf");
int old_vfscanf(FILE *stream, const char *format, va_list args) __asm__("__vfscanf");
int isoc99_fscanf(FILE *stream, const char *format, ...) __asm__("__isoc99_fscanf");
int isoc99_scanf(const char *format, ...) __asm__("__isoc99_scanf");
int isoc99_vfscanf(FILE *stream, const char *format, va_list args) __asm__("__isoc99_vfscanf");
int isoc99_vscanf(const char *format, va_list args) __asm__("__isoc99_vscanf");
int isoc23_fscanf(FILE *stream, const char *format, ...) __asm__("__isoc23_fscanf");
int isoc23_scanf(const char *format, ...) __asm__("__isoc23_scanf");
int isoc23_vfscanf(FILE *stream, const char *format, va_list args) __asm__("__isoc23_vfscanf");
int isoc23_vscanf(const char *format, va_list args) __asm__("__isoc23_vscanf");

WRAPPER int gnu_fscanf(FILE *stream, const char *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = formatted_record(FN_fscanf, CALL_SITE, SYM_vfscanf, FAILS_BY_STREAM, stream,
				  format, args);
	va_end(args);
	return result;
}

WRAPPER int gnu_scanf(const char *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = formatted_record(FN_scanf, CALL_SITE, SYM_vfscanf, FAILS_BY_STREAM, stdin, format,
				  args);
	va_end(args);
	return result;
}

WRAPPER int gnu_vfscanf(FILE *stream, const char *format, va_list args)
{
	return formatted_record(FN_vfscanf, CALL_SITE, SYM_vfscanf, FAILS_BY_STREAM, stream, format,
				args);
}

WRAPPER int gnu_vscanf(const char *format, va_list args)
{
	return formatted_record(FN_vscanf, CALL_SITE, SYM_vfscanf, FAILS_BY_STREAM, stdin, format,
				args);
}

WRAPPER int old_vfscanf(FILE *stream, const char *format, va_list args)
{
	return formatted_record(FN_vfscanf, CALL_SITE, SYM___vfscanf, FAILS_BY_STREAM, stream,
				format, args);
}

WRAPPER int isoc99_fscanf(FILE *stream, const char *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = formatted_record(FN_fscanf, CALL_SITE, SYM___isoc99_vfscanf, FAILS_BY_STREAM,
				  stream, format, args);
	va_end(args);
	return result;
}

WRAPPER int isoc99_scanf(const char *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = formatted_record(FN_scanf, CALL_SITE, SYM___isoc99_vfscanf, FAILS_BY_STREAM, stdin,
				  format, args);
	va_end(args);
	return result;
}

WRAPPER int isoc99_vfscanf(FILE *stream, const char *format, va_list args)
{
	return formatted_record(FN_vfscanf, CALL_SITE, SYM___isoc99_vfscanf, FAILS_BY_STREAM,
				stream, format, args);
}

WRAPPER int isoc99_vscanf(const char *format, va_list args)
{
	return formatted_record(FN_vscanf, CALL_SITE, SYM___isoc99_vfscanf, FAILS_BY_STREAM, stdin,
				format, args);
}

WRAPPER int isoc23_fscanf(FILE *stream, const char *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = formatted_record(FN_fscanf, CALL_SITE, SYM___isoc23_vfscanf, FAILS_BY_STREAM,
				  stream, format, args);
	va_end(args);
	return result;
}

WRAPPER int isoc23_scanf(const char *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = formatted_record(FN_scanf, CALL_SITE, SYM___isoc23_vfscanf, FAILS_BY_STREAM, stdin,
				  format, args);
	va_end(args);
	return result;
}

WRAPPER int isoc23_vfscanf(FILE *stream, const char *format, va_list args)
{
	return formatted_record(FN_vfscanf, CALL_SITE, SYM___isoc23_vfscanf, FAILS_BY_STREAM,
				stream, format, args);
}

WRAPPER int isoc23_vscanf(const char *format, va_list args)
{
	return formatted_record(FN_vscanf, CALL_SITE, SYM___isoc23_vfscanf, FAILS_BY_STREAM, stdin,
				format, args);
}
