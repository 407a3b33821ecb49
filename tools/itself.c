/* SPDX-License-Identifier: MIT */
/* itself.c - see itself.h */
#include "itself.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "format/trace_names.h"

static struct stat itself;
static bool known;

void itself_set(const char *trace)
{
	known = stat(trace, &itself) == 0;
}

void itself_forget(void)
{
	known = false;
}

static bool is_same(const struct stat *status)
{
	return status->st_dev == itself.st_dev && status->st_ino == itself.st_ino;
}

/* Whether the directory that holds it is the trace. */
static bool is_inside(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct stat status;
	char *folder;
	bool inside;

	if (asprintf(&folder, "%.*s/.", slash ? (int)(slash - path) : 1, slash ? path : ".") < 0)
		return false;
	inside = stat(folder, &status) == 0 && is_same(&status);
	free(folder);
	return inside;
}

bool itself_is(const char *path)
{
	struct stat status;

	if (!known || stat(path, &status))
		return false;
	return is_same(&status) || (name_is_of_trace(path) && is_inside(path));
}
