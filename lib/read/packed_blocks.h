/* SPDX-License-Identifier: MIT */
/*
 * packed_blocks.h - the areas of a packed trace, and the blobs in its blocks.
 */
#ifndef RECORDER_READ_PACKED_BLOCKS_H
#define RECORDER_READ_PACKED_BLOCKS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "format/pack.h"
#include "read/packed_cache.h"

/* Told of what is wrong in the packed file, once for each place. */
typedef void packed_tell(void *data, uint64_t offset, const char *what);

struct packed_area {
	uint64_t offset, size;
	uint32_t plain_size, crc;
	uint32_t first_blob, blobs;
	_Atomic bool told; /* that it is damaged */
};

struct packed_blocks {
	int fd;
	uint64_t size; /* of the file */
	packed_tell *tell;
	void *data;
	struct packed_area *areas[PACK_KINDS];
	uint32_t counts[PACK_KINDS], blobs[PACK_KINDS];
	struct packed_cache cache;
	_Atomic uint64_t shapes; /* bytes of the shapes of all parts read so far */
};

/* A blob as it was before it was packed. */
struct blob {
	uint8_t *bytes; /* to be freed */
	size_t size;
};

/* 0; -EBADMSG, *what tells how and *offset where; -EPROTO, -ENOMEM, -EIO ... Then nothing is to be released. */
int packed_blocks_open(struct packed_blocks *blocks, int fd, const char **what, uint64_t *offset);
void packed_blocks_release(struct packed_blocks *blocks);
/* Says what is wrong with an area, if nothing was said of it yet. */
void packed_area_tell(struct packed_blocks *blocks, struct packed_area *area, const char *what);
/* 0; -EBADMSG: there is none of this number, or it is damaged; -ENOMEM ... */
int packed_blob(struct packed_blocks *blocks, enum pack_area_kind kind, uint32_t number,
		struct blob *blob);
/* Reads exactly `size` bytes. 0; -EBADMSG: there are fewer; negative errno. */
int packed_read_exactly(const struct packed_blocks *blocks, void *buffer, size_t size,
			uint64_t offset);

#endif
