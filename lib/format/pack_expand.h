/* SPDX-License-Identifier: MIT */
/*
 * pack_expand.h - the names and bodies of a packed trace's files, doc/format.md section 10: tokens of a shape, which many parts have in common, and
 * the numbers and times that they take from one part.
 */
#ifndef RECORDER_FORMAT_PACK_EXPAND_H
#define RECORDER_FORMAT_PACK_EXPAND_H

#include "format/varint.h"

/* What names and bodies are made of. */
enum pack_token {
	PACK_TOKEN_END,
	PACK_TOKEN_BYTES,
	PACK_TOKEN_U16,
	PACK_TOKEN_U32,
	PACK_TOKEN_U64,
	PACK_TOKEN_DECIMAL, /* a number in digits */
	PACK_TOKEN_TIME,    /* a u64 */
	PACK_TOKEN_PAD,     /* zeros up to a multiple of 8 */
	PACK_TOKEN_GROUP,   /* lists of tokens, in an order that numbers tell */
	PACK_TOKEN_PLACE,   /* in a group: a u32, a number and the place of its list */
	PACK_TOKEN_ADDRESS, /* a u64: so many pages behind the one before */
};

#define PACK_PAGE_SHIFT 12u
#define PACK_GROUP_MAX 256u
#define PACK_DIGITS_MAX 18u /* of a decimal number */

/* A shape and the values of one part. */
struct pack_part {
	struct bytes ops;
	const uint64_t *numbers, *times;
	uint32_t number_count, time_count;
};

/* Where one is in a part. */
struct pack_place {
	uint32_t op, number, time;
};

/* Writes what tokens stand for, and goes beyond them; their size, or -EBADMSG: malformed, or more than `room`. `out` may be NULL. */
int64_t pack_tokens_expand(const struct pack_part *part, struct pack_place *place, uint8_t *out,
			   size_t room);

#endif
