/* SPDX-License-Identifier: MIT */
/* trace_names.h - which names files of a trace may have, doc/format.md. Others come from somebody else, and are not opened. */
#ifndef RECORDER_FORMAT_TRACE_NAMES_H
#define RECORDER_FORMAT_TRACE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "format/affixes.h"

#define STREAM_NAME_MAX 200u
#define STREAM_FILE_NAME_MAX (STREAM_NAME_MAX + 4) /* with ".rec" */

/* Whether `length` bytes may be such a name, of at most `most`. */
static inline bool name_is_plain(const char *name, size_t length, size_t most)
{
	static const char set[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";

	if (length == 0 || length > most || name[0] == '.')
		return false;
	for (size_t i = 0; i < length; i++)
		if (!name[i] || !strchr(set, name[i]))
			return false;
	return true;
}

/* Whether a file is called as those of a trace are, be it one or not. */
static inline bool name_is_of_trace(const char *name)
{
	static const char *const endings[] = {".gm", ".lm", ".rec", ".node"};

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		if (name_ends_in(name, endings[i]))
			return true;
	return false;
}

/* The length of the stream's name in that of its file with this suffix; 0: it is none. */
static inline size_t name_stream_length(const char *name, const char *suffix)
{
	size_t length;

	if (!name_ends_in(name, suffix))
		return 0;
	length = strlen(name) - strlen(suffix);
	return name_is_plain(name, length, STREAM_NAME_MAX) ? length : 0;
}

#endif
