/* SPDX-License-Identifier: MIT */
/* process_files.h - the numbers that files have in the stream of a process, which is told of each when it first comes up. Zeroed memory is none. */
#ifndef RECORDER_SYSTEM_PROCESS_FILES_H
#define RECORDER_SYSTEM_PROCESS_FILES_H

#include <stdint.h>

#include "read/index.h"
#include "system/watched_files.h"
#include "system/watched_stream.h"

struct process_files {
	struct index index; /* over `numbers` */
	uint32_t *numbers;  /* of watched_files; the position plus 1 is the stream's id */
	uint32_t count, room;
};

/* The stream's id of a file that the kernel told of; 0: it did not. */
uint32_t process_files_id(struct process_files *known, struct watched_stream *stream,
			  const struct watched_files *files, uint32_t device, uint64_t inode);
void process_files_release(struct process_files *known);

#endif
