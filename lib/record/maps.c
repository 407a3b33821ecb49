/* SPDX-License-Identifier: MIT */
/* maps.c - reading /proc/self/maps, which needs no lock of the loader. */
#include "record/maps.h"

#include <string.h>
#include <sys/sysmacros.h>

#include "record/sys.h"
#include "record/text.h"

static uint64_t parse_hex(const char **cursor)
{
	uint64_t value = 0;

	for (;; (*cursor)++) {
		char c = **cursor;

		if (c >= '0' && c <= '9')
			value = value << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			value = value << 4 | (uint64_t)(c - 'a' + 10);
		else
			return value;
	}
}

/* "start-end rwxp offset major:minor inode   /path"; false if it is no file's. */
static bool parse_line(const char *text, struct maps_line *line)
{
	struct textbuf path = text_in(line->path, sizeof(line->path));
	const char *slash = strchr(text, '/');
	unsigned major_number;

	line->start = parse_hex(&text);
	if (*text++ != '-')
		return false;
	line->end = parse_hex(&text);
	if (strlen(text) < 6 || !slash)
		return false;
	line->executable = text[3] == 'x';
	line->is_private = text[4] == 'p';
	text += 6;
	line->offset = parse_hex(&text);
	text += *text == ' ';
	major_number = (unsigned)parse_hex(&text);
	text += *text == ':';
	line->device = makedev(major_number, (unsigned)parse_hex(&text));
	text += *text == ' ';
	if (!text_read_u64(&text, &line->inode))
		line->inode = 0;
	text_add(&path, slash);
	return true;
}

int maps_read(struct maps_reader *reader, void (*visit)(const struct maps_line *line, void *data),
	      void *data)
{
	int fd = sys_open("/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
	char *buffer = reader->buffer;
	size_t kept = 0;
	long got;

	if (fd < 0)
		return fd;
	while ((got = sys_read(fd, buffer + kept, MAPS_BUFFER_SIZE - 1 - kept)) > 0) {
		char *line = buffer, *newline;

		buffer[kept + (size_t)got] = '\0';
		while ((newline = strchr(line, '\n'))) {
			*newline = '\0';
			if (parse_line(line, &reader->line))
				visit(&reader->line, data);
			line = newline + 1;
		}
		kept = strlen(line);
		if (kept == MAPS_BUFFER_SIZE - 1)
			kept = 0;
		memmove(buffer, line, kept);
	}
	sys_close(fd);
	return 0;
}
