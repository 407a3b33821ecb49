/* SPDX-License-Identifier: MIT */
/* functionpoints.c - see functionpoints.h */
#include "functionpoints.h"

#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functionfile.h"
#include "linked.h"
#include "message.h"
#include "native/library_symbol.h"
#include "native/name_match.h"
#include "native/object_names.h"
#include "program.h"
#include "record/nearness.h"
#include "record/target_text.h"

#define TARGETS_MAX 256u
#define FILES_MAX 1024u
#define WORDS_MAX 64u /* of the command that are looked at */
#define NEAR_MAX 3u
#define REASONS_MAX 3u /* functions that are told of, with why they are not recorded */

struct wanted {
	struct target target;
	char *path; /* of its object, if that has a slash: absolute */
	bool met;   /* there is such a function, whether it can be probed or not */
	char *near[NEAR_MAX];
	unsigned nearness[NEAR_MAX];
};

struct searched {
	char *path;
	bool program; /* else a library */
};

struct search {
	struct functionpoints *found;
	struct target_texts texts;
	struct wanted targets[TARGETS_MAX];
	unsigned target_count;
	struct searched files[FILES_MAX];
	unsigned file_count;
	uint64_t inodes[FILES_MAX];
	uint32_t point_room, name_room;
	/* while a function is looked at */
	const char *path;
	uint64_t inode;
	uint32_t number, first;
	uint64_t begin;
	bool full;
	unsigned refused; /* functions that cannot be probed */
};

/* As lib/native/native_names.c asks for it: by name, where the tools have it. */
void *library_symbol(const char *name, const char *library)
{
	static void *cxx;

	(void)library;
	if (!cxx)
		cxx = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
	return cxx ? dlsym(cxx, name) : NULL;
}

static void *need_memory(void *memory)
{
	if (!memory)
		die("out of memory");
	return memory;
}

/* Targets ------------------------------------------------------------------------------ */

static char *absolute(const char *path)
{
	char cwd[PATH_MAX], *whole;

	if (!strncmp(path, "./", 2))
		path += 2;
	if (*path == '/')
		return need_memory(strdup(path));
	if (!getcwd(cwd, sizeof(cwd)) || asprintf(&whole, "%s/%s", cwd, path) < 0)
		die("cannot tell the working directory: %s", strerror(errno));
	return whole;
}

static void read_targets(struct search *search, const char *list)
{
	const char *part;
	size_t length;

	while (target_next(&list, &part, &length)) {
		struct wanted *wanted = &search->targets[search->target_count];

		if (search->target_count == TARGETS_MAX)
			die("more than %u functions are named", TARGETS_MAX);
		if (!target_read(&search->texts, part, length, &wanted->target))
			die("no function is named by '%.*s'", (int)length, part);
		if (wanted->target.object && strchr(wanted->target.object, '/'))
			wanted->path = absolute(wanted->target.object);
		search->target_count++;
	}
}

/* As lib/native/finding.c judges them, and Python's own as those of the system. */
static bool is_of_system(const struct searched *file)
{
	const char *name = program_base(file->path);

	return (!file->program && object_is_of_system(name)) || !strncmp(name, "python", 6) ||
	       !strncmp(name, "libpython", 9);
}

static bool may_mean(const struct wanted *wanted, const struct searched *file)
{
	if (!wanted->target.name)
		return false;
	if (wanted->path)
		return object_is_named(file->path, wanted->path);
	if (wanted->target.object)
		return object_is_named(file->path, wanted->target.object);
	return wanted->target.plain || !is_of_system(file);
}

static bool means(const struct wanted *wanted, const struct searched *file,
		  const struct native_name *name, const char *symbol)
{
	if (!may_mean(wanted, file))
		return false;
	if (!wanted->target.object && is_of_system(file))
		return !strcmp(wanted->target.name, name->plain) ||
		       !strcmp(wanted->target.name, symbol);
	return name_match(name, symbol, wanted->target.name);
}

static void offer(struct wanted *wanted, const char *name)
{
	unsigned distance = nearness(wanted->target.name, name), at;
	char *copy;

	for (at = 0; at < NEAR_MAX && wanted->near[at] && wanted->nearness[at] <= distance; at++)
		if (!strcmp(wanted->near[at], name))
			return;
	if (distance == NEARNESS_NONE || at == NEAR_MAX)
		return;
	copy = need_memory(strdup(name));
	free(wanted->near[NEAR_MAX - 1]);
	memmove(&wanted->near[at + 1], &wanted->near[at],
		(NEAR_MAX - 1 - at) * sizeof(wanted->near[0]));
	memmove(&wanted->nearness[at + 1], &wanted->nearness[at],
		(NEAR_MAX - 1 - at) * sizeof(wanted->nearness[0]));
	wanted->near[at] = copy;
	wanted->nearness[at] = distance;
}

/* Files -------------------------------------------------------------------------------- */

static void add_file(struct search *search, const char *path, bool program)
{
	char real[PATH_MAX];

	if (!realpath(path, real) || search->file_count == FILES_MAX)
		return;
	for (unsigned i = 0; i < search->file_count; i++)
		if (!strcmp(search->files[i].path, real))
			return;
	search->files[search->file_count++] =
		(struct searched){.path = need_memory(strdup(real)), .program = program};
}

static void add_library(void *search, const char *name, const char *path)
{
	(void)name;
	if (strchr(path, '/'))
		add_file(search, path, false);
}

static void add_program(struct search *search, const char *path, bool runs)
{
	struct program_facts facts;

	if (program_read(path, &facts) || !facts.is_elf)
		return;
	add_file(search, path, true);
	if (*facts.loader && (runs || linked_may_ask(&facts, false)))
		linked_each(facts.loader, path, add_library, search);
}

static void add_command(struct search *search, char *const argv[])
{
	bool launches = program_is_launcher(argv[0]);
	char path[PATH_MAX];

	for (unsigned i = 0; argv[i] && i < WORDS_MAX; i++)
		if ((i == 0 || launches || strchr(argv[i], '/')) && *argv[i] != '-' &&
		    !program_find(argv[i], path, sizeof(path)))
			add_program(search, path, i == 0);
}

static void add_named(struct search *search, const char *pattern)
{
	struct program_facts facts;
	glob_t list;

	if (!glob(pattern, GLOB_NOSORT, NULL, &list)) {
		for (size_t i = 0; i < list.gl_pathc; i++)
			if (!program_read(list.gl_pathv[i], &facts))
				add_file(search, list.gl_pathv[i],
					 facts.is_elf && !strstr(list.gl_pathv[i], ".so"));
		globfree(&list);
	}
}

/* Functions ---------------------------------------------------------------------------- */

/* Functions of one name and library are one. */
static uint32_t number_of(struct search *search, const char *name, const char *category)
{
	struct functionpoints *found = search->found;

	for (uint32_t i = 0; i < found->name_count; i++)
		if (!strcmp(found->names[i].name, name) &&
		    !strcmp(found->names[i].category ? found->names[i].category : "",
			    category ? category : ""))
			return i;
	if (found->name_count == search->name_room) {
		search->name_room = search->name_room ? 2 * search->name_room : 64;
		found->names = need_memory(
			realloc(found->names, search->name_room * sizeof(*found->names)));
	}
	found->names[found->name_count].name = need_memory(strdup(name));
	found->names[found->name_count].category = category ? need_memory(strdup(category)) : NULL;
	return found->name_count++;
}

static void add_point(struct search *search, uint64_t offset, enum function_point_kind kind)
{
	struct functionpoints *found = search->found;

	/* functions that share an end */
	for (uint32_t i = found->point_count; i-- > 0 && found->points[i].path == search->path;)
		if (found->points[i].place.offset == offset)
			return;
	search->full |= found->point_count == FUNCTION_POINTS_MAX;
	if (search->full)
		return;
	if (found->point_count == search->point_room) {
		search->point_room = search->point_room ? 2 * search->point_room : 256;
		found->points = need_memory(
			realloc(found->points, search->point_room * sizeof(*found->points)));
	}
	found->points[found->point_count++] = (struct probe_point){
		.path = search->path,
		.place = {search->inode, offset},
		.point = {search->number, kind},
	};
}

static void add_end(void *data, uint64_t offset)
{
	struct search *search = data;

	if (offset == search->begin)
		search->found->points[search->first].point.kind = POINT_WHOLE;
	else
		add_point(search, offset, POINT_END);
}

static void take_function(struct search *search, const struct function_file *file,
			  const struct searched *searched, const struct file_function *function,
			  const struct native_name *name)
{
	const char *reason;
	bool loops;

	if (search->found->name_count == FUNCTION_RECORDS_MAX)
		search->full = true;
	if (search->full)
		return;
	search->number = number_of(search, name->text,
				   searched->program ? NULL : program_base(searched->path));
	search->first = search->found->point_count;
	search->begin = function->offset;
	add_point(search, function->offset, POINT_BEGIN);
	if (search->found->point_count == search->first)
		return;
	reason = functionfile_ends(file, function, add_end, search, &loops);
	if (reason && search->refused++ < REASONS_MAX)
		message_warn("%s: %s is not recorded: %s", searched->path, name->text, reason);
	if (reason || search->full)
		search->found->point_count = search->first;
	else if (loops && search->found->points[search->first].point.kind == POINT_BEGIN)
		search->found->points[search->first].point.kind = POINT_BEGIN_OF_LOOP;
}

/* Whether any target means it; all that do have found something. */
static bool judge(struct search *search, const struct searched *searched,
		  const struct native_name *name, const char *symbol)
{
	bool meant = false;

	for (unsigned i = 0; i < search->target_count; i++) {
		struct wanted *wanted = &search->targets[i];

		if (means(wanted, searched, name, symbol))
			wanted->met = meant = true;
		else if (!wanted->met && wanted->target.name && !is_of_system(searched))
			offer(wanted, name->text);
	}
	return meant;
}

/* Of several symbols of one place the first that is meant. */
static void search_functions(struct search *search, const struct function_file *file,
			     const struct searched *searched)
{
	uint64_t taken = UINT64_MAX;

	for (size_t i = 0; i < file->count; i++) {
		const struct file_function *function = &file->functions[i];
		struct native_name name;

		if (function->offset == taken || object_has_of_compiler(function->symbol))
			continue;
		native_name(&name, function->symbol, file->fortran);
		if (name.part || !judge(search, searched, &name, function->symbol))
			continue;
		take_function(search, file, searched, function, &name);
		taken = function->offset;
	}
}

/* Probes are known by the inode number of their file. */
static bool is_new_inode(struct search *search, unsigned number, uint64_t inode)
{
	for (unsigned i = 0; i < number; i++)
		if (search->inodes[i] == inode)
			return false;
	search->inodes[number] = inode;
	return true;
}

static void search_file(struct search *search, unsigned number)
{
	const struct searched *searched = &search->files[number];
	struct function_file file;
	bool may = false;
	int error;

	for (unsigned i = 0; i < search->target_count && !may; i++)
		may = may_mean(&search->targets[i], searched);
	if (!may)
		return;
	error = functionfile_open(&file, searched->path);
	if (error == -ENOSYS)
		die("this recorder was built without elfutils: it finds no functions for probes in "
		    "the kernel");
	if (error)
		return;
	search->path = searched->path;
	search->inode = file.inode;
	if (is_new_inode(search, number, file.inode))
		search_functions(search, &file, searched);
	functionfile_close(&file);
}

/* All ---------------------------------------------------------------------------------- */

static void say_missing(const struct wanted *wanted)
{
	const char *const *near = (const char *const *)wanted->near;

	message_warn("no function is '%s'%s%s%s%s%s", wanted->target.text,
		     near[0] ? "; is it " : "", near[0] ? near[0] : "", near[1] ? " or " : "",
		     near[1] ? near[1] : "", near[0] ? "?" : "");
}

static void finish(struct search *search)
{
	if (search->full)
		message_warn("more functions are named than can be recorded: %u with %u places "
			     "where they begin and end are",
			     search->found->name_count, search->found->point_count);
	if (search->refused > REASONS_MAX)
		message_warn("%u more functions are not recorded, for such reasons",
			     search->refused - REASONS_MAX);
	for (unsigned i = 0; i < search->target_count; i++) {
		struct wanted *wanted = &search->targets[i];

		if (!wanted->met) {
			say_missing(wanted);
			search->found->missing++;
		}
		free(wanted->path);
		for (unsigned j = 0; j < NEAR_MAX; j++)
			free(wanted->near[j]);
	}
}

void functionpoints_find(struct functionpoints *found, const char *targets, char *const argv[])
{
	struct search *search = need_memory(calloc(1, sizeof(*search)));

	memset(found, 0, sizeof(*found));
	search->found = found;
	native_names_init();
	read_targets(search, targets);
	for (unsigned i = 0; i < search->target_count; i++)
		if (search->targets[i].path)
			add_named(search, search->targets[i].path);
	add_command(search, argv);
	for (unsigned i = 0; i < search->file_count; i++)
		search_file(search, i);
	finish(search);
	found->paths = need_memory(calloc(search->file_count + 1, sizeof(*found->paths)));
	for (unsigned i = 0; i < search->file_count; i++)
		found->paths[found->path_count++] = search->files[i].path;
	free(search);
}

void functionpoints_release(struct functionpoints *found)
{
	for (uint32_t i = 0; i < found->name_count; i++) {
		free((char *)found->names[i].name);
		free((char *)found->names[i].category);
	}
	for (unsigned i = 0; i < found->path_count; i++)
		free(found->paths[i]);
	free(found->paths);
	free(found->names);
	free(found->points);
	memset(found, 0, sizeof(*found));
}
