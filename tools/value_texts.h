/* SPDX-License-Identifier: MIT */
/*
 * value_texts.h - what values that have names are as JSON: kept, as a program calls a function with few of them (datatypes, communicators, flags).
 *
 * Only for texts that depend on nothing but the stream, the argument and the value. Each has a place of its own that another one takes when it comes.
 */
#ifndef RECORDER_TOOLS_VALUE_TEXTS_H
#define RECORDER_TOOLS_VALUE_TEXTS_H

#include <stdbool.h>
#include <stdint.h>

#define VALUE_TEXT_MAX 48u
#define VALUE_TEXT_RESULT UINT16_MAX /* in place of an argument */

struct value_place {
	uint32_t stream;
	uint16_t func_id, arg;
	int64_t value;
};

struct value_text {
	struct value_place of;
	unsigned size; /* 0: none */
	char bytes[VALUE_TEXT_MAX];
};

struct value_texts;

/* NULL: out of memory. */
struct value_texts *value_texts_new(void);
void value_texts_free(struct value_texts *texts);

/* Where the text of a value is, or is to be put. */
struct value_text *value_texts_at(struct value_texts *texts, const struct value_place *place);
/* Whether it is this one's. */
bool value_text_is_of(const struct value_text *text, const struct value_place *place);

#endif
