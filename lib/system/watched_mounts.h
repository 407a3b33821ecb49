/* SPDX-License-Identifier: MIT */
/* watched_mounts.h - which file system a device of the kernel is, and where it is mounted, as /proc/self/mountinfo had it when the recording began. */
#ifndef RECORDER_SYSTEM_WATCHED_MOUNTS_H
#define RECORDER_SYSTEM_WATCHED_MOUNTS_H

#include <stdint.h>
#include <stdio.h>

struct watched_mount {
	uint32_t device; /* as the kernel has it: major << 20 | minor */
	uint32_t number; /* of the mount */
	char *point;     /* without a slash at its end */
};

struct watched_mounts;

/* Of this process. NULL: out of memory. */
struct watched_mounts *watched_mounts_new(void);
/* Of a text as /proc/PID/mountinfo has it. */
struct watched_mounts *watched_mounts_read(FILE *from);
void watched_mounts_free(struct watched_mounts *mounts);

/* NULL: it is mounted nowhere that we can see, as pipes and sockets are. Of a file system that is mounted several times the first place counts that shows all of it. */
const struct watched_mount *watched_mount(const struct watched_mounts *mounts, uint32_t device);
/* The text of mountinfo, "" if there is none. */
const char *watched_mounts_text(const struct watched_mounts *mounts);

#endif
