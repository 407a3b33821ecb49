/* SPDX-License-Identifier: MIT */
/* cgroup.h - cgroups of version 2, as folders below where they are mounted. */
#ifndef RECORDER_TOOLS_CGROUP_H
#define RECORDER_TOOLS_CGROUP_H

#include <stddef.h>
#include <stdint.h>

/* Its number, as the kernel has it. 0 with *why: the path is none, or that of all processes of the machine. */
uint64_t cgroup_number(const char *path, char *why, size_t room);
/* The last part of the path, for the trace's name. */
void cgroup_name(const char *path, char *name, size_t room);

#endif
