/* SPDX-License-Identifier: MIT */
/* value_texts.c - see value_texts.h */
#include "value_texts.h"

#include <stdlib.h>

#define PLACES 512u

struct value_texts {
	struct value_text places[PLACES];
};

struct value_texts *value_texts_new(void)
{
	return calloc(1, sizeof(struct value_texts));
}

void value_texts_free(struct value_texts *texts)
{
	free(texts);
}

struct value_text *value_texts_at(struct value_texts *texts, const struct value_place *place)
{
	uint64_t hash = (uint64_t)place->value * 0x9E3779B97F4A7C15u;

	hash ^= (uint64_t)place->stream << 40 ^ (uint64_t)place->func_id << 16 ^ place->arg;
	hash *= 0x9E3779B97F4A7C15u;
	return &texts->places[hash / (UINT64_MAX / PLACES + 1)];
}

bool value_text_is_of(const struct value_text *text, const struct value_place *place)
{
	return text->size > 0 && text->of.value == place->value &&
	       text->of.stream == place->stream && text->of.func_id == place->func_id &&
	       text->of.arg == place->arg;
}
