/* SPDX-License-Identifier: MIT */
/*
 * stdio_formatted.h - recording one call of the printf and scanf families, for characters and for wide ones.
 *
 * Variable arguments go to a real v-form, `symbol`: of the same width, and of the same version of the language. The format is only
 * passed on to it. `function` is the one to be recorded; printf() and scanf() are those of stdout and stdin.
 */
#ifndef RECORDER_WRAP_STDIO_FORMATTED_H
#define RECORDER_WRAP_STDIO_FORMATTED_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

/* When errno is that of the call. */
enum formatted_failure {
	FAILS_BY_RESULT, /* whenever the result is negative */
	FAILS_BY_STREAM  /* if the stream has met an error, too: scanf() also ends with its input */
};

int formatted_record(unsigned function, uintptr_t site, unsigned symbol,
		     enum formatted_failure failure, FILE *stream, const void *format,
		     va_list args);
/* The __chk forms check the format by `flag`. */
int formatted_chk_record(unsigned function, uintptr_t site, unsigned symbol,
			 enum formatted_failure failure, FILE *stream, int flag, const void *format,
			 va_list args);

#endif
