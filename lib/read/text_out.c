/* SPDX-License-Identifier: MIT */
/* text_out.c - see text_out.h */
#include "read/text_out.h"

#include <stdio.h>
#include <stdlib.h>

void text_out_char(struct text_out *out, char c)
{
	if (out->length + 1 < out->size)
		out->buffer[out->length] = c;
	out->length++;
}

void text_out_add(struct text_out *out, const char *text)
{
	while (*text)
		text_out_char(out, *text++);
}

void text_out_unsigned(struct text_out *out, uint64_t value, unsigned base)
{
	char digits[65], *p = digits + sizeof(digits);

	*--p = 0;
	do {
		*--p = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	text_out_add(out, p);
}

void text_out_decimal(struct text_out *out, int64_t value)
{
	if (value < 0)
		text_out_char(out, '-');
	text_out_unsigned(out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, 10);
}

void text_out_hex(struct text_out *out, uint64_t value)
{
	text_out_add(out, "0x");
	text_out_unsigned(out, value, 16);
}

void text_out_octal(struct text_out *out, uint64_t value)
{
	text_out_char(out, '0');
	for (uint64_t room = 64; room > 1 && value < room; room /= 8)
		text_out_char(out, '0');
	text_out_unsigned(out, value, 8);
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
	if (c >= 0x20 && c < 0x7f) {
		text_out_char(out, (char)c);
		return;
	}
	text_out_char(out, '\\');
	text_out_char(out, (char)('0' + c / 64));
	text_out_char(out, (char)('0' + c / 8 % 8));
	text_out_char(out, (char)('0' + c % 8));
}

void text_out_string(struct text_out *out, const char *bytes, size_t count)
{
	text_out_char(out, '"');
	for (size_t i = 0; i < count; i++)
		put_escaped(out, (unsigned char)bytes[i]);
	text_out_char(out, '"');
}

size_t text_out_end(struct text_out *out)
{
	if (out->size > 0)
		out->buffer[out->length < out->size ? out->length : out->size - 1] = 0;
	return out->length;
}
