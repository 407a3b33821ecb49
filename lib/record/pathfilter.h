/* SPDX-License-Identifier: MIT */
/*
 * pathfilter.h - which files are of interest: RECORDER_INCLUDE and RECORDER_EXCLUDE.
 *
 * Each is a colon list of path prefixes and globs, or @FILE with one a line. A prefix ends at a component: /dev does not match
 * /devices. Never of interest: the trace's own files.
 */
#ifndef RECORDER_RECORD_PATHFILTER_H
#define RECORDER_RECORD_PATHFILTER_H

#include <stdbool.h>
#include <stddef.h>

void pathfilter_init(void);
/* Where the recorder's own files are, once that is known; the names must stay. "" none. */
void pathfilter_set_own(const char *trace, const char *live);
/* Whether calls on the file are to be dropped. Only absolute paths are judged; others are kept: files.h makes them absolute. */
bool pathfilter_excludes(const char *path, size_t length);
/* Whether neither was set: then what lies in a folder that is kept is kept, too. */
bool pathfilter_is_default(void);

#endif
