/* SPDX-License-Identifier: MIT */
/*
 * packed_parts.h - the parts of a packed trace, with their numbers and times as they were, and where the pieces of files are in them.
 *
 * A part is made when it is asked for, and stays as long as the cache has room. Several threads may use it.
 */
#ifndef RECORDER_READ_PACKED_PARTS_H
#define RECORDER_READ_PACKED_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "format/pack_shape.h"
#include "read/packed_blocks.h"

struct packed_part;

struct packed_piece {
	struct pack_piece piece;
	uint64_t offset; /* in the file */
	uint64_t data;   /* of what it has in the data area: where in the packed trace */
};

/* The part of this number, which there has to be; to be given back. 0; -EBADMSG: damaged, which is told; -ENOMEM ... */
int packed_part_get(struct packed_blocks *blocks, uint32_t number, struct packed_part **part);
void packed_part_give_back(struct packed_blocks *blocks, uint32_t number, struct packed_part *part);

/* The number of a piece: of `count` from `first` on, which are those of one file and at least one, the last that begins at `offset` of it or before. */
uint32_t packed_part_find(const struct packed_part *part, uint32_t first, uint32_t count,
			  uint64_t offset);
/* 0; -ENOENT: the part has fewer pieces; -EBADMSG. */
int packed_part_piece(const struct packed_part *part, uint32_t number, struct packed_piece *piece);
/* Writes what tokens stand for; their size, or -EBADMSG: malformed, or more than `room`. `out` may be NULL. */
int64_t packed_part_expand(const struct packed_part *part, const struct pack_place *tokens,
			   uint8_t *out, size_t room);

#endif
