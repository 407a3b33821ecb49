/* SPDX-License-Identifier: MIT */
/*
 * bytes.h - a bounded cursor to read from and one to write to.
 *
 * Both fail once and for all: after the first read or write beyond the end every further one does
 * nothing, so that a whole structure is read or written first and judged once, at the end.
 * All integers are little-endian and may lie at any address.
 */
#ifndef RECORDER_FORMAT_BYTES_H
#define RECORDER_FORMAT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "format/wire.h"

/* To read: what is left of a buffer that somebody else owns. */
struct bytes {
	const uint8_t *p, *end;
	bool bad; /* something was read that is not there */
};

/* A string inside a buffer; no zero at its end. */
struct text {
	const char *bytes; /* never NULL once read */
	size_t length;
};

static inline struct bytes bytes_of(const void *buffer, size_t size)
{
	const uint8_t *p = buffer ? buffer : (const void *)""; /* NULL + 0 is undefined */

	return (struct bytes){p, p + size, false};
}

static inline size_t bytes_left(const struct bytes *bytes)
{
	return (size_t)(bytes->end - bytes->p);
}

static inline void bytes_fail(struct bytes *bytes)
{
	bytes->p = bytes->end;
	bytes->bad = true;
}

/* The next `size` bytes, in place; NULL if there are not as many. */
static inline const uint8_t *bytes_take(struct bytes *bytes, size_t size)
{
	const uint8_t *p = bytes->p;

	if (size > bytes_left(bytes)) {
		bytes_fail(bytes);
		return NULL;
	}
	bytes->p += size;
	return p;
}

#define BYTES_GETTER(name, type)                                                                   \
	static inline type bytes_##name(struct bytes *bytes)                                       \
	{                                                                                          \
		const uint8_t *p = bytes_take(bytes, sizeof(type));                                \
		type value = 0;                                                                    \
                                                                                                   \
		if (p)                                                                             \
			memcpy(&value, p, sizeof(value));                                          \
		return value;                                                                      \
	}
BYTES_GETTER(u8, uint8_t)
BYTES_GETTER(u16, uint16_t)
BYTES_GETTER(u32, uint32_t)
BYTES_GETTER(u64, uint64_t)
BYTES_GETTER(i32, int32_t)
BYTES_GETTER(i64, int64_t)
BYTES_GETTER(f64, double)
#undef BYTES_GETTER

static inline struct text bytes_text(struct bytes *bytes, size_t length)
{
	const uint8_t *p = bytes_take(bytes, length);

	return p ? (struct text){(const char *)p, length} : (struct text){"", 0};
}

/* A `str` of the format: u16 length and as many bytes. */
static inline struct text bytes_str(struct bytes *bytes)
{
	return bytes_text(bytes, bytes_u16(bytes));
}

/* To write: what is left of a buffer that somebody else owns. */
struct packer {
	uint8_t *p, *end;
	bool overflow; /* something did not fit */
};

static inline struct packer packer_of(void *buffer, size_t size)
{
	return (struct packer){buffer, (uint8_t *)buffer + size, false};
}

/* Bytes written since the packer began at `buffer`; 0 if not everything fitted. */
static inline size_t packer_size(const struct packer *packer, const void *buffer)
{
	return packer->overflow ? 0 : (size_t)(packer->p - (const uint8_t *)buffer);
}

static inline void pack_bytes(struct packer *packer, const void *source, size_t size)
{
	if (packer->overflow || size > (size_t)(packer->end - packer->p)) {
		packer->overflow = true;
		return;
	}
	if (size > 0)
		memcpy(packer->p, source, size);
	packer->p += size;
}

#define PACKER(name, type)                                                                         \
	static inline void pack_##name(struct packer *packer, type value)                          \
	{                                                                                          \
		pack_bytes(packer, &value, sizeof(value));                                         \
	}
PACKER(u8, uint8_t)
PACKER(u16, uint16_t)
PACKER(u32, uint32_t)
PACKER(u64, uint64_t)
PACKER(i32, int32_t)
PACKER(i64, int64_t)
PACKER(f64, double)
#undef PACKER

/* A `str` of `length` bytes; longer than a str can be is an overflow. */
static inline void pack_text(struct packer *packer, const char *text, size_t length)
{
	if (length > UINT16_MAX) {
		packer->overflow = true;
		return;
	}
	pack_u16(packer, (uint16_t)length);
	pack_bytes(packer, text, length);
}

/* A zero-terminated string as `str`; NULL is written as an empty one. */
static inline void pack_str(struct packer *packer, const char *text)
{
	pack_text(packer, text, text ? strlen(text) : 0);
}

#endif
