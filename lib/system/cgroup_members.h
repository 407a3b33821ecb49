/* SPDX-License-Identifier: MIT */
/* cgroup_members.h - which processes are in a cgroup of version 2, and in those below it, by the files that the kernel shows of them. */
#ifndef RECORDER_SYSTEM_CGROUP_MEMBERS_H
#define RECORDER_SYSTEM_CGROUP_MEMBERS_H

#include <stdint.h>

/*
 * Calls each(data, pid) for them until it returns something else than 0, which is returned then. 0: all were told, -ENOENT: the cgroup is
 * gone, or another negative errno. Numbers are those of the caller's own process numbers; who has none there is left out.
 */
int cgroup_members(const char *path, int (*each)(void *data, uint32_t pid), void *data);

#endif
