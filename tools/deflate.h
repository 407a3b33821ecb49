/* SPDX-License-Identifier: MIT */
/*
 * deflate.h - text deflated (RFC 1951) by itself, up to a byte border, so that what several threads or processes make can be put together to one gzip member (RFC 1952). The result depends on
 * the text alone.
 *
 * What is made of traces are lines that are much alike, for which this is four times as fast as zlib at its fastest, and smaller; any other text becomes right, too.
 */
#ifndef RECORDER_TOOLS_DEFLATE_H
#define RECORDER_TOOLS_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

/* Memory for it. Each thread has its own. */
struct text_deflater;

#define GZIP_HEADER_SIZE 10u
#define GZIP_TRAILER_SIZE 10u

extern const uint8_t gzip_header[GZIP_HEADER_SIZE];
/* What comes behind the last text: of all of them the CRC-32 and the size before they were deflated. */
void gzip_trailer(uint8_t trailer[GZIP_TRAILER_SIZE], uint32_t crc, uint64_t plain_size);

/* NULL: out of memory. */
struct text_deflater *text_deflater_new(void);
/* NULL is allowed. */
void text_deflater_free(struct text_deflater *deflater);

/* Bytes that `size` bytes take at most, with what is written over behind them. */
size_t deflate_room(size_t size);
/* Deflates to memory with deflate_room(size) bytes; returns how many there are then. */
size_t deflate_text(struct text_deflater *deflater, const void *text, size_t size, uint8_t *to);

#endif
