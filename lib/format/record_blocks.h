/* SPDX-License-Identifier: MIT */
/*
 * record_blocks.h - the strings and arrays of a chunk of DATA encoding 2: read from its words, and put behind the records that have them.
 */
#ifndef RECORDER_FORMAT_RECORD_BLOCKS_H
#define RECORDER_FORMAT_RECORD_BLOCKS_H

#include "format/bump.h"
#include "format/bytes.h"

struct decoded_string {
	const uint8_t *bytes; /* and a zero */
	uint32_t stored, original;
};

struct decoded_array {
	uint32_t stored, original;
	int64_t sum;
	const int64_t *elements;
};

struct record_blocks {
	struct bytes *words;
	struct bump *bump;
	struct decoded_string *strings;
	struct decoded_array *arrays;
	uint32_t string_count, array_count;
	uint32_t
		excess; /* bytes by which the records that were added to are longer than their raw form */
	bool bad;       /* a record became too long, or there is no such string or array */
};

/* Reads those that are next in `words`, into memory of `bump`. 0, -EBADMSG, -ENOBUFS: there is not enough memory. */
int record_blocks_read(struct record_blocks *blocks, struct bytes *words, struct bump *bump);
/* Whether there is a block with this value of a field, or it means none. */
bool record_blocks_has(const struct record_blocks *blocks, bool array, uint64_t value);
/* Those with values above BLOCK_UNREADABLE, which are there. */
const struct decoded_string *record_blocks_string(const struct record_blocks *blocks,
						  uint64_t value);
const struct decoded_array *record_blocks_array(const struct record_blocks *blocks, uint64_t value);
/* Bytes that such a block takes in a record, 0 for none; adds to *excess what these are longer than in its raw form. */
uint32_t record_blocks_size(const struct record_blocks *blocks, bool array, uint64_t value,
			    uint32_t *excess);
/* Puts the block with this value of a field behind the record, followed by a zero if it is a string. Returns the argument for it. */
uint64_t record_blocks_add(struct record_blocks *blocks, struct raw_record *record, bool array,
			   uint64_t value);

#endif
