/* SPDX-License-Identifier: MIT */
/* pathfilter.c - path prefixes and globs. */
#include "record/pathfilter.h"

#include <stdint.h>
#include <string.h>

#include "record/bulk.h"
#include "record/config.h"
#include "record/note.h"
#include "record/sys.h"
#include "record/text.h"

#define PATTERNS_MAX 128
#define LIST_MAX 16384

#define WORD sizeof(uint64_t)
#define BEGINNING 3u /* bytes: a '/' and those that are looked at first */

/* The first 8 bytes, which tell most paths from a prefix with one look; less of a shorter text, the rest is 0. */
struct beginning {
	uint64_t bytes, mask;
};

struct pattern {
	const char *text;
	size_t length;
	struct beginning begin;
	/* The last 8 bytes of a longer one, which tell those that begin alike: a trace from what lies beside it. */
	uint64_t end;
	bool glob;
};

/* What is to be judged. */
struct path {
	const char *text;
	size_t length;
	uint64_t begin;
};

struct list {
	unsigned count;
	struct pattern patterns[PATTERNS_MAX];
};

static struct list include BULK, exclude BULK;
static struct pattern own[2]; /* directories of the trace and of live files */
static const char default_exclude[] = "/proc:/sys:/dev";
static struct pattern always_kept; /* /dev/shm, unless excluded by name */
/*
 * The bits (beginning_bit()) of all patterns but always_kept, which changes nothing by itself: most paths begin like none of
 * them and are judged by one look.
 */
static uint64_t beginnings;

static uint64_t first_bytes(const char *text, size_t length)
{
	uint64_t bytes = 0;

	if (length >= WORD)
		memcpy(&bytes, text, WORD);
	else
		for (size_t i = 0; i < length; i++)
			bytes |= (uint64_t)(uint8_t)text[i] << 8 * i;
	return bytes;
}

/* Of a path that has BEGINNING bytes at least: by the two behind the '/'. */
static inline uint64_t beginning_bit(const char *path)
{
	return 1ull << ((uint8_t)path[1] * 7 + (uint8_t)path[2]) % 64;
}

static void note_beginning(const struct pattern *pattern)
{
	if (pattern->length == 0) /* no path matches */
		return;
	if (pattern->glob || pattern->length < BEGINNING)
		beginnings = UINT64_MAX;
	else
		beginnings |= beginning_bit(pattern->text);
}

static struct pattern prefix_of(const char *text, size_t length)
{
	struct pattern pattern = {text, length, {.mask = UINT64_MAX}, 0, false};

	pattern.begin.bytes = first_bytes(text, length);
	if (length < WORD)
		pattern.begin.mask = (1ull << 8 * length) - 1;
	else
		pattern.end = first_bytes(text + length - WORD, WORD);
	return pattern;
}

static void list_add(struct list *list, const char *text, size_t length)
{
	struct pattern *pattern = &list->patterns[list->count];

	while (length > 1 && text[length - 1] == '/')
		length--;
	if (length == 0 || list->count == PATTERNS_MAX)
		return;
	*pattern = prefix_of(text, length);
	for (size_t i = 0; i < length; i++)
		pattern->glob |= text[i] == '*' || text[i] == '?' || text[i] == '[';
	note_beginning(pattern);
	list->count++;
}

static void list_parse(struct list *list, const char *text, const char *separators)
{
	while (*text) {
		size_t length = strcspn(text, separators);

		list_add(list, text, length);
		text += length + (text[length] != '\0');
	}
}

/* `buffer` keeps the text of a file for good. */
static void list_load(struct list *list, const char *setting, char *buffer)
{
	if (setting[0] != '@') {
		list_parse(list, setting, ":");
		return;
	}
	if (!sys_read_file(setting + 1, buffer, LIST_MAX) && sys_access(setting + 1, R_OK))
		note("cannot read ", setting + 1, NULL);
	list_parse(list, buffer, "\n");
}

void pathfilter_init(void)
{
	static char include_file[LIST_MAX] BULK, exclude_file[LIST_MAX] BULK;

	if (config.include)
		list_load(&include, config.include, include_file);
	list_load(&exclude, config.exclude ? config.exclude : default_exclude, exclude_file);
	if (!config.exclude)
		always_kept = prefix_of("/dev/shm", strlen("/dev/shm"));
}

void pathfilter_set_own(const char *trace, const char *live)
{
	own[0] = prefix_of(trace, strlen(trace));
	own[1] = prefix_of(live, strlen(live));
	note_beginning(&own[0]);
	note_beginning(&own[1]);
}

/* Of a path that is as long at least, and begins with the same 8 bytes. */
static inline bool goes_on_alike(const char *path, const struct pattern *prefix)
{
	if (prefix->length <= WORD)
		return true;
	return first_bytes(path + prefix->length - WORD, WORD) == prefix->end &&
	       memcmp(path + WORD, prefix->text + WORD, prefix->length - WORD) == 0;
}

/* A prefix ends where a component does. */
static inline bool has_prefix(const struct path *path, const struct pattern *prefix)
{
	if (((path->begin ^ prefix->begin.bytes) & prefix->begin.mask) || prefix->length == 0 ||
	    path->length < prefix->length || !goes_on_alike(path->text, prefix))
		return false;
	return path->length == prefix->length || path->text[prefix->length] == '/' ||
	       prefix->text[prefix->length - 1] == '/';
}

static bool list_matches(const struct list *list, const struct path *path)
{
	for (unsigned i = 0; i < list->count; i++) {
		const struct pattern *pattern = &list->patterns[i];

		if (pattern->glob ? text_matches(pattern->text, pattern->length, path->text)
				  : has_prefix(path, pattern))
			return true;
	}
	return false;
}

bool pathfilter_is_default(void)
{
	return !config.include && !config.exclude;
}

bool pathfilter_excludes(const char *text, size_t length)
{
	struct path path;

	if (text[0] != '/')
		return false;
	if (length >= BEGINNING && !(beginning_bit(text) & beginnings))
		return include.count != 0;
	path = (struct path){text, length, first_bytes(text, length)};
	if (has_prefix(&path, &own[0]) || has_prefix(&path, &own[1]))
		return true;
	if (include.count && !list_matches(&include, &path))
		return true;
	if (has_prefix(&path, &always_kept))
		return false;
	return list_matches(&exclude, &path);
}
