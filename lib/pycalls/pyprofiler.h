/* SPDX-License-Identifier: MIT */
/*
 * pyprofiler.h - Python 3.8: the C profile function, which each thread has one of. It takes the place of a profiler; who sets one later takes it from us.
 */
#ifndef RECORDER_PYCALLS_PYPROFILER_H
#define RECORDER_PYCALLS_PYPROFILER_H

#include <stdbool.h>

/* In the calling thread and in those that `threading` starts from now on. False: *why says what is missing. */
bool pyprofiler_install(const char **why);
/* Python ends: another one has a module `threading` of its own. */
void pyprofiler_forget(void);

#endif
