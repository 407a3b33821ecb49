/* SPDX-License-Identifier: MIT */
/* cgroup.c - see cgroup.h */
#include "cgroup.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#ifndef CGROUP2_SUPER_MAGIC
#define CGROUP2_SUPER_MAGIC 0x63677270
#endif
#define ROOT 1 /* number of the one that all are below */

uint64_t cgroup_number(const char *path, char *why, size_t room)
{
	struct statfs system;
	struct stat status;

	if (stat(path, &status) || statfs(path, &system)) {
		snprintf(why, room, "there is no cgroup '%s': %s", path, strerror(errno));
		return 0;
	}
	if (system.f_type == CGROUP_SUPER_MAGIC)
		snprintf(why, room,
			 "'%s' is a cgroup of version 1, of which processes have many: "
			 "one of version 2 is needed",
			 path);
	else if (system.f_type != CGROUP2_SUPER_MAGIC || !S_ISDIR(status.st_mode))
		snprintf(why, room, "'%s' is no cgroup", path);
	else if (status.st_ino == ROOT)
		snprintf(why, room, "'%s' is the cgroup of all processes of the machine", path);
	else
		return status.st_ino;
	return 0;
}

void cgroup_name(const char *path, char *name, size_t room)
{
	size_t length = strlen(path), from;

	while (length > 0 && path[length - 1] == '/')
		length--;
	for (from = length; from > 0 && path[from - 1] != '/'; from--)
		;
	snprintf(name, room, "%.*s", (int)(length - from), path + from);
	if (!*name || *name == '.')
		snprintf(name, room, "cgroup");
}
