/* SPDX-License-Identifier: MIT */
/* conditions.c - see conditions.h */
#include "conditions.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "buffer.h"
#include "options.h"

#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%"

/* As one word of a shell. */
static void add_word(struct buffer *text, const char *word)
{
	if (word[strspn(word, PLAIN)] == '\0') {
		buffer_add_text(text, word);
		return;
	}
	buffer_add_text(text, "'");
	for (; *word; word++) {
		if (*word == '\'')
			buffer_add_text(text, "'\\''");
		else
			buffer_add(text, word, 1);
	}
	buffer_add_text(text, "'");
}

static void add(struct buffer *text, const char *name, const char *value)
{
	if (!value)
		return;
	buffer_add_text(text, text->size > 0 ? " --" : "--");
	buffer_add_text(text, name);
	buffer_add_text(text, " ");
	add_word(text, value);
}

static void add_time(struct buffer *text)
{
	const struct reader_filter *filter = &options.filter;
	char from[32] = "", to[32] = "", both[72];

	if (!filter->after && !filter->before)
		return;
	if (filter->after)
		snprintf(from, sizeof(from), "%" PRId64 "ns", filter->after);
	if (filter->before)
		snprintf(to, sizeof(to), "%" PRId64 "ns", filter->before);
	snprintf(both, sizeof(both), "%s..%s", from, to);
	add(text, "time", both);
}

char *conditions_text(void)
{
	const struct reader_filter *filter = &options.filter;
	struct buffer text = {0};
	char duration[32];

	add(&text, "ranks", filter->ranks);
	add(&text, "worlds", filter->worlds);
	add(&text, "tids", filter->tids);
	add(&text, "streams", filter->streams);
	add(&text, "levels", filter->levels);
	add_time(&text);
	add(&text, "layers", filter->layers);
	add(&text, "functions", filter->functions);
	add(&text, "files", filter->files);
	if (filter->min_duration) {
		snprintf(duration, sizeof(duration), "%" PRId64 "ns", filter->min_duration);
		add(&text, "min-duration", duration);
	}
	add(&text, "callers", options.callers);
	buffer_add(&text, "", 1);
	return (char *)text.bytes;
}
