/* SPDX-License-Identifier: MIT */
/*
 * pack_copies.h - a blob of a packed trace by what it has in common with another one and with its own begin, doc/format.md section 10. Matches are as far
 * away and as long as they are, which deflate, whose work it comes before, cannot say.
 */
#ifndef RECORDER_FORMAT_PACK_COPIES_H
#define RECORDER_FORMAT_PACK_COPIES_H

#include "format/varint.h"

/* Bytes that pack_copies_encode() works in, aligned to 4, for `size` bytes of base and blob together. */
size_t pack_copies_work(size_t size);
/* `window` is the base, `base` bytes, and right after it the blob, `size` bytes. If there is no room, `out` is full then. */
void pack_copies_encode(const uint8_t *window, size_t base, size_t size, void *work,
			struct varints *out);
/* Most bytes that `size` bytes become. */
size_t pack_copies_bound(size_t size);
/* The reverse: fills the `size` bytes of `window` after the base. `in` must be used up. 0 or -EBADMSG. */
int pack_copies_decode(struct bytes in, uint8_t *window, size_t base, size_t size);

#endif
