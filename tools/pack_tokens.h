/* SPDX-License-Identifier: MIT */
/*
 * pack_tokens.h - bodies of chunks and names of files as tokens, doc/format.md section 10: what is the same in like processes on one side, numbers and times on
 * the other.
 */
#ifndef RECORDER_TOOLS_PACK_TOKENS_H
#define RECORDER_TOOLS_PACK_TOKENS_H

#include "buffer.h"
#include "format/bytes.h"
#include "format/pack_numbers.h"

/* A part as it is made. Zeroed memory is an empty one. */
struct part_shape {
	struct buffer ops;
	struct buffer numbers;       /* uint64_t */
	struct buffer times, clocks; /* uint64_t, uint8_t */
	struct buffer blobs;         /* uint64_t: which of the numbers are those of blobs */
	struct buffer literal;       /* bytes that are not yet in `ops` */
	uint64_t address;            /* the last one in the body at work */
};

/* How far a shape goes, to take back what came after. */
struct shape_mark {
	size_t ops, numbers, times, clocks, blobs;
};

void shape_clear(struct part_shape *shape);
void shape_release(struct part_shape *shape);
struct shape_mark shape_mark(const struct part_shape *shape);
void shape_take_back(struct part_shape *shape, struct shape_mark mark);

void shape_op(struct part_shape *shape, unsigned op);
void shape_number(struct part_shape *shape, uint64_t number);
/* The number of a blob of words. */
void shape_blob(struct part_shape *shape, uint64_t number);
void shape_time(struct part_shape *shape, enum pack_clock clock, uint64_t time);

/* The next ones append tokens; tokens_end() ends them. */
void tokens_text(struct part_shape *shape, const void *text, size_t size);
void tokens_end(struct part_shape *shape);
/* 0 or -EBADMSG: then some were appended, but not all. */
int tokens_meta(struct part_shape *shape, struct bytes body);
int tokens_defs(struct part_shape *shape, struct bytes entries);
int tokens_end_chunk(struct part_shape *shape, struct bytes body);

#endif
