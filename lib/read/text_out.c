/* SPDX-License-Identifier: MIT */
/* text_out.c - see text_out.h */
#include "read/text_out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/digits.h"
#include "read/plain_text.h"

void text_out_char(struct text_out *out, char c)
{
	if (out->length + 1 < out->size)
		out->buffer[out->length] = c;
	out->length++;
}

static void add_bytes(struct text_out *out, const char *bytes, size_t count)
{
	size_t room = out->length + 1 < out->size ? out->size - 1 - out->length : 0;

	if (room > 0)
		memcpy(out->buffer + out->length, bytes, count < room ? count : room);
	out->length += count;
}

void text_out_add(struct text_out *out, const char *text)
{
	add_bytes(out, text, strlen(text));
}

void text_out_unsigned(struct text_out *out, uint64_t value)
{
	char digits[DIGITS_MAX];

	add_bytes(out, digits, digits_put(digits, value));
}

void text_out_decimal(struct text_out *out, int64_t value)
{
	if (value < 0)
		text_out_char(out, '-');
	text_out_unsigned(out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* In a base of so many bits. */
static void add_binary(struct text_out *out, uint64_t value, unsigned bits)
{
	char digits[64], *end = digits + sizeof(digits), *p = end;

	do {
		*--p = "0123456789abcdef"[value & ((1u << bits) - 1)];
		value >>= bits;
	} while (value);
	add_bytes(out, p, (size_t)(end - p));
}

void text_out_hex(struct text_out *out, uint64_t value)
{
	text_out_add(out, "0x");
	add_binary(out, value, 4);
}

void text_out_octal(struct text_out *out, uint64_t value)
{
	text_out_char(out, '0');
	for (uint64_t room = 64; room > 1 && value < room; room /= 8)
		text_out_char(out, '0');
	add_binary(out, value, 3);
}

void text_out_double(struct text_out *out, double value)
{
	char text[40];

	for (int precision = 6; precision <= 17; precision++) {
		snprintf(text, sizeof(text), "%.*g", precision, value);
		if (strtod(text, NULL) == value)
			break;
	}
	text_out_add(out, text);
}

static void put_escaped(struct text_out *out, unsigned char c)
{
	static const char letters[] = "\aa\bb\tt\nn\vv\ff\rr\"\"\\\\";

	for (const char *p = letters; *p; p += 2) {
		if ((unsigned char)*p == c) {
			text_out_char(out, '\\');
			text_out_char(out, p[1]);
			return;
		}
	}
	text_out_char(out, '\\');
	text_out_char(out, (char)('0' + c / 64));
	text_out_char(out, (char)('0' + c / 8 % 8));
	text_out_char(out, (char)('0' + c % 8));
}

void text_out_string(struct text_out *out, const char *bytes, size_t count)
{
	const unsigned char *p = (const unsigned char *)bytes, *end = p + count;

	text_out_char(out, '"');
	while (p < end) {
		const unsigned char *plain = p;

		p = plain_end(p, end);
		add_bytes(out, (const char *)plain, (size_t)(p - plain));
		if (p < end)
			put_escaped(out, *p++);
	}
	text_out_char(out, '"');
}

size_t text_out_end(struct text_out *out)
{
	if (out->size > 0)
		out->buffer[out->length < out->size ? out->length : out->size - 1] = 0;
	return out->length;
}
