/* SPDX-License-Identifier: MIT */
/* environment.c - see environment.h */
#include "environment.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffer.h"
#include "format/job.h"
#include "layers.h"
#include "message.h"
#include "settings.h"

#define NAME "/librecorder.so"
#define MEM_NAME "/librecorder-mem.so"

/* Functions by name ------------------------------------------------------------- */

#define NAMES_MAX 32768u

/* A list with ';' between. */
struct names {
	const char *variable;
	char list[NAMES_MAX];
};

static struct names targets = {"RECORDER_TARGETS", ""}, arguments = {"RECORDER_ARGUMENTS", ""},
		    results = {"RECORDER_RESULTS", ""};
static bool usage, dry_run, via_uprobe;

static int add_name(struct names *names, const char *value)
{
	size_t used = strlen(names->list);

	if (!*value || used + strlen(value) + 2 > sizeof(names->list))
		return -EINVAL;
	snprintf(names->list + used, sizeof(names->list) - used, "%s%s", used ? ";" : "", value);
	return 0;
}

int environment_add_target(const char *value)
{
	return add_name(&targets, value);
}

/* "FUNCTION@LIST", "FUNCTION" */
static int add_request(struct names *names, const char *value)
{
	const char *at = strchr(value, '@');

	return !at || (at > value && at[1]) ? add_name(names, value) : -EINVAL;
}

static int add_arguments(const char *value)
{
	return add_request(&arguments, value);
}

static int add_results(const char *value)
{
	return add_request(&results, value);
}

static int choose_way(const char *value)
{
	via_uprobe = !strcmp(value, "uprobe");
	return via_uprobe || !strcmp(value, "preload") ? 0 : -EINVAL;
}

const struct option_row option_rows_targets[] = {
	ENVIRONMENT_OPTION_TARGET(
		"trace this function: f, C.m, C::m, lib.so:f, mod:C.m, file.py:12, globs; may be "
		"given again"),
	{OPTION_CALL, 0, "via", "WAY",
	 "who traces it: preload (default), in the process; uprobe, the kernel, also in static "
	 "programs (root)",
	 NULL, choose_way},
	{OPTION_CALL, 'A', "arguments", "F[@LIST]",
	 "with arguments: solve (all), solve@n,name, solve@arg1/i", NULL, add_arguments},
	{OPTION_CALL, 'R', "results", "F[@ret]", "with its result: solve, solve@ret/d", NULL,
	 add_results},
	{OPTION_FLAG, 0, "dry-run", NULL,
	 "say how each function of the program would be traced, and run nothing", &dry_run, NULL},
	{OPTION_FLAG, 0, "usage", NULL, "with CPU time and memory of each call", &usage, NULL},
	OPTION_ROWS_END,
};

const char *environment_targets(void)
{
	const char *inherited = getenv(targets.variable);

	return *targets.list ? targets.list : inherited && *inherited ? inherited : NULL;
}

bool environment_via_uprobe(void)
{
	return via_uprobe;
}

bool environment_dry_run(void)
{
	return dry_run;
}

/* Variables --------------------------------------------------------------------- */

void environment_add(struct environment *environment, const char *name, const char *value)
{
	char *copy = strdup(value);

	if (!copy)
		die("out of memory");
	for (unsigned i = 0; i < environment->count; i++)
		if (!strcmp(environment->variables[i].name, name)) {
			free(environment->variables[i].value);
			environment->variables[i].value = copy;
			return;
		}
	if (environment->count == ENVIRONMENT_MAX)
		die("too many variables");
	environment->variables[environment->count].name = name;
	environment->variables[environment->count++].value = copy;
}

const char *environment_value(const struct environment *environment, const char *name)
{
	const char *inherited = getenv(name);

	for (unsigned i = 0; i < environment->count; i++)
		if (!strcmp(environment->variables[i].name, name))
			return environment->variables[i].value;
	return inherited && *inherited ? inherited : NULL;
}

static bool is_same(const char *part, size_t length, const char *text)
{
	return length == strlen(text) && !memcmp(part, text, length);
}

static bool is_named(const char *part, size_t length, const char *name)
{
	size_t size = strlen(name);

	return length >= size && !memcmp(part + length - size, name, size);
}

static bool is_recorder(const char *part, size_t length)
{
	return is_named(part, length, NAME) || is_named(part, length, MEM_NAME);
}

static void add_part(struct buffer *list, const char *part, size_t length)
{
	if (list->size)
		buffer_add(list, ":", 1);
	buffer_add(list, part, length);
}

/*
 * The library stays where it is preloaded already; otherwise it comes first, behind ASan's, which bears none before it. A librecorder.so that is
 * another one goes: two would record each call twice. The library of layer mem comes before all allocators but ASan's; it is beside the other one.
 */
static void add_preload(struct environment *environment, const char *library, const char *asan,
			bool mem)
{
	const char *before = getenv("LD_PRELOAD"), *part;
	struct buffer list = {0}, others = {0};
	bool stays = false;
	size_t length;

	for (part = before ? before : ""; *part; part += length, part += strspn(part, ": ")) {
		length = strcspn(part, ": ");
		if (is_same(part, length, library) && !*asan)
			stays = true;
		else if (length == 0 || is_recorder(part, length))
			continue;
		add_part(&others, part, length);
	}
	if (*asan)
		add_part(&list, asan, strlen(asan));
	if (mem) {
		add_part(&list, library, strlen(library) - strlen(NAME));
		buffer_add(&list, MEM_NAME, strlen(MEM_NAME));
	}
	if (!stays)
		add_part(&list, library, strlen(library));
	if (others.size)
		add_part(&list, (const char *)others.bytes, others.size);
	buffer_add(&list, "", 1);
	environment_add(environment, "LD_PRELOAD", (const char *)list.bytes);
	buffer_release(&others);
	buffer_release(&list);
}

static void add_names(struct environment *environment, const struct names *names)
{
	if (*names->list)
		environment_add(environment, names->variable, names->list);
}

static void add_setting(void *environment, const char *name, const char *value)
{
	environment_add(environment, name, value);
}

/* An option that was said not to hold is so whatever the environment says. */
static void add_switch(struct environment *environment, const char *name, const bool *value)
{
	if (*value || options_said(value))
		environment_add(environment, name, *value ? "1" : "0");
}

void environment_init(struct environment *environment, const char *library, const char *asan)
{
	memset(environment, 0, sizeof(*environment));
	add_preload(environment, library, asan, false); /* it is the first to be printed */
	settings_each(add_setting, environment);
	if (layers_choose_opt_in(environment_value(environment, "RECORDER_LAYERS"), "mem"))
		add_preload(environment, library, asan, true);
	if (!via_uprobe)
		add_names(environment, &targets);
	else
		environment_add(environment, targets.variable, "");
	add_names(environment, &arguments);
	add_names(environment, &results);
	add_switch(environment, "RECORDER_USAGE", &usage);
	add_switch(environment, "RECORDER_DRY_RUN", &dry_run);
	add_switch(environment, "RECORDER_QUIET", &options.quiet);
	add_switch(environment, "RECORDER_VERBOSE", &options.verbose);
}

void environment_release(struct environment *environment)
{
	for (unsigned i = 0; i < environment->count; i++)
		free(environment->variables[i].value);
	environment->count = 0;
}

void environment_apply(const struct environment *environment)
{
	for (unsigned i = 0; i < environment->count; i++)
		if (setenv(environment->variables[i].name, environment->variables[i].value, 1))
			die("cannot set %s: %s", environment->variables[i].name, strerror(errno));
}

void environment_print_quoted(const char *value)
{
	putchar('\'');
	for (; *value; value++)
		if (*value == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*value);
	putchar('\'');
}

void environment_print(const struct environment *environment)
{
	for (unsigned i = 0; i < environment->count; i++) {
		printf("export %s=", environment->variables[i].name);
		environment_print_quoted(environment->variables[i].value);
		putchar('\n');
	}
}

/* Places -------------------------------------------------------------------------- */

char *environment_directory(const char *dir)
{
	char cwd[PATH_MAX];
	char *path;

	if (*dir == '/') {
		path = strdup(dir);
	} else {
		if (!getcwd(cwd, sizeof(cwd)))
			die("cannot tell the working directory: %s", strerror(errno));
		if (asprintf(&path, "%s/%s", strcmp(cwd, "/") ? cwd : "", dir) < 0)
			path = NULL;
	}
	if (!path)
		die("out of memory");
	for (size_t length = strlen(path); length > 1 && path[length - 1] == '/'; length--)
		path[length - 1] = '\0';
	return path;
}

/* Launchers ------------------------------------------------------------------------ */

bool environment_is_rank(void)
{
	return job_rank().source != NULL;
}

int environment_rank(void)
{
	return job_rank().rank;
}
