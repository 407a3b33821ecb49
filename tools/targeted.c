/* SPDX-License-Identifier: MIT */
/* targeted.c - see targeted.h */
#include "targeted.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "metavalue.h"

#define NEAR_MAX 3
#define NEAR_NAME_MAX 128

struct near {
	char names[NEAR_MAX][NEAR_NAME_MAX];
	unsigned count;
};

static unsigned stream_count(const struct reader *trace)
{
	struct reader_info info = {.sz = sizeof(info)};

	return trace && !reader_info(trace, &info) ? info.streams : 0;
}

/* Each process has the same list, but one that was started with another environment. */
static bool is_matched(const struct reader *trace, unsigned number, const char *target)
{
	char key[32];

	snprintf(key, sizeof(key), "target.%u", number);
	for (unsigned i = 0; i < stream_count(trace); i++)
		if (!strcmp(meta_text(trace, i, key), target))
			return true;
	return false;
}

static void add_near(struct near *near, const char *name, size_t length)
{
	if (near->count == NEAR_MAX || length == 0 || length >= NEAR_NAME_MAX)
		return;
	for (unsigned i = 0; i < near->count; i++)
		if (strlen(near->names[i]) == length && !memcmp(near->names[i], name, length))
			return;
	memcpy(near->names[near->count], name, length);
	near->names[near->count++][length] = '\0';
}

static void collect_near(const struct reader *trace, unsigned number, struct near *near)
{
	char key[32];

	snprintf(key, sizeof(key), "target.%u.near", number);
	for (unsigned i = 0; i < stream_count(trace); i++) {
		const char *names = meta_text(trace, i, key);

		for (; *names; names += strcspn(names, "\n"), names += *names == '\n')
			add_near(near, names, strcspn(names, "\n"));
	}
}

static void warn(const char *target, const struct near *near)
{
	char like[NEAR_MAX * (NEAR_NAME_MAX + 8)] = "";
	size_t used = 0;

	for (unsigned i = 0; i < near->count; i++)
		used += (size_t)snprintf(like + used, sizeof(like) - used, "%s%s",
					 i == 0 ? "; is it " : " or ", near->names[i]);
	message_warn("no function is '%s'%s%s", target, like, near->count ? "?" : "");
}

/* As the runtime numbers them: parts between ';' that are not blank. */
unsigned targeted_missing(const char *targets, const struct reader *trace)
{
	char *copy = targets ? strdup(targets) : NULL, *rest = NULL;
	unsigned number = 0, missing = 0;

	for (char *target = copy ? strtok_r(copy, ";", &rest) : NULL; target;
	     target = strtok_r(NULL, ";", &rest)) {
		struct near near = {.count = 0};
		size_t length;

		target += strspn(target, " ");
		for (length = strlen(target); length > 0 && target[length - 1] == ' '; length--)
			target[length - 1] = '\0';
		if (!*target)
			continue;
		if (!is_matched(trace, number, target)) {
			collect_near(trace, number, &near);
			warn(target, &near);
			missing++;
		}
		number++;
	}
	free(copy);
	return missing;
}
