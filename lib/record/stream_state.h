/* SPDX-License-Identifier: MIT */
/*
 * stream_state.h - what is known of the stream of this process, for those who make it: stream_begin.c its files, stream_file.c the descriptor of the .rec, stream.c what
 * is appended.
 */
#ifndef RECORDER_RECORD_STREAM_STATE_H
#define RECORDER_RECORD_STREAM_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "format/wire.h"
#include "record/arena.h"
#include "record/hidden.h"

struct stream_state {
	char name[ARENA_STREAM_NAME_MAX];
	_Atomic bool failed; /* the .rec is lost for good */
	/* opened for each chunk: the program has few descriptors and needs them all */
	_Atomic bool keeps_none;
	bool shared; /* the file is that of the node, and there is no LM */
	dev_t device;
	ino_t inode; /* 0: there is no file yet */
	_Atomic uint64_t bytes;
	_Atomic uint32_t chunks;
};

extern HIDDEN struct stream_state stream;

/* Appends the first chunk of what would be the LM to the file of the node, once. 0 or a negative errno. */
int stream_append_first(int fd, struct chunk_header *header, const void *body);

#endif
