/* SPDX-License-Identifier: MIT */
/* dftracerconf.c - see dftracerconf.h */
#include "dftracerconf.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "message.h"

#define DEPTH 4
#define PATH_SIZE 256

enum meaning {
	AS_WRITTEN,
	AS_FLAG, /* 1 or 0 */
	NEGATED, /* 1 where it is false, else nothing */
};

static const struct {
	const char *path, *variable;
	enum meaning meaning;
} known[] = {
	{"enable", "DFTRACER_ENABLE", AS_FLAG},
	{"profiler.log_file", "DFTRACER_LOG_FILE", AS_WRITTEN},
	{"profiler.data_dirs", "DFTRACER_DATA_DIR", AS_WRITTEN},
	{"profiler.compression", "DFTRACER_TRACE_COMPRESSION", AS_FLAG},
	{"features.metadata", "DFTRACER_INC_METADATA", AS_FLAG},
	{"features.io.enable", "DFTRACER_DISABLE_IO", NEGATED},
	{"features.io.posix", "DFTRACER_DISABLE_POSIX", NEGATED},
	{"features.io.stdio", "DFTRACER_DISABLE_STDIO", NEGATED},
};

/* The mappings that a line is in, by how far they are indented. */
struct nesting {
	struct {
		size_t indent, size; /* of `path` up to here */
	} levels[DEPTH];
	unsigned depth;
	char path[PATH_SIZE];
};

static bool is_false(const char *value)
{
	static const char *const words[] = {"false", "no", "off", "0"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcasecmp(value, words[i]))
			return true;
	return false;
}

static void take(const char *path, const char *value)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(known[i].path, path) != 0)
			continue;
		if (known[i].meaning == AS_WRITTEN)
			setenv(known[i].variable, value, 0);
		else if (known[i].meaning == AS_FLAG)
			setenv(known[i].variable, is_false(value) ? "0" : "1", 0);
		else if (is_false(value))
			setenv(known[i].variable, "1", 0);
	}
}

/* Cuts a comment, which begins behind a blank, and blanks at the end. */
static void trim(char *line)
{
	char *end = line;

	for (char quote = 0; *end; end++) {
		if (!quote && *end == '#' && (end == line || end[-1] == ' '))
			break;
		if (*end == quote)
			quote = 0;
		else if (!quote && (*end == '"' || *end == '\''))
			quote = *end;
	}
	while (end > line && strchr(" \t\r\n", end[-1]))
		end--;
	*end = '\0';
}

static char *unquoted(char *value)
{
	size_t size = strlen(value);

	if (size < 2 || (*value != '"' && *value != '\'') || value[size - 1] != *value)
		return value;
	value[size - 1] = '\0';
	return value + 1;
}

/* "  key: value" or "  key:" behind what it is in. */
static void take_line(struct nesting *nesting, char *line)
{
	size_t indent = strspn(line, " "), start = 0;
	char *key = line + indent, *colon = strchr(key, ':'), *value;

	if (!colon || (colon[1] && colon[1] != ' '))
		return;
	*colon = '\0';
	value = colon + 1 + strspn(colon + 1, " ");
	while (nesting->depth > 0 && nesting->levels[nesting->depth - 1].indent >= indent)
		nesting->depth--;
	if (nesting->depth > 0)
		start = nesting->levels[nesting->depth - 1].size;
	snprintf(nesting->path + start, PATH_SIZE - start, "%s%s", start ? "." : "", key);
	if (*value) {
		take(nesting->path, unquoted(value));
	} else if (nesting->depth < DEPTH) {
		nesting->levels[nesting->depth].indent = indent;
		nesting->levels[nesting->depth++].size = strlen(nesting->path);
	}
}

void dftracerconf_apply(void)
{
	const char *path = getenv("DFTRACER_CONFIGURATION");
	struct nesting nesting = {.depth = 0};
	char *line = NULL;
	size_t size = 0;
	FILE *file;

	if (!path || !*path)
		return;
	file = fopen(path, "re");
	if (!file) {
		message_warn("cannot read DFTRACER_CONFIGURATION=%s: %s", path, strerror(errno));
		return;
	}
	while (getline(&line, &size, file) >= 0) {
		trim(line);
		take_line(&nesting, line);
	}
	free(line);
	fclose(file);
}
