/* SPDX-License-Identifier: MIT */
/*
 * deflate_small.h - some hundred bytes as a zlib stream (RFC 1950), in the codes that deflate fixes (RFC 1951, 3.2.6).
 *
 * A short process writes two or three bodies of that size. zlib clears 16 KiB for each and makes three trees before it finds that the fixed codes
 * are as good, which up to 512 bytes they always are; of up to 2,048 bytes they are 2 to 7 % more. What it had of ten pages at the end of a process is in one here.
 */
#ifndef RECORDER_FORMAT_DEFLATE_SMALL_H
#define RECORDER_FORMAT_DEFLATE_SMALL_H

#include <stddef.h>
#include <stdint.h>

#define DEFLATE_SMALL_MAX 2048u /* bytes that it takes */
#define DEFLATE_SMALL_HEADS 512u

/* Memory for it, of any content. */
struct deflate_small {
	uint16_t
		heads[DEFLATE_SMALL_HEADS]; /* place + 1 of the last three bytes with such a hash */
	uint16_t earlier[DEFLATE_SMALL_MAX]; /* of the ones before those at a place */
};

/* Most bytes that `size` bytes become, with what is written over behind them. */
size_t deflate_small_room(size_t size);
/* Deflates at most DEFLATE_SMALL_MAX bytes to memory with deflate_small_room(size); returns how many there are then. */
size_t deflate_small(struct deflate_small *memory, const uint8_t *from, size_t size, uint8_t *to);

#endif
