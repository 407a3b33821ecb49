/* SPDX-License-Identifier: MIT */
/*
 * gzip.h - one gzip member, compressed block by block, by several threads if wanted.
 *
 * Each block is deflated by itself, up to a byte border, so that blocks can be made in parallel and put together; the bytes are the same for any number of threads.
 */
#ifndef RECORDER_TOOLS_GZIP_H
#define RECORDER_TOOLS_GZIP_H

#include <stddef.h>

struct gzip;

/* Takes compressed bytes; 0 or a negative errno. */
typedef int gzip_sink(void *data, const void *bytes, size_t size);

/* NULL with errno set: out of memory or threads. `jobs` 1 compresses in the calling thread. */
struct gzip *gzip_new(gzip_sink *sink, void *data, unsigned jobs);
/* Compresses one block (at most OUTPUT_BUFFER bytes, which are copied). 0, or the sink's error. */
int gzip_put(struct gzip *gzip, const void *block, size_t size);
/* Ends the member; nothing may follow but gzip_free(). */
int gzip_end(struct gzip *gzip);
/* NULL is allowed; before gzip_end() it drops what has not been written. */
void gzip_free(struct gzip *gzip);

#endif
