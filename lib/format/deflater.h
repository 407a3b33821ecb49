/* SPDX-License-Identifier: MIT */
/*
 * deflater.h - compression of chunk bodies in memory that the caller provides: zlib without malloc, and for small ones deflate_small.h.
 */
#ifndef RECORDER_FORMAT_DEFLATER_H
#define RECORDER_FORMAT_DEFLATER_H

#include <stddef.h>
#include <stdint.h>

struct deflater;

/* Bytes that deflater_init() needs, aligned to 16. */
size_t deflater_size(void);
/* Makes a deflater in `memory` of deflater_size() bytes; NULL of none. */
struct deflater *deflater_init(void *memory);
/* Most bytes that `size` bytes can become. */
size_t deflater_bound(size_t size);
/* Compresses a whole body into a zlib stream. Returns the size, 0 if it does not fit into `room`, or zlib wanted more memory. */
size_t deflater_run(struct deflater *deflater, const void *from, size_t size, void *to,
		    size_t room);

#endif
