/* SPDX-License-Identifier: MIT */
/* stdio_formatted.c - see stdio_formatted.h */
#include "wrap/stdio_formatted.h"

#include <stdbool.h>

#include "wrap/wrapper.h"

typedef int formatted_function(FILE *stream, const void *format, va_list args);
typedef int formatted_chk_function(FILE *stream, int flag, const void *format, va_list args);

static bool has_failed(enum formatted_failure failure, FILE *stream, int result)
{
	return result < 0 && (failure == FAILS_BY_RESULT || ferror_unlocked(stream));
}

int formatted_record(unsigned function, uintptr_t site, unsigned symbol,
		     enum formatted_failure failure, FILE *stream, const void *format, va_list args)
{
	formatted_function *next = function_next(symbol);
	struct call call;
	int result;

	if (!call_enter(&call, function, 1, site))
		return next(stream, format, args);
	arg_stream(&call, 0, stream);
	call_start(&call);
	result = next(stream, format, args);
	call_stop(&call);
	result_int(&call, result, has_failed(failure, stream, result));
	call_leave(&call);
	return result;
}

int formatted_chk_record(unsigned function, uintptr_t site, unsigned symbol,
			 enum formatted_failure failure, FILE *stream, int flag, const void *format,
			 va_list args)
{
	formatted_chk_function *next = function_next(symbol);
	struct call call;
	int result;

	if (!call_enter(&call, function, 1, site))
		return next(stream, flag, format, args);
	arg_stream(&call, 0, stream);
	call_start(&call);
	result = next(stream, flag, format, args);
	call_stop(&call);
	result_int(&call, result, has_failed(failure, stream, result));
	call_leave(&call);
	return result;
}
