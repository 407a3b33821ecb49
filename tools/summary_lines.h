/* SPDX-License-Identifier: MIT */
/*
 * summary_lines.h - lines of recorder summary's text, for its parts.
 */
#ifndef RECORDER_TOOLS_SUMMARY_LINES_H
#define RECORDER_TOOLS_SUMMARY_LINES_H

#include "summaries.h"

/* Names come from programs: control characters become question marks. */
__attribute__((format(printf, 2, 3))) void summary_line(struct output *output, const char *format,
							...);
/* Names may be in the title, too. */
void summary_title(struct output *output, const struct summary *summary, const char *title);
/* How many of `count` rows are shown. */
unsigned summary_rows(const struct summary *summary, unsigned count);

#endif
