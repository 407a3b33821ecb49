/* SPDX-License-Identifier: MIT */
/*
 * deflate.h - bytes deflated on their own, up to a byte border (Z_SYNC_FLUSH), so that what several threads or processes make can be put
 * together to one gzip member. The result depends on the bytes alone.
 */
#ifndef RECORDER_TOOLS_DEFLATE_H
#define RECORDER_TOOLS_DEFLATE_H

#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

struct block_deflater {
	z_stream stream;
};

#define GZIP_HEADER_SIZE 10u
#define GZIP_TRAILER_SIZE 10u

extern const uint8_t gzip_header[GZIP_HEADER_SIZE];
/* What comes behind the last block. */
void gzip_trailer(uint8_t trailer[GZIP_TRAILER_SIZE], uint32_t crc, uint64_t plain_size);

/* 0 or -ENOMEM. */
int block_deflater_init(struct block_deflater *deflater);
void block_deflater_release(struct block_deflater *deflater);

/* Bytes that `size` bytes take at most. */
size_t deflate_room(size_t size);
/* Deflates to memory with deflate_room(size) bytes; returns how many there are then, 0: it failed. */
size_t deflate_bytes(struct block_deflater *deflater, const void *bytes, size_t size, uint8_t *to);

#endif
