/* SPDX-License-Identifier: MIT */
/*
 * body.h - the body of a chunk: read and checked, in buffers that are used again.
 */
#ifndef RECORDER_READ_BODY_H
#define RECORDER_READ_BODY_H

#include "format/bytes.h"
#include "format/inflater.h"
#include "read/packed.h"
#include "read/tracefiles.h"

/* What is read has at least as many bytes behind it, see data_decode.h. */
#define BODY_BEHIND 8u

/* Zeroed memory is ready for use. */
struct body {
	uint8_t *stored, *entries;
	size_t stored_capacity, entries_capacity;
	struct inflater inflater;
	bool given; /* what is in it comes from a packed trace: inflated, in `packed` */
	struct packed_body packed;
};

/*
 * Reads body_size bytes at `offset` and checks them against `crc`. 0; -EBADMSG: damaged or cut
 * short; -ENOMEM, -EIO ...
 */
int body_read(struct body *body, struct tracefiles *files, struct file *file, uint64_t offset,
	      uint32_t size, uint32_t crc);
/* The same of what is in memory. */
int body_take(struct body *body, const void *bytes, uint32_t size, uint32_t crc);
/* To be called before what body_read() gave is inflated by `inflater`: what comes from a packed trace needs not be. */
void body_give(struct body *body, struct inflater *inflater);
/* The entries of DEFS_RELATIVE that come from a packed trace as they are. 0; -ENOENT: they have to be made. */
int body_entries(struct body *body, struct bytes *entries);
/* Makes of an inflated body of DEFS_RELATIVE its entries, which last as long as the body. 0, -EBADMSG, -ENOMEM. */
int body_unpack_defs(struct body *body, struct bytes *entries);
void body_release(struct body *body);

#endif
