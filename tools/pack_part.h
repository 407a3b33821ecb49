/* SPDX-License-Identifier: MIT */
/*
 * pack_part.h - the files of a stream taken apart for a packed trace, doc/format.md section 10.
 *
 * A chunk is taken apart only if it can be put together again byte by byte; all else is kept as it is.
 */
#ifndef RECORDER_TOOLS_PACK_PART_H
#define RECORDER_TOOLS_PACK_PART_H

#include "pack_tokens.h"

/* Where what was taken apart goes. */
struct part_sink {
	/* More of the part's data area. */
	void (*data)(void *self, const void *bytes, size_t size);
	/* A blob; its number, or what stands for it. `like`: chunks with this number are like it in other parts. */
	uint64_t (*words)(void *self, uint32_t like, const void *bytes, size_t size);
	void *self;
};

struct part_maker;

struct part_maker *part_maker_new(const struct part_sink *sink);
void part_maker_free(struct part_maker *maker);
/* Begins a part. What its shape is can be read until the next one begins. */
void part_begin(struct part_maker *maker);
/* Adds a file, all of it. Ends the process with a message if it cannot be read. */
void part_add(struct part_maker *maker, const char *name, int fd);
const struct part_shape *part_shape(const struct part_maker *maker);

#endif
