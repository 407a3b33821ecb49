/* SPDX-License-Identifier: MIT */
/*
 * pack_blobs.h - which blobs a packed trace has already, and the latest of them, as new ones may be like them.
 */
#ifndef RECORDER_TOOLS_PACK_BLOBS_H
#define RECORDER_TOOLS_PACK_BLOBS_H

#include "buffer.h"
#include "format/pack.h"
#include "pack_tokens.h"

#define LIKE_NONE UINT32_MAX

struct blobs;

struct blobs *blobs_new(void);
void blobs_free(struct blobs *blobs);

/* The number of the blob with this digest, -1: there is none. */
int64_t blobs_find(const struct blobs *blobs, struct pack_digest digest);
/*
 * Adds a blob and appends to `coded` how it is stored: from the last one whose `like` was even or odd as this one's, or from the last one with the same, if that is shorter. Its number.
 */
uint64_t blobs_add(struct blobs *blobs, struct pack_digest digest, uint32_t like, const void *bytes,
		   size_t size, struct buffer *coded);
/* Appends how a blob is stored that is like no other. */
void blob_code(struct buffer *coded, const void *bytes, size_t size);

/* Shapes, after each blobs_add(): the numbers and times of the part that has it first. The oldest are forgotten when there are too many. */
void blobs_keep_base(struct blobs *blobs, const struct part_shape *from);
/* The number of the shape with this digest that is not forgotten, -1: there is none. */
int64_t blobs_find_base(const struct blobs *blobs, struct pack_digest digest);
const struct part_shape *blobs_base(const struct blobs *blobs, uint64_t number);

#endif
