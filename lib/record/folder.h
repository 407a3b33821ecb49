/* SPDX-License-Identifier: MIT */
/*
 * folder.h - a walk over the names in a directory, by raw system calls: also in a signal handler that ends the program.
 */
#ifndef RECORDER_RECORD_FOLDER_H
#define RECORDER_RECORD_FOLDER_H

#include <stdbool.h>

/* `folder`: the open directory, to reach the name by. */
typedef void folder_visit(int folder, const char *name, void *data);

/* Visits each name, "." and ".." too, in the directory `path` below `parent` (or AT_FDCWD); none if it cannot be opened or is a link. */
void folder_each(int parent, const char *path, folder_visit *visit, void *data);
/* How many names in the directory match, but no more than `enough`, of no more than `names` that come first. 0 also if it cannot be read. */
unsigned folder_count(const char *path, bool (*matches)(const char *name), unsigned enough,
		      unsigned names);

#endif
