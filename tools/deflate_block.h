/* SPDX-License-Identifier: MIT */
/*
 * deflate_block.h - one block of deflate (RFC 1951, 3.2.3), of a text whose repetitions are known (textmatch.h): with codes of its own, with the fixed ones, or as it is, whatever takes least. None
 * is the last block of its stream.
 */
#ifndef RECORDER_TOOLS_DEFLATE_BLOCK_H
#define RECORDER_TOOLS_DEFLATE_BLOCK_H

#include <stddef.h>

#include "deflate_bits.h"
#include "huffman.h"
#include "textmatch.h"

#define DEFLATE_LITERALS 288u /* bytes, the end of a block, lengths of matches */
#define DEFLATE_DISTANCES 30u
#define DEFLATE_LENGTH_MAX 258u
#define DEFLATE_STORED_MAX 65535u /* bytes that a block has as they are */

/* An alphabet for each of both kinds of symbols. */
struct deflate_codes {
	struct huffman literals, distances;
};

/* A code of a length or a distance, with the bits that say which of those it stands for. */
struct deflate_code {
	uint32_t bits;
	uint32_t size;
};

struct block_writer {
	uint32_t literals[DEFLATE_LITERALS], distances[DEFLATE_DISTANCES]; /* how often they come */
	struct deflate_codes own, fixed;
	uint8_t length_symbols[DEFLATE_LENGTH_MAX + 1];      /* from 0, behind the end of a block */
	struct deflate_code lengths[DEFLATE_LENGTH_MAX + 1]; /* of the block that is written */
};

void block_writer_init(struct block_writer *writer);
/* The block of a text of `size` bytes, to room for those, 5 more for each DEFLATE_STORED_MAX of them that are begun, and DEFLATE_BITS_SLACK. */
void block_write(struct block_writer *writer, struct deflate_bits *bits, const uint8_t *text,
		 size_t size, const struct text_match *found, unsigned count);
/* Blocks that have the bytes as they are, and end at a byte border; of none, one. */
void block_write_stored(struct deflate_bits *bits, const uint8_t *text, size_t size);

#endif
