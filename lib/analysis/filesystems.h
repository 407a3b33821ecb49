/* SPDX-License-Identifier: MIT */
/*
 * filesystems.h - which file systems the machines of a trace had mounted, and on which of them a file is: by its path.
 */
#ifndef RECORDER_ANALYSIS_FILESYSTEMS_H
#define RECORDER_ANALYSIS_FILESYSTEMS_H

#include <recorder/reader.h>

#include "read/pool.h"

/* Those that come first; files on others count for what these are mounted on. */
#define FILESYSTEMS_MOST 512u

/* Zeroed: none. */
struct filesystems {
	unsigned count;
	struct reader_mount list
		[FILESYSTEMS_MOST]; /* the first one, of three "", is for files of which nothing is known */
	struct pool texts;
};

/* 0 or -ENOMEM; to be released either way. */
int filesystems_collect(struct filesystems *filesystems, const struct reader *trace);
/* The number of the one that a path is on. */
unsigned filesystems_find(const struct filesystems *filesystems, const char *path);
void filesystems_release(struct filesystems *filesystems);

#endif
