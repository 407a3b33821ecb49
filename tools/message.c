/* SPDX-License-Identifier: MIT */
/* message.c - one line on stderr, in one write so that lines of several ranks do not mix */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harmless.h"

const char *message_program = "recorder";
bool message_quiet;
int message_failed = EXIT_FAILED;
void (*message_before)(void);

static void message_print(const char *label, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

static void message_print(const char *label, const char *format, va_list args)
{
	char line[8192];
	size_t used, room = sizeof(line) - 1;
	int length;

	used = (size_t)snprintf(line, room, "%s: %s", message_program, label);
	length = vsnprintf(line + used, room - used, format, args);
	if (length > 0)
		used += (size_t)length < room - used ? (size_t)length : room - used - 1;
	make_harmless(line, used, '?');
	line[used++] = '\n';
	if (message_before)
		message_before();
	if (write(STDERR_FILENO, line, used) < 0)
		return;
}

void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message_print("", format, args);
	va_end(args);
	exit(message_failed);
}

void message_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message_print("", format, args);
	va_end(args);
}

void message_warn(const char *format, ...)
{
	va_list args;

	if (message_quiet)
		return;
	va_start(args, format);
	message_print("warning: ", format, args);
	va_end(args);
}

void message_note(const char *format, ...)
{
	va_list args;

	if (message_quiet)
		return;
	va_start(args, format);
	message_print("", format, args);
	va_end(args);
}
