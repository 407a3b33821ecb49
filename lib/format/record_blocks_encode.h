/* SPDX-License-Identifier: MIT */
/*
 * record_blocks_encode.h - the strings and arrays of a chunk of DATA encoding 2, as words: each by what is different from one before it. record_blocks.h reads them.
 */
#ifndef RECORDER_FORMAT_RECORD_BLOCKS_ENCODE_H
#define RECORDER_FORMAT_RECORD_BLOCKS_ENCODE_H

#include "format/interner.h"
#include "format/varint.h"

/* Their number, and all of them. What is interned are struct string_block. */
void record_blocks_put_strings(struct varints *words, const struct interner *strings);
/* The same of struct array_block. */
void record_blocks_put_arrays(struct varints *words, const struct interner *arrays);

#endif
