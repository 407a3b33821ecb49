/* SPDX-License-Identifier: MIT */
/*
 * workdir.h - the working directory, in which relative paths begin.
 *
 * It is asked from the kernel when it is first needed, and after each call that changed it. Such a change is a DIRECTORY definition, with its time:
 * so readers know what relative paths in records stand for.
 *
 * The child of a vfork() has a working directory of its own, though its memory is its parent's, and so has one of clone() with CLONE_VM. Once it has changed it,
 * the kernel is asked each time in the thread that they share, until workdir_child_left(). A guest (sharing.h) without CLONE_FS asks each time.
 */
#ifndef RECORDER_RECORD_WORKDIR_H
#define RECORDER_RECORD_WORKDIR_H

#include "record/text.h"

/* Appends it; nothing if it is not known. */
void workdir_add(struct textbuf *text);
/* A call of this process, or of a child that shares its memory, has changed it. */
void workdir_changed(void);
/* When that was the last time, in ticks; 0 never. */
uint64_t workdir_last_change(void);
/* In the parent: the child of vfork() is gone. */
void workdir_child_left(void);
/* In a forked child: it has one of its own, and memory of its own. */
void workdir_forked(void);

#endif
