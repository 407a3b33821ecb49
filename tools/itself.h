/* SPDX-License-Identifier: MIT */
/*
 * itself.h - an output never replaces the trace that it is made of, also where what is there may be replaced.
 */
#ifndef RECORDER_TOOLS_ITSELF_H
#define RECORDER_TOOLS_ITSELF_H

#include <stdbool.h>

/* This process reads that trace, a directory or a packed one. Of several the last counts. */
void itself_set(const char *trace);
/* It may be replaced: what is made of it is the same once more. */
void itself_forget(void);
/* Whether `path` is that trace, or a file of it. What is not there is neither. */
bool itself_is(const char *path);

#endif
