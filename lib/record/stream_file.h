/* SPDX-License-Identifier: MIT */
/*
 * stream_file.h - the descriptor of the .rec, or of the node's file.
 *
 * It is kept at a high number, close-on-exec, and is checked against the file it was opened for before each use, because programs close and replace descriptors
 * they do not know. When it is gone the file is opened again by name; if that does not give the same file, there is none.
 */
#ifndef RECORDER_RECORD_STREAM_FILE_H
#define RECORDER_RECORD_STREAM_FILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "format/wire.h"
#include "record/hidden.h"

/* -1: it is not open (yet). */
extern HIDDEN _Atomic int stream_kept;
/* The same: what a range of closes has to leave out. */
static inline int stream_descriptor(void)
{
	return atomic_load_explicit(&stream_kept, memory_order_relaxed);
}

/* Whether `fd` is one of ours. */
static inline bool stream_owns(int fd)
{
	return fd >= 0 && fd == stream_descriptor();
}

/* The program wants this number for itself (dup2): moves our descriptor elsewhere. 0 moved or not ours, else -errno. */
int stream_descriptor_move(int fd);

/* Calls `use` with a descriptor of the file, that which we keep or one for just this. Returns its result, or why there is none: a negative errno. */
int stream_file_use(int (*use)(int fd, void *data), void *data);
/* What is appended goes there from now on, behind `size` bytes of the stream. */
void stream_file_take(const struct stat *status, uint64_t size);
/* The descriptor that is kept is closed. */
void stream_file_close(void);
/* Begins a new file of the stream. 0 or a negative errno. */
int stream_write_header(int fd, enum file_kind kind, uint64_t id);

#endif
