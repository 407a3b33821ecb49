/* SPDX-License-Identifier: MIT */
/*
 * harmless.h - names from a trace on a terminal. Programs call files and regions what they like, and control characters move the cursor, change colours, or
 * end the line: those of ASCII, and C1 (U+0080 to U+009F), whose U+009B does what ESC [ does.
 */
#ifndef RECORDER_TOOLS_HARMLESS_H
#define RECORDER_TOOLS_HARMLESS_H

#include <stddef.h>

/* Bytes of the control character that stands there, of UTF-8; 0: another one does. `size` is what is left of the text. */
static inline size_t control_size(const char *text, size_t size)
{
	const unsigned char *byte = (const unsigned char *)text;

	if (size == 0)
		return 0;
	if (byte[0] < 0x20 || byte[0] == 0x7f)
		return 1;
	return size > 1 && byte[0] == 0xc2 && byte[1] >= 0x80 && byte[1] < 0xa0 ? 2 : 0;
}

/* Each of their bytes becomes that one. Returns `text`. */
char *make_harmless(char *text, size_t size, char instead);

#endif
