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

/* A buffer that varints are written to. */
struct varints {
	uint8_t *p, *end;
	bool full; /* something did not fit; nothing is written any more */
};

static inline struct varints varints_in(uint8_t *buffer, size_t size)
{
	return (struct varints){buffer, buffer + size, false};
}

static inline void varints_put(struct varints *out, uint64_t value)
{
	if (__builtin_expect((size_t)(out->end - out->p) < VARINT_MAX || out->full, 0))
		out->full = true;
	else
		out->p = varint_put(out->p, value);
}

static inline void varints_put_signed(struct varints *out, int64_t value)
{
	varints_put(out, zigzag(value));
}

static inline void varints_bytes(struct varints *out, const void *bytes, size_t size)
{
	if ((size_t)(out->end - out->p) < size || out->full) {
		out->full = true;
		return;
	}
	memcpy(out->p, bytes, size);
	out->p += size;
}

static inline void varints_byte(struct varints *out, uint8_t byte)
{
	varints_bytes(out, &byte, 1);
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
