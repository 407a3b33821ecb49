/* SPDX-License-Identifier: MIT */
/*
 * body.h - the body of a chunk: read, checked and inflated, in buffers that are used again.
 */
#ifndef RECORDER_READ_BODY_H
#define RECORDER_READ_BODY_H

#include <stdbool.h>
#include <zlib.h>

#include "format/bytes.h"
#include "read/tracefiles.h"

/* What is read has at least as many bytes behind it, see signatures_decode.h. */
#define BODY_BEHIND 8u

/* Zeroed memory is ready for use. */
struct body {
	uint8_t *stored, *plain, *entries;
	size_t stored_capacity, plain_capacity, entries_capacity;
	z_stream inflater;
	bool inflater_ready;
};

/*
 * Reads body_size bytes at `offset` and checks them against `crc`. 0; -EBADMSG: damaged or cut
 * short; -ENOMEM, -EIO ...
 */
int body_read(struct body *body, struct tracefiles *files, struct file *file, uint64_t offset,
	      uint32_t size, uint32_t crc);
/*
 * Inflates the `size` bytes read. They must begin with a zlib stream of exactly plain_size bytes, after which *rest are left.
 * 0, -EBADMSG, -ENOMEM.
 */
int body_inflate(struct body *body, uint32_t size, uint32_t plain_size, uint32_t *rest);
/* Makes of an inflated body of DEFS_RELATIVE its entries, which last as long as the body. 0, -EBADMSG, -ENOMEM. */
int body_unpack_defs(struct body *body, struct bytes *entries);
void body_release(struct body *body);

#endif
