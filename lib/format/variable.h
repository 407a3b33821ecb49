/* SPDX-License-Identifier: MIT */
/*
 * variable.h - getenv(3), which shells have of their own, as have others that are preloaded: with calls that are recorded, of a process that may not be ready for that.
 */
#ifndef RECORDER_FORMAT_VARIABLE_H
#define RECORDER_FORMAT_VARIABLE_H

#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* NULL: there is none of that name. It is the environment's, until that is changed. */
static inline const char *variable_get(const char *name)
{
	size_t length = strlen(name);

	for (char **entry = environ; entry && *entry; entry++)
		if (!strncmp(*entry, name, length) && (*entry)[length] == '=')
			return *entry + length + 1;
	return NULL;
}

#endif
