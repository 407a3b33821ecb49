/* SPDX-License-Identifier: MIT */
/* note.c - one-line messages on the original stderr. */
#include "record/note.h"

#include <stdarg.h>
#include <unistd.h>

#include "record/config.h"
#include "record/quiet_write.h"
#include "record/sys.h"
#include "record/text.h"

static struct stat original; /* st_ino 0: there was no stderr */

void note_init(void)
{
	if (sys_fstat(STDERR_FILENO, &original))
		original.st_ino = 0;
}

static bool stderr_is_original(void)
{
	struct stat now;

	return original.st_ino && !sys_fstat(STDERR_FILENO, &now) &&
	       now.st_ino == original.st_ino && now.st_dev == original.st_dev;
}

static void write_line(const char *part, va_list parts)
{
	char buffer[1024];
	struct textbuf line = text_in(buffer, sizeof(buffer) - 1);

	if (config.quiet || !stderr_is_original())
		return;
	text_add(&line, "recorder: ");
	for (; part; part = va_arg(parts, const char *))
		text_add(&line, part);
	buffer[line.length++] = '\n';
	quiet_write(STDERR_FILENO, buffer, line.length);
}

void note(const char *part, ...)
{
	va_list parts;

	va_start(parts, part);
	write_line(part, parts);
	va_end(parts);
}

void note_verbose(const char *part, ...)
{
	va_list parts;

	if (!config.verbose)
		return;
	va_start(parts, part);
	write_line(part, parts);
	va_end(parts);
}
