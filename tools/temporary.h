/* SPDX-License-Identifier: MIT */
/*
 * temporary.h - files that must not outlive the process: whatever way it ends but SIGKILL, they go.
 */
#ifndef RECORDER_TOOLS_TEMPORARY_H
#define RECORDER_TOOLS_TEMPORARY_H

#include <stddef.h>

/*
 * Of a path of `length` bytes, as many as a temporary file beside it may be called after: what is put around and behind them, at most 64 bytes, makes no
 * name that is too long for a directory, as that of the output itself may be.
 */
int temporary_stem(const char *path, size_t length);
/* A file that is there from now on. 0 or -ENOMEM. */
int temporary_add(const char *path);
/* What else is to go then is removed by `remove`, which a signal handler may call. One a process. */
void temporary_also(void (*remove)(void));
/* It has another name now, or is gone. */
void temporary_drop(const char *path);
/* After a fork: they are the parent's. */
void temporary_forget(void);
/* Signals that would end the process wait, from the first of these to the second. */
void temporary_hold(void);
void temporary_let(void);

#endif
