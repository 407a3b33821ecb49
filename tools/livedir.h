/* SPDX-License-Identifier: MIT */
/*
 * livedir.h - directories of live files, which lib/record/live.c makes. A trace names its own, and a
 * trace may be anybody's: what is no such directory is not touched, whatever a trace says.
 */
#ifndef RECORDER_TOOLS_LIVEDIR_H
#define RECORDER_TOOLS_LIVEDIR_H

#include <stdbool.h>
#include <sys/types.h>

/* Whether a directory of live files can have that name: "recorder-UID-0123456789abcdef". */
bool livedir_name(const char *name);

/*
 * Opens the directory of live files `path`, which must belong to the user or to `owner` (that of the
 * trace), and to whom nobody else writes. Its descriptor; -ENOENT: it is not there; -EPERM: it is no
 * directory of live files; another negative errno.
 */
int livedir_open(const char *path, uid_t owner);

/* Removes the open directory `path` if no stream has live files in it. */
void livedir_remove(int fd, const char *path);

#endif
