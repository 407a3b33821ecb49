/* SPDX-License-Identifier: MIT */
/* note.c - one-line messages on the original stderr. */
#include "record/note.h"

#include <stdarg.h>
#include <unistd.h>

#include "record/config.h"
#include "record/quiet_write.h"
#include "record/sys.h"
#include "record/text.h"

#define KEPT_LEAST 961 /* out of the way of programs */

static struct stat original; /* st_ino 0: there was no stderr */
static int kept = -1;        /* another descriptor of it */

/* Who wants a line for each call wants it, too, of a program that reads its own stderr meanwhile, as pytest does of its tests. */
void note_init(void)
{
	if (sys_fstat(STDERR_FILENO, &original))
		original.st_ino = 0;
	if (original.st_ino && config.verbose && !config.quiet &&
	    (config.targets || config.arguments || config.results))
		kept = (int)sys_fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, KEPT_LEAST);
}

/* The program may have closed it, and opened something else. */
static bool is_original(int fd)
{
	struct stat now;

	return fd >= 0 && original.st_ino && !sys_fstat(fd, &now) &&
	       now.st_ino == original.st_ino && now.st_dev == original.st_dev;
}

static void write_line(const char *part, va_list parts)
{
	char buffer[1024];
	struct textbuf line = text_in(buffer, sizeof(buffer) - 1);
	int fd = is_original(STDERR_FILENO) ? STDERR_FILENO : kept;

	if (config.quiet || !is_original(fd))
		return;
	text_add(&line, "recorder: ");
	for (; part; part = va_arg(parts, const char *))
		text_add(&line, part);
	buffer[line.length++] = '\n';
	quiet_write(fd, buffer, line.length);
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
