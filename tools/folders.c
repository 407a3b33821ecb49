/* SPDX-License-Identifier: MIT */
/* folders.c - see folders.h */
#include "folders.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void folders_make_above(const char *file)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s", file);
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0777);
		*slash = '/';
	}
}

int folders_make(const char *path)
{
	if (!mkdir(path, 0777) || errno == EEXIST)
		return 0;
	if (errno != ENOENT)
		return -errno;
	folders_make_above(path);
	return !mkdir(path, 0777) || errno == EEXIST ? 0 : -errno;
}
