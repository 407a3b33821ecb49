/* SPDX-License-Identifier: MIT */
/*
 * newdir.h - a directory of files that appears whole or not at all.
 *
 * It is made under another name beside its own, which it gets in newdir_commit(). If the process ends before that, by whatever but SIGKILL, the directory goes, with the files
 * that are in it. One process makes it, others may put files into it.
 */
#ifndef RECORDER_TOOLS_NEWDIR_H
#define RECORDER_TOOLS_NEWDIR_H

#include <stdbool.h>

/*
 * Makes it and returns its name for now. Ends the process with a message if `path` is there and not to be replaced: without `force`, or if it is no directory in which
 * only files of a trace are. One a process.
 */
const char *newdir_begin(const char *path, bool force);
/* The same for a directory that is needed for a while, beside `path`, which may be there. */
const char *newdir_scratch(const char *path);
/* It is needed no more. */
void newdir_remove(void);
/* Gives it its name. What was there under it goes. */
void newdir_commit(void);

#endif
