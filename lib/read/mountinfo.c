/* SPDX-License-Identifier: MIT */
/* mountinfo.c - see mountinfo.h */
#include "read/mountinfo.h"

#include <string.h>

const char *mountinfo_word(const char **line, char **room)
{
	char *word = *room, *out = word;
	const char *p = *line;

	while (*p == ' ')
		p++;
	for (; *p && *p != ' ' && *p != '\n'; p++) {
		if (*p == '\\' && strspn(p + 1, "01234567") >= 3) {
			*out++ = (char)((p[1] - '0') << 6 | (p[2] - '0') << 3 | (p[3] - '0'));
			p += 3;
		} else {
			*out++ = *p;
		}
	}
	*out++ = '\0';
	*line = p;
	*room = out;
	return word;
}
