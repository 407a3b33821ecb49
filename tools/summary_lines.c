/* SPDX-License-Identifier: MIT */
/* summary_lines.c - see summary_lines.h */
#include "summary_lines.h"

#include <stdarg.h>
#include <stdio.h>

#define LINE_ROOM 8192

void summary_line(struct output *output, const char *format, ...)
{
	char line[LINE_ROOM];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	output_printable(output, line);
	output_char(output, '\n');
}

void summary_title(struct output *output, const struct summary *summary, const char *title)
{
	output_char(output, '\n');
	output_text(output, summary->color ? "\033[1m" : "");
	output_printable(output, title);
	output_text(output, summary->color ? "\033[0m\n" : "\n");
}

unsigned summary_rows(const struct summary *summary, unsigned count)
{
	return summary->top && summary->top < count ? summary->top : count;
}
