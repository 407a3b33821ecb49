/* SPDX-License-Identifier: MIT */
/*
 * posix_listing.h - the descriptor of the recorder's is in no list that a program makes of its own: programs close, count or hand on what
 * they find in /proc/self/fd.
 */
#ifndef RECORDER_WRAP_POSIX_LISTING_H
#define RECORDER_WRAP_POSIX_LISTING_H

#include <dirent.h>
#include <stdbool.h>
#include <sys/types.h>

#include "record/stream_file.h"

/* Whether the entry of that name is such a one, and the directory such a list. Keeps errno. */
bool listing_is_own(DIR *dir, const char *name);
/* So many bytes of entries, as getdents64(2) gives them, without it: how many they are then. Keeps errno. */
ssize_t listing_without_own(int fd, char *entries, ssize_t size);

/* The same of the next entry, NULL at the end: all but a few are known by their first character. */
static inline bool listing_hides(DIR *dir, const char *name)
{
	return name && name[0] >= '1' && name[0] <= '9' && stream_descriptor() >= 0 &&
	       listing_is_own(dir, name);
}

#endif
