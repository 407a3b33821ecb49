/* SPDX-License-Identifier: MIT */
/*
 * varint.h - uvarint (LEB128) and svarint (zigzag), doc/format.md section 1.
 */
#ifndef RECORDER_FORMAT_VARINT_H
#define RECORDER_FORMAT_VARINT_H

#include "format/bytes.h"

#define VARINT_MAX 10u /* bytes of the longest one */

static inline uint64_t zigzag(int64_t value)
{
	return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static inline int64_t unzigzag(uint64_t code)
{
	return (int64_t)(code >> 1 ^ (0 - (code & 1)));
}

/* Writes at most VARINT_MAX bytes; returns the byte after them. */
static inline uint8_t *varint_put(uint8_t *p, uint64_t value)
{
	while (value >= 0x80) {
		*p++ = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	*p++ = (uint8_t)value;
	return p;
}

static inline uint8_t *svarint_put(uint8_t *p, int64_t value)
{
	return varint_put(p, zigzag(value));
}

/* The general case of bytes_varint(): more than one byte, or none left. */
static inline uint64_t bytes_varint_long(struct bytes *bytes)
{
	const uint8_t *p = bytes->p;
	uint64_t value = 0;
	unsigned shift = 0;

	while (p < bytes->end && shift < 64) {
		uint8_t byte = *p++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			if (shift == 63 && byte > 1)
				break;
			bytes->p = p;
			return value;
		}
		shift += 7;
	}
	bytes_fail(bytes);
	return 0;
}

static inline uint64_t bytes_varint(struct bytes *bytes)
{
	if (__builtin_expect(bytes->p < bytes->end && *bytes->p < 0x80, 1))
		return *bytes->p++;
	return bytes_varint_long(bytes);
}

static inline int64_t bytes_svarint(struct bytes *bytes)
{
	return unzigzag(bytes_varint(bytes));
}

#endif
