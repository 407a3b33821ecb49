/* SPDX-License-Identifier: MIT */
/*
 * share.h - chunks dealt out to several readers, so that each has about as many records: the largest first, each to who has least so far.
 *
 * Who deals the same chunks out to as many comes to the same result, so readers need not know of each other.
 */
#ifndef RECORDER_READ_SHARE_H
#define RECORDER_READ_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The chunks of one reader. Zeroed memory has none. */
struct share {
	uint32_t *records; /* of all chunks, in their order, while they are added */
	size_t count, capacity;
	uint8_t *mine; /* a bit each */
};

/* Adds a chunk behind the others. 0 or -ENOMEM. */
int share_add(struct share *share, uint32_t records);
/* After the last one: what of them share `part` of `parts` has. 0 or -ENOMEM. */
int share_deal(struct share *share, unsigned part, unsigned parts);
/* Whether that is chunk `number`. */
bool share_has(const struct share *share, size_t number);
void share_release(struct share *share);

#endif
