/* SPDX-License-Identifier: MIT */
/* untraced_list.c - see untraced_list.h */
#include "untraced_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harmless.h"
#include "message.h"
#include "metavalue.h"

#define SHOWN 8u
#define LIST_MAX 1024u

static char *copy(const char *text, size_t length)
{
	char *result = strndup(text, length);

	if (!result)
		die("out of memory");
	return result;
}

static void add(struct untraced *untraced, const char *program, const char *reason, size_t length)
{
	struct untraced_program *larger;

	for (size_t i = 0; i < untraced->count; i++)
		if (!strcmp(untraced->list[i].program, program) &&
		    strlen(untraced->list[i].reason) == length &&
		    !memcmp(untraced->list[i].reason, reason, length))
			return;
	if (untraced->count == LIST_MAX)
		return;
	larger = realloc(untraced->list, (untraced->count + 1) * sizeof(*larger));
	if (!larger)
		die("out of memory");
	untraced->list = larger;
	larger[untraced->count].program = copy(program, strlen(program));
	larger[untraced->count++].reason = copy(reason, length);
}

void untraced_add(struct untraced *untraced, const char *program, const char *reason)
{
	add(untraced, program, reason, strlen(reason));
}

static void collect_stream(struct untraced *untraced, const struct reader *trace, unsigned stream)
{
	char key[32];

	for (unsigned i = 0;; i++) {
		const char *text, *blank;

		snprintf(key, sizeof(key), "untraced.%u", i);
		text = meta_text(trace, stream, key);
		if (!*text)
			return;
		blank = strchr(text, ' ');
		if (blank)
			add(untraced, blank + 1, text, (size_t)(blank - text));
	}
}

void untraced_collect(struct untraced *untraced, const struct reader *trace)
{
	struct reader_info info = {.sz = sizeof(info)};

	if (reader_info(trace, &info))
		return;
	for (unsigned i = 0; i < info.streams; i++)
		collect_stream(untraced, trace, i);
}

char *untraced_text(const struct untraced *untraced)
{
	char *text = NULL;
	size_t size;
	FILE *stream;

	if (untraced->count == 0)
		return NULL;
	stream = open_memstream(&text, &size);
	if (!stream)
		die("out of memory");
	for (size_t i = 0; i < untraced->count && i < SHOWN; i++) {
		fputs(i ? ", " : "", stream);
		fprintf(stream, "%s (%s)", untraced->list[i].program, untraced->list[i].reason);
	}
	if (untraced->count > SHOWN)
		fprintf(stream, " and %zu more", untraced->count - SHOWN);
	if (fclose(stream))
		die("out of memory");
	/* a name in a trace may hold anything */
	return make_harmless(text, size, '?');
}

void untraced_release(struct untraced *untraced)
{
	for (size_t i = 0; i < untraced->count; i++) {
		free(untraced->list[i].program);
		free(untraced->list[i].reason);
	}
	free(untraced->list);
	memset(untraced, 0, sizeof(*untraced));
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(untraced_programs_are_named_once)
{
	struct untraced untraced = {0};
	char name[16], *text;

	EXPECT(!untraced_text(&untraced));
	untraced_add(&untraced, "/bin/a", "static");
	untraced_add(&untraced, "/bin/a", "static");
	untraced_add(&untraced, "/bin/b\n", "musl");
	text = untraced_text(&untraced);
	EXPECT_STR(text, "/bin/a (static), /bin/b? (musl)");
	free(text);
	for (unsigned i = 0; i < 10; i++) {
		snprintf(name, sizeof(name), "%u", i);
		untraced_add(&untraced, name, "static");
	}
	text = untraced_text(&untraced);
	EXPECT(strstr(text, "5 (static) and 4 more"));
	free(text);
	untraced_release(&untraced);
}
#endif
