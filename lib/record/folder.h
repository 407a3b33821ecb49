/* SPDX-License-Identifier: MIT */
/*
 * folder.h - a walk over the names in a directory, by raw system calls: also in a signal handler that ends the program.
 */
#ifndef RECORDER_RECORD_FOLDER_H
#define RECORDER_RECORD_FOLDER_H

#include <stdbool.h>

/* `folder`: the open directory, to reach the name by. False: the walk ends there. */
typedef bool folder_visit(int folder, const char *name, void *data);

/* Visits each name, "." and ".." too, in the directory `path` below `parent` (or AT_FDCWD); none if it cannot be opened or is a link. */
void folder_each(int parent, const char *path, folder_visit *visit, void *data);

#endif
