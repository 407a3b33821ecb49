/* SPDX-License-Identifier: MIT */
/*
 * inflater.h - the deflated part of a chunk's body, into memory that is used again.
 */
#ifndef RECORDER_FORMAT_INFLATER_H
#define RECORDER_FORMAT_INFLATER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

/* Zeroed memory is ready for use. */
struct inflater {
	uint8_t *plain;
	size_t capacity;
	z_stream stream;
	bool ready;
	/* what the next run gives is in `plain` already */
	bool given;
	uint32_t given_size, given_rest;
};

/*
 * Inflates `size` bytes into `plain`. They must begin with a zlib stream of exactly plain_size bytes, after which *rest are left.
 * 0, -EBADMSG, -ENOMEM.
 */
int inflater_run(struct inflater *inflater, const void *stored, uint32_t size, uint32_t plain_size,
		 uint32_t *rest);
/* The next inflater_run() gives these `size` bytes, and that `rest` were left. Their memory and what was in `plain` change places. */
void inflater_give(struct inflater *inflater, uint8_t **plain, size_t *capacity, uint32_t size,
		   uint32_t rest);
void inflater_release(struct inflater *inflater);

#endif
