/* SPDX-License-Identifier: MIT */
/*
 * linetext.h - a text in which some numbers change, and mostly in their last digits.
 *
 * To put it with other numbers, it is copied as it is, and their last digits are written over the copy. Only when more digits than these change, the
 * text itself is changed before.
 */
#ifndef RECORDER_TOOLS_LINETEXT_H
#define RECORDER_TOOLS_LINETEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "read/digits.h"

#define LINETEXT_MAX 640u       /* bytes of a text */
#define LINETEXT_BLOCK 64u      /* that are copied at once: so many behind it may be written over */
#define LINETEXT_NUMBERS 9u     /* in a text */
#define LINETEXT_NUMBER_MAX 24u /* bytes of a number */
#define LINETEXT_DIGITS 4u      /* that are written over */

/* Those from `low` on, `span` of them, differ from it in the last digits alone. */
struct line_number {
	int64_t value;
	uint64_t low, span;
	uint64_t base; /* what the digits before the last ones say */
	uint16_t begin, end;
	uint16_t digits; /* how many the last ones are */
};

struct line_text {
	struct line_number numbers[LINETEXT_NUMBERS];
	unsigned count;
	unsigned size;
	char bytes[LINETEXT_MAX + LINETEXT_BLOCK];
};

/* ---- making one: the caller sees to it that it stays within LINETEXT_MAX whatever its numbers become ---- */

void linetext_begin(struct line_text *text);
void linetext_add(struct line_text *text, const char *bytes, size_t size);
/* A place for a number, which comes when the text is first used. */
void linetext_add_number(struct line_text *text);
/* That bytes begin..end, which were added, are a number of this value: the next one. */
void linetext_note_number(struct line_text *text, unsigned begin, unsigned end, int64_t value);

/* ---- using it ---- */

/* Makes a number another one, but for its last digits. False: it cannot be written as digits alone, or JSON does not take it as a number. */
bool linetext_come_near(struct line_text *text, unsigned which, int64_t value);

/* A little more than what is there, which is faster than as much. */
static inline void linetext_copy(char *to, const struct line_text *text)
{
	for (unsigned i = 0; i < text->size; i += LINETEXT_BLOCK)
		memcpy(to + i, text->bytes + i, LINETEXT_BLOCK);
}

/* Writes the last digits of a number into a copy of the text. False: others are different, too. */
static inline bool linetext_put(char *copy, const struct line_number *number, int64_t value)
{
	char *to = copy + number->end;
	unsigned digits;

	if (value == number->value)
		return true;
	if ((uint64_t)value - number->low >= number->span)
		return false;
	digits = (unsigned)((uint64_t)value - number->base);
	if (__builtin_expect(number->digits == LINETEXT_DIGITS, 1)) {
		digits_pair(to - 4, digits / 100);
		digits_pair(to - 2, digits % 100);
		return true;
	}
	for (unsigned i = number->digits; i > 0; i--, digits /= 10)
		*--to = (char)('0' + digits % 10);
	return true;
}

#endif
