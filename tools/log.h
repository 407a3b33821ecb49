/* SPDX-License-Identifier: MIT */
/*
 * log.h - messages from one process to others, in a file that grows: each reader has its own place in it. A message is read when all of it is there.
 */
#ifndef RECORDER_TOOLS_LOG_H
#define RECORDER_TOOLS_LOG_H

#include "buffer.h"

struct log {
	int fd;      /* -1: not open */
	uint64_t at; /* of the next message to be read, or of the end for who writes */
};

/* Puts a message at the end; its type is not 0. 0 or a negative errno. */
int log_put(struct log *log, uint32_t type, const void *bytes, size_t size);
/*
 * The next message of that type, or of type LOG_FAILED, if it is there; others are passed over. Returns its type; 0: not yet.
 */
#define LOG_FAILED UINT32_MAX
uint32_t log_next(struct log *log, uint32_t type, struct buffer *body);

#endif
