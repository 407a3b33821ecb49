/* SPDX-License-Identifier: MIT */
/*
 * stdio_calls.h - what the calls of stdio.calls are made on, beside the files of posix_calls.h.
 */
#ifndef RECORDER_TEST_SMOKE_STDIO_CALLS_H
#define RECORDER_TEST_SMOKE_STDIO_CALLS_H

#include "posix_calls.h"

#include <wchar.h>

static wchar_t wide_memory[1000];
static int number;
static fpos_t place;
static fpos64_t place64;

/* For a call that closes it. */
static inline FILE *closing_stream(void)
{
	FILE *stream = fopen(there(), "r+");

	must(stream != NULL, "closing_stream()");
	return stream;
}

/* A stream of bytes; what was given before is closed. */
static inline FILE *a_stream(void)
{
	static FILE *last;

	if (last)
		fclose(last);
	last = closing_stream();
	return last;
}

/* One whose file begins with a number. */
static inline FILE *numbers(void)
{
	FILE *text = a_stream();

	must(fputs("12 13\n", text) >= 0 && fseek(text, 0, SEEK_SET) == 0, "numbers()");
	return text;
}

/* The same, of wide characters. */
static inline FILE *wide_stream(void)
{
	FILE *wide = freopen(NULL, "r+", numbers());

	must(wide && fwide(wide, 1) > 0, "wide_stream()");
	return wide;
}

/* Standard input is a file that begins with a number. */
static inline void to_stdin(void)
{
	const char *name = there();
	int fd = open(name, O_WRONLY);

	must(write(fd, "12 13\n", 6) == 6 && close(fd) == 0 && freopen(name, "r", stdin),
	     "to_stdin()");
}

static inline ssize_t taken(void *cookie, const char *bytes, size_t size)
{
	(void)cookie, (void)bytes;
	return (ssize_t)size;
}

static inline cookie_io_functions_t a_cookie(void)
{
	return (cookie_io_functions_t){.write = taken};
}

static inline fpos_t *a_position(void)
{
	must(fgetpos(a_stream(), &place) == 0, "fgetpos");
	return &place;
}

static inline fpos64_t *a_position64(void)
{
	must(fgetpos64(a_stream(), &place64) == 0, "fgetpos64");
	return &place64;
}

#endif
