/* SPDX-License-Identifier: MIT */
/*
 * open_files.h - what descriptors and streams of stdio of a process stand for: open files, which have a position and which descriptors share.
 *
 * A stream is known by the number of its descriptor, and is a handle of its own: it reads ahead, so that its position is not that of its descriptor. What moves
 * one leaves it open where the other stands.
 */
#ifndef RECORDER_ANALYSIS_OPEN_FILES_H
#define RECORDER_ANALYSIS_OPEN_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/dictionary.h"

#define POSITION_UNKNOWN (-1)
#define NO_STREAM_OF_STDIO (-1)

/* What a handle is a number of. */
enum handle_space {
	HANDLE_FD,
	HANDLE_STDIO,
	HANDLE_KERNEL, /* descriptors in what is recorded from outside */
};

/* What descriptors can share. */
struct opened {
	int64_t at;       /* POSITION_UNKNOWN */
	int64_t buffered; /* the stream of stdio that works on it, or none */
	bool appends;     /* what is written goes to the end */
	bool shared;      /* somebody moves it who is not seen: it is never known where it stands */
	uint32_t handles; /* that stand for it; 0: it is free */
	uint32_t next;    /* number + 1 of another free one */
};

#define HANDLES_RECENT 64u /* a power of two */

/* Of one process. Zeroed: nothing is open. */
struct open_files {
	bool inherits; /* what it has not opened itself is shared */
	/* inside */
	struct {
		int64_t handle;
		enum handle_space space;
		uint32_t number; /* in `handles`, + 1; 0 nothing */
	} recent[HANDLES_RECENT];
	struct dictionary handles; /* space and number */
	uint32_t *opened_of;       /* by handle: number + 1 of what it stands for, 0 nothing */
	struct opened *opened;
	uint32_t handle_room, opened_count, opened_room;
	uint32_t free; /* number + 1 of the first free one */
};

/* What a handle stands for, NULL: nothing that is known of. Valid until the next call that opens. */
struct opened *open_files_find(const struct open_files *files, enum handle_space space,
			       int64_t handle);
/* The same; what was opened before is known of from now on, and stands nowhere. NULL: no memory. */
struct opened *open_files_use(struct open_files *files, enum handle_space space, int64_t handle);
/* The handle stands for something new, at the begin of its file. NULL: no memory. */
struct opened *open_files_open(struct open_files *files, enum handle_space space, int64_t handle);
/* A stream of stdio begins to work on its descriptor, from where that stands. NULL: no memory. */
struct opened *open_files_buffer(struct open_files *files, int64_t fd);
/* Descriptor `copy` stands for what `handle` does, which both move. 0 or -ENOMEM. */
int open_files_copy(struct open_files *files, enum handle_space space, int64_t handle,
		    int64_t copy);
/* Handles from `first` to `last` stand for nothing any more, nor do streams or descriptors of these numbers. */
void open_files_close(struct open_files *files, enum handle_space space, int64_t first,
		      int64_t last);
/* Somebody has moved the handle: it is open where the other one stands that reads or writes there, stream or descriptor. */
void open_files_disturb(struct open_files *files, enum handle_space space, int64_t handle);
/* Another process has got the descriptors from `first` to `last`, and what is not known of. */
void open_files_share(struct open_files *files, int64_t first, int64_t last);
void open_files_release(struct open_files *files);

#endif
