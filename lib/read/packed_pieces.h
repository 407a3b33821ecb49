/* SPDX-License-Identifier: MIT */
/*
 * packed_pieces.h - what a piece of a packed trace stands for: the body of a chunk, or bytes of the file.
 */
#ifndef RECORDER_READ_PACKED_PIECES_H
#define RECORDER_READ_PACKED_PIECES_H

#include <stddef.h>
#include <stdint.h>

#include "read/packed_blocks.h"
#include "read/packed_parts.h"

/* What the body of a chunk holds. */
enum packed_form {
	PACKED_STORED,  /* nothing but the body, in `plain` */
	PACKED_PLAIN,   /* in `plain` what it inflates to, in `bits` what follows */
	PACKED_ENTRIES, /* in `plain` the entries of DEFS encoding 2 */
};

/* Zeroed memory is ready for use; buffers are used again. */
struct packed_body {
	enum packed_form form;
	uint8_t *plain, *bits;
	size_t plain_size, bits_size;
	size_t plain_capacity, bits_capacity;
	uint8_t *spare; /* times of a chunk while it is put together */
	size_t spare_capacity;
};

void packed_body_release(struct packed_body *body);
/* The body of a chunk. 0; -ENOENT: the piece is no chunk that was taken apart; -EBADMSG, -ENOMEM, ... */
int packed_piece_body(struct packed_blocks *blocks, const struct packed_part *part,
		      const struct packed_piece *where, struct packed_body *body);
/* Copies `size` bytes of the piece, which lie from `from` of it on; zeros for what is not stored byte by byte. 0; -EBADMSG, -ENOMEM, ... */
int packed_piece_read(struct packed_blocks *blocks, const struct packed_part *part,
		      const struct packed_piece *where, uint64_t from, uint8_t *to, size_t size);

#endif
