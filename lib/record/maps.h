/* SPDX-License-Identifier: MIT */
/*
 * maps.h - the mappings of files in this process, as the kernel lists them in /proc/self/maps.
 */
#ifndef RECORDER_RECORD_MAPS_H
#define RECORDER_RECORD_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#define MAPS_BUFFER_SIZE 16384
#define MAPS_PATH_SIZE 1024

struct maps_line {
	uint64_t start, end, offset;
	uint64_t device, inode;
	bool executable, is_private;
	char path[MAPS_PATH_SIZE]; /* cut if longer */
};

/* Too large for a stack: static, one user at a time. */
struct maps_reader {
	struct maps_line line;
	char buffer[MAPS_BUFFER_SIZE];
};

/* Calls visit() for each mapping of a file, by address. 0 or -errno; to be run by errand_run(). */
int maps_read(struct maps_reader *reader, void (*visit)(const struct maps_line *line, void *data),
	      void *data);

#endif
