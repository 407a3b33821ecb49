/* SPDX-License-Identifier: MIT */
/*
 * pack_deflate.h - what zlib's compress2(3) makes at level 9 of one text after the other, in memory that is asked for once: a packed trace is some
 * thousands of texts, and zlib takes a quarter of a megabyte for each.
 */
#ifndef RECORDER_TOOLS_PACK_DEFLATE_H
#define RECORDER_TOOLS_PACK_DEFLATE_H

#include <stdbool.h>
#include <zlib.h>

#include "buffer.h"

/* Zeroed: nothing yet. */
struct pack_deflater {
	z_stream stream;
	bool begun;
};

/* Appends the zlib stream of `bytes`. */
void pack_deflate(struct pack_deflater *deflater, struct buffer *out, const void *bytes,
		  size_t size);
void pack_deflate_end(struct pack_deflater *deflater);

#endif
