/* SPDX-License-Identifier: MIT */
/* filtered.c - see filtered.h */
#include "analysis/filtered.h"

#include <stdbool.h>
#include <string.h>

static const struct {
	const char *name;
	unsigned leaves_out;
} conditions[] = {
	{"--tids", FILTERED_CALLS},      {"--levels", FILTERED_CALLS},
	{"--functions", FILTERED_CALLS}, {"--min-duration", FILTERED_CALLS},
	{"--callers", FILTERED_CALLS},   {"--layers", FILTERED_LAYERS},
	{"--files", FILTERED_FILES},
};

/* The length of a word as a shell sees it, which may be quoted in parts. */
static size_t word_length(const char *text)
{
	size_t length = 0;
	bool quoted = false;

	for (; text[length] && (quoted || text[length] != ' '); length++) {
		if (text[length] == '\'')
			quoted = !quoted;
		else if (text[length] == '\\' && !quoted && text[length + 1])
			length++;
	}
	return length;
}

/* Of "--time FROM..TO", with or without either. */
static unsigned time_leaves_out(const char *value)
{
	return *value && strncmp(value, "..", 2) != 0 ? FILTERED_BEGIN : 0;
}

static unsigned option_leaves_out(const char *option, size_t length, const char *value)
{
	if (length == strlen("--time") && !memcmp(option, "--time", length))
		return time_leaves_out(value);
	for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++)
		if (length == strlen(conditions[i].name) &&
		    !memcmp(option, conditions[i].name, length))
			return conditions[i].leaves_out;
	return 0;
}

/* Of "--ranks 0 --layers 'mpi,posix' | --time 1s..": options of which each has a value, which may look like one. */
static unsigned text_leaves_out(const char *text)
{
	unsigned left_out = 0;

	while (*text) {
		size_t length = word_length(text);
		const char *next = text + length + strspn(text + length, " ");

		if (!strncmp(text, "--", 2)) {
			left_out |= option_leaves_out(text, length, next);
			next += word_length(next);
		}
		text = next + strspn(next, " ");
	}
	return left_out;
}

unsigned filtered_by(const struct reader *trace, const struct reader_filter *filter)
{
	struct reader_value before;
	unsigned left_out = 0;

	if (filter->tids || filter->levels || filter->functions || filter->accept ||
	    filter->min_duration > 0)
		left_out |= FILTERED_CALLS;
	if (filter->layers)
		left_out |= FILTERED_LAYERS;
	if (filter->files)
		left_out |= FILTERED_FILES;
	if (filter->after > 0)
		left_out |= FILTERED_BEGIN;
	if (reader_meta(trace, READER_GLOBAL, "filter.conditions", &before) == 0 &&
	    before.type == READER_BYTES)
		left_out |= text_leaves_out(before.bytes);
	return left_out;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(filtered_by_words_of_options)
{
	EXPECT_EQ(text_leaves_out(""), 0);
	EXPECT_EQ(text_leaves_out("--ranks 0-3 --worlds 1"), 0);
	EXPECT_EQ(text_leaves_out("--functions open,write"), FILTERED_CALLS);
	EXPECT_EQ(text_leaves_out("--layers posix | --time 5ns.."),
		  FILTERED_LAYERS | FILTERED_BEGIN);
	EXPECT_EQ(text_leaves_out("--time ..5ns"), 0);
	EXPECT_EQ(text_leaves_out("--ranks 0 --files '/a b/ --layers x'"), FILTERED_FILES);
	EXPECT_EQ(text_leaves_out("--streams --layers --callers 'it'\\''s'"), FILTERED_CALLS);
	EXPECT_EQ(text_leaves_out("--files"), FILTERED_FILES);
}
#endif
