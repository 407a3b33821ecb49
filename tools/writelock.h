/* SPDX-License-Identifier: MIT */
/*
 * writelock.h - processes that write to one file, each at its own place.
 *
 * On a disk or in memory the kernel lets one of them at a time write to a file, and those that wait for it go round and round meanwhile: of four that converted a trace together each spent a
 * tenth of its CPU time so. With this lock, which the kernel's own would be anyway, they sleep. File systems of several machines let each write where it likes, and a lock there is a
 * question to a server: they get none.
 */
#ifndef RECORDER_TOOLS_WRITELOCK_H
#define RECORDER_TOOLS_WRITELOCK_H

#include <stdbool.h>

/* Whether processes that write to the file would wait for each other. */
bool writelock_is_of_use(int fd);
/* False: another process holds it, and we do not `wait`. A lock that cannot be had at all is none: all write then as they like. */
bool writelock_take(int fd, bool wait);
void writelock_give(int fd);

#endif
