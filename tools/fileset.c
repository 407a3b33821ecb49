/* SPDX-License-Identifier: MIT */
/* fileset.c - see fileset.h */
#include "fileset.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "temporary.h"

struct fileset_file {
	struct output *output;
	char *path;
};

/* Where the number goes: before what tells the kind of a file. */
static size_t number_place(const char *path)
{
	static const char *const endings[] = {".pfw", ".pfw.gz", ".json", ".json.gz", ".gz"};
	size_t size = strlen(path), place = size;

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t ending = strlen(endings[i]);

		if (size > ending && strcmp(path + size - ending, endings[i]) == 0 &&
		    size - ending < place && path[size - ending - 1] != '/')
			place = size - ending;
	}
	return place;
}

/* NULL: no memory. */
static char *path_of(const struct fileset *set, unsigned number)
{
	size_t place = number_place(set->path);
	char *path;

	if (asprintf(&path, "%.*s-%04u%s", (int)place, set->path, number, set->path + place) < 0)
		return NULL;
	return path;
}

char *fileset_path(const struct fileset *set)
{
	return path_of(set, set->count);
}

int fileset_begin(struct fileset *set, const char *path, const struct output_options *options,
		  uint64_t size)
{
	struct stat status;

	*set = (struct fileset){.path = path, .options = options, .size = size};
	if (!strcmp(path, "-") || (!stat(path, &status) && !S_ISREG(status.st_mode)))
		return -EINVAL;
	return 0;
}

int fileset_next(struct fileset *set)
{
	struct fileset_file *files = realloc(set->files, (set->count + 1) * sizeof(*files)), *file;
	int error;

	if (!files)
		return -ENOMEM;
	set->files = files;
	if (set->current) {
		error = output_finish(set->current);
		if (error)
			return error;
	}
	file = &files[set->count];
	file->path = path_of(set, set->count);
	file->output = calloc(1, sizeof(*file->output));
	error = file->path && file->output ? output_open(file->output, file->path, set->options)
					   : -ENOMEM;
	if (error) {
		free(file->path);
		free(file->output);
		return error;
	}
	set->count++;
	set->current = file->output;
	return 0;
}

static void release(struct fileset *set)
{
	for (unsigned i = 0; set->files && i < set->count; i++) {
		output_cancel(set->files[i].output);
		free(set->files[i].output);
		free(set->files[i].path);
	}
	free(set->files);
	set->files = NULL;
	set->current = NULL;
}

/* Files of an older set behind the last one of this: gone, or -EEXIST. */
static int clear_next(const struct fileset *set)
{
	int error = 0;

	for (unsigned i = set->count; !error; i++) {
		char *path = path_of(set, i);

		if (!path)
			return -ENOMEM;
		if (access(path, F_OK)) {
			free(path);
			return 0;
		}
		error = !set->options->force ? -EEXIST : unlink(path) ? -errno : 0;
		free(path);
	}
	return error;
}

static int take_names(const struct fileset *set)
{
	unsigned taken = 0;
	int error = 0;

	while (taken < set->count && !error) {
		error = output_take_name(set->files[taken].output);
		taken += !error;
	}
	for (unsigned i = 0; error && i < taken; i++)
		unlink(set->files[i].path);
	return error;
}

int fileset_commit(struct fileset *set)
{
	int error = set->current ? output_finish(set->current) : 0;

	if (!error)
		error = clear_next(set);
	if (!error) {
		/* who ends the process now has all of the names or none */
		temporary_hold();
		error = take_names(set);
		release(set);
		temporary_let();
	}
	release(set);
	return error;
}

void fileset_cancel(struct fileset *set)
{
	release(set);
}

#ifdef UNIT_TEST
#include "unittest.h"

static const char *numbered(const char *path, unsigned number)
{
	static char text[64];
	struct fileset set = {.path = path};
	char *made = path_of(&set, number);

	snprintf(text, sizeof(text), "%s", made);
	free(made);
	return text;
}

TEST_CASE(numbers_stand_before_the_ending)
{
	EXPECT_STR(numbered("t.pfw.gz", 0), "t-0000.pfw.gz");
	EXPECT_STR(numbered("dir.json/t.json", 12), "dir.json/t-0012.json");
	EXPECT_STR(numbered("out", 12345), "out-12345");
	EXPECT_STR(numbered("dir/.pfw", 1), "dir/.pfw-0001");
	EXPECT_STR(numbered("a.gz", 1), "a-0001.gz");
}
#endif
