/* SPDX-License-Identifier: MIT */
/*
 * globs.h - lists of globs with commas between, as options have them: "MPI_*,pwrite".
 *
 * Functions of C++ have commas in their names. One behind a backslash is of the glob, and fnmatch(3) takes the two for a comma.
 */
#ifndef RECORDER_READ_GLOBS_H
#define RECORDER_READ_GLOBS_H

#include <stddef.h>

/* Bytes of the glob that the list begins with; a comma or the list's end is behind them. */
static inline size_t glob_length(const char *list)
{
	size_t length = 0;

	while (list[length] && list[length] != ',')
		length += list[length] == '\\' && list[length + 1] ? 2 : 1;
	return length;
}

#endif
