/* SPDX-License-Identifier: MIT */
/*
 * defs_relative.h - the entries of a DEFS chunk, each by what is different from the one before of the same type: encoding 2 of DEFS before it is deflated,
 * doc/format.md section 4. A program that opens one file after the other makes definitions of which a few bytes differ, and these by little.
 */
#ifndef RECORDER_FORMAT_DEFS_RELATIVE_H
#define RECORDER_FORMAT_DEFS_RELATIVE_H

#include "format/varint.h"

/* Bytes that all entries of a chunk may have. */
#define DEFS_RELATIVE_MAX (64u << 20)

/* Writes whole entries, padding left out, and returns their number. If there is no room, `words` is full then. */
uint32_t defs_relative_pack(const uint8_t *entries, uint32_t size, struct varints *words);
/* Most bytes that `size` bytes of entries become. */
size_t defs_relative_bound(size_t size);

/* The size of the entries in `words`; UINT32_MAX: it is too large. They follow it. */
uint32_t defs_relative_size(struct bytes *words);
/* Fills `entries`, `size` bytes. 0 or -EBADMSG. */
int defs_relative_unpack(struct bytes *words, uint8_t *entries, uint32_t size);

#endif
