/* SPDX-License-Identifier: MIT */
/*
 * text_out.h - text that is cut to a buffer, but measured in full, as by snprintf().
 */
#ifndef RECORDER_READ_TEXT_OUT_H
#define RECORDER_READ_TEXT_OUT_H

#include <stddef.h>
#include <stdint.h>

struct text_out {
	char *buffer;
	size_t size, length;
};

void text_out_char(struct text_out *out, char c);
void text_out_add(struct text_out *out, const char *text);
void text_out_unsigned(struct text_out *out, uint64_t value);
void text_out_decimal(struct text_out *out, int64_t value);
void text_out_hex(struct text_out *out, uint64_t value);
/* At least three digits behind the zero, as modes are written. */
void text_out_octal(struct text_out *out, uint64_t value);
/* The shortest of the usual precisions that reads back as the same number. */
void text_out_double(struct text_out *out, double value);
/* In quotes, escaped as in C. */
void text_out_string(struct text_out *out, const char *bytes, size_t count);
/* Puts the zero byte; returns the length that the text would have with room enough. */
size_t text_out_end(struct text_out *out);

#endif
