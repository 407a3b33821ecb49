/* SPDX-License-Identifier: MIT */
/* affixes.h - what names begin and end with. */
#ifndef RECORDER_FORMAT_AFFIXES_H
#define RECORDER_FORMAT_AFFIXES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool name_begins_with(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

static inline bool name_ends_in(const char *name, const char *suffix)
{
	size_t length = strlen(name), tail = strlen(suffix);

	return length >= tail && strcmp(name + length - tail, suffix) == 0;
}

#endif
