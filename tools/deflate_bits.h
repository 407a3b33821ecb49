/* SPDX-License-Identifier: MIT */
/* deflate_bits.h - bits in the order of deflate (RFC 1951, 3.1.1): the first is the lowest of the first byte. */
#ifndef RECORDER_TOOLS_DEFLATE_BITS_H
#define RECORDER_TOOLS_DEFLATE_BITS_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

/* Bytes behind the end of what was written that may be changed. */
#define DEFLATE_BITS_SLACK 8u

struct deflate_bits {
	uint64_t
		pending; /* what is not in a whole byte yet, and what was put since the last store */
	unsigned count;  /* of those */
	uint8_t *to;
};

/* At most 57 bits from one deflate_bits_store() to the next; those of `value` behind `size` are zero. */
static inline void deflate_bits_put(struct deflate_bits *bits, uint64_t value, unsigned size)
{
	bits->pending |= value << bits->count;
	bits->count += size;
}

static inline void deflate_bits_store(struct deflate_bits *bits)
{
	uint64_t word = htole64(bits->pending);

	memcpy(bits->to, &word, sizeof(word));
	bits->to += bits->count / 8;
	bits->pending >>= bits->count & ~7u;
	bits->count &= 7;
}

/* Up to a byte border, with zeros. */
static inline void deflate_bits_align(struct deflate_bits *bits)
{
	deflate_bits_store(bits);
	bits->to += bits->count > 0;
	bits->pending = bits->count = 0;
}

#endif
