/* SPDX-License-Identifier: MIT */
/* pathfilter.c - path prefixes and globs. */
#include "record/pathfilter.h"

#include <string.h>

#include "record/config.h"
#include "record/live.h"
#include "record/note.h"
#include "record/sys.h"
#include "record/text.h"
#include "record/tracedir.h"

#define PATTERNS_MAX 128
#define LIST_MAX 16384

struct pattern {
	const char *text;
	size_t length;
	bool glob;
};

struct list {
	struct pattern patterns[PATTERNS_MAX];
	unsigned count;
};

static struct list include, exclude;
static const char default_exclude[] = "/proc:/sys:/dev";
static const char always_kept[] = "/dev/shm"; /* unless excluded by name */

static void list_add(struct list *list, const char *text, size_t length)
{
	struct pattern *pattern = &list->patterns[list->count];

	while (length > 1 && text[length - 1] == '/')
		length--;
	if (length == 0 || list->count == PATTERNS_MAX)
		return;
	pattern->text = text;
	pattern->length = length;
	pattern->glob = false;
	for (size_t i = 0; i < length; i++)
		pattern->glob |= text[i] == '*' || text[i] == '?' || text[i] == '[';
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
	static char include_file[LIST_MAX], exclude_file[LIST_MAX];

	if (config.include)
		list_load(&include, config.include, include_file);
	list_load(&exclude, config.exclude ? config.exclude : default_exclude, exclude_file);
}

/* A prefix has `length` bytes, or ends with a zero before. Most are told apart by their second byte, so this is no call of strncmp(). */
static bool has_prefix(const char *path, const char *prefix, size_t length)
{
	size_t same = 0;

	while (same < length && prefix[same] && path[same] == prefix[same])
		same++;
	return same > 0 && (same == length || !prefix[same]) &&
	       (path[same] == '\0' || path[same] == '/' || prefix[same - 1] == '/');
}

static bool is_in(const char *path, const char *directory)
{
	return has_prefix(path, directory, SIZE_MAX);
}

static bool list_matches(const struct list *list, const char *path)
{
	for (unsigned i = 0; i < list->count; i++) {
		const struct pattern *pattern = &list->patterns[i];

		if (pattern->glob ? text_matches(pattern->text, pattern->length, path)
				  : has_prefix(path, pattern->text, pattern->length))
			return true;
	}
	return false;
}

bool pathfilter_is_default(void)
{
	return !config.include && !config.exclude;
}

bool pathfilter_excludes(const char *path)
{
	if (path[0] != '/')
		return false;
	if (is_in(path, tracedir_path) || is_in(path, live_directory()))
		return true;
	if (include.count && !list_matches(&include, path))
		return true;
	if (!config.exclude && is_in(path, always_kept))
		return false;
	return list_matches(&exclude, path);
}
