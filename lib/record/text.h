/* SPDX-License-Identifier: MIT */
/*
 * text.h - small bounded strings for code that may not call stdio: building paths and notes, reading numbers.
 */
#ifndef RECORDER_RECORD_TEXT_H
#define RECORDER_RECORD_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A string that grows in a fixed buffer; always terminated; `cut` once something did not fit. */
struct textbuf {
	char *buffer;
	size_t size; /* of the buffer, at least 1 */
	size_t length;
	bool cut;
};

static inline struct textbuf text_in(char *buffer, size_t size)
{
	buffer[0] = '\0';
	return (struct textbuf){buffer, size, 0, false};
}

static inline void text_add_bytes(struct textbuf *text, const char *bytes, size_t length)
{
	size_t room = text->size - text->length - 1;

	if (length > room) {
		length = room;
		text->cut = true;
	}
	memcpy(text->buffer + text->length, bytes, length);
	text->length += length;
	text->buffer[text->length] = '\0';
}

static inline void text_add(struct textbuf *text, const char *string)
{
	text_add_bytes(text, string, strlen(string));
}

void text_add_u64(struct textbuf *text, uint64_t value);
void text_add_hex(struct textbuf *text, uint64_t value, unsigned digits);
/* Adds `string` with every byte outside A-Z a-z 0-9 . _ - replaced by '_'. */
void text_add_name(struct textbuf *text, const char *string);

/* Reads a decimal number; moves *cursor behind it. False: there is none, or it overflows. */
bool text_read_u64(const char **cursor, uint64_t *value);
/* Whether `string` matches the shell pattern (*, ?, [set]). */
bool text_matches(const char *pattern, size_t pattern_length, const char *string);
/* Eight bytes at a time, with a final mix: good enough for identities and tables. */
uint64_t text_hash(const void *bytes, size_t size, uint64_t seed);

#endif
