/* SPDX-License-Identifier: MIT */
/* linetext.c - see linetext.h */
#include "linetext.h"

#define EXACT_MAX 9007199254740992

void linetext_begin(struct line_text *text)
{
	text->size = text->count = 0;
}

void linetext_add(struct line_text *text, const char *bytes, size_t size)
{
	memcpy(text->bytes + text->size, bytes, size);
	text->size += (unsigned)size;
}

void linetext_add_number(struct line_text *text)
{
	text->numbers[text->count++] = (struct line_number){.value = INT64_MIN,
							    .begin = (uint16_t)text->size,
							    .end = (uint16_t)text->size};
}

/* Which numbers can be written over it: one that is not `plain` is not of digits alone. */
static void set_range(struct line_number *number, bool plain)
{
	uint64_t value = (uint64_t)number->value;
	unsigned size = number->end - number->begin;

	number->digits = (uint16_t)(size < LINETEXT_DIGITS ? size : LINETEXT_DIGITS);
	number->base = value / 10000 * 10000;
	number->low = number->base;
	number->span = 10000;
	if (value < 10000) {
		static const uint16_t least[] = {0, 0, 10, 100, 1000, 10000};

		number->low = least[number->digits];
		number->span = least[number->digits + 1] - number->low;
	}
	if (!plain)
		number->span = 0;
}

void linetext_note_number(struct line_text *text, unsigned begin, unsigned end, int64_t value)
{
	struct line_number *number = &text->numbers[text->count++];

	*number = (struct line_number){.value = value,
				       .begin = (uint16_t)begin,
				       .end = (uint16_t)end};
	set_range(number, value >= 0 && value <= EXACT_MAX);
}

/* Writes another number into a text. */
static void change(struct line_text *text, unsigned which, int64_t value)
{
	struct line_number *number = &text->numbers[which];
	char digits[LINETEXT_NUMBER_MAX];
	unsigned size = digits_put(digits, (uint64_t)value);
	unsigned before = number->end - number->begin;

	number->value = value;
	if (size != before) {
		memmove(text->bytes + number->begin + size, text->bytes + number->end,
			text->size - number->end);
		for (unsigned i = which; i < text->count; i++) {
			text->numbers[i].end = (uint16_t)(text->numbers[i].end + size - before);
			if (i > which)
				text->numbers[i].begin =
					(uint16_t)(text->numbers[i].begin + size - before);
		}
		text->size += size - before;
	}
	memcpy(text->bytes + number->begin, digits, size);
	set_range(number, true);
}

bool linetext_come_near(struct line_text *text, unsigned which, int64_t value)
{
	const struct line_number *number = &text->numbers[which];

	if (value == number->value || (uint64_t)value - number->low < number->span)
		return true;
	if (value < 0 || value > EXACT_MAX)
		return false;
	change(text, which, value);
	return true;
}

#ifdef UNIT_TEST
#include <stdio.h>

#include "unittest.h"

/* "a=A,b=B;" */
static void make(struct line_text *text, int64_t b)
{
	char bytes[40];
	int size = snprintf(bytes, sizeof(bytes), ",b=%lld;", (long long)b);

	linetext_begin(text);
	linetext_add(text, "a=", 2);
	linetext_add_number(text);
	linetext_add(text, bytes, (size_t)size);
	linetext_note_number(text, 5, 2 + (unsigned)size - 1, b);
}

/* What comes of it. */
static const char *put(struct line_text *text, int64_t a, int64_t b)
{
	static char copy[LINETEXT_MAX + LINETEXT_BLOCK];

	for (unsigned turn = 0; turn < 2; turn++) {
		linetext_copy(copy, text);
		copy[text->size] = '\0';
		if (linetext_put(copy, &text->numbers[0], a) &&
		    linetext_put(copy, &text->numbers[1], b))
			return copy;
		if (!linetext_come_near(text, 0, a) || !linetext_come_near(text, 1, b))
			return "none";
	}
	return "not near";
}

TEST_CASE(line_texts_take_any_number)
{
	static const int64_t values[] = {0,    9,     10,        99, 100,       7,
					 9999, 10000, 123456789, 5,  EXACT_MAX, 1};
	unsigned count = sizeof(values) / sizeof(values[0]);
	static struct line_text text;
	char expected[64];

	make(&text, 42);
	for (unsigned i = 0; i < count * count; i++) {
		int64_t a = values[i % count], b = values[i / count];

		snprintf(expected, sizeof(expected), "a=%lld,b=%lld;", (long long)a, (long long)b);
		EXPECT_STR(put(&text, a, b), expected);
	}
	EXPECT_STR(put(&text, -1, 5), "none");
	EXPECT_STR(put(&text, 1, EXACT_MAX + 1), "none");
}

TEST_CASE(line_texts_keep_what_is_no_plain_number)
{
	static struct line_text text;

	make(&text, -7);
	EXPECT_STR(put(&text, 3, -7), "a=3,b=-7;");
	EXPECT_STR(put(&text, 3, -8), "none");
	EXPECT_STR(put(&text, 12345, 8), "a=12345,b=8;");
}
#endif
