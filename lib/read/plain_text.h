/* SPDX-License-Identifier: MIT */
/* plain_text.h - text that stands in quotes as it is, in C as in JSON. */
#ifndef RECORDER_READ_PLAIN_TEXT_H
#define RECORDER_READ_PLAIN_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define PLAIN_EACH 0x0101010101010101u /* byte of a word */

/* ASCII, but for control characters, quotes and backslashes. */
static inline bool plain_byte(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* The highest bit of some byte is set if one of them is zero. */
static inline uint64_t plain_zero_byte(uint64_t word)
{
	return (word - PLAIN_EACH) & ~word;
}

/* The same as plain_byte() of eight at once. */
static inline bool plain_word(const unsigned char *p)
{
	uint64_t word, other;

	memcpy(&word, p, sizeof(word));
	other = word | (word - 0x20 * PLAIN_EACH) |
		(word + PLAIN_EACH); /* not ASCII, control or DEL */
	other |= plain_zero_byte(word ^ '"' * PLAIN_EACH) |
		 plain_zero_byte(word ^ '\\' * PLAIN_EACH);
	return !(other & 0x80 * PLAIN_EACH);
}

/* Where the plain text at p ends. */
static inline const unsigned char *plain_end(const unsigned char *p, const unsigned char *end)
{
	while (end - p >= 8 && plain_word(p))
		p += 8;
	while (p < end && plain_byte(*p))
		p++;
	return p;
}

#endif
