/* SPDX-License-Identifier: MIT */
/*
 * fileset.h - an output in several files, which take their names together or not at all: "t-0000.pfw.gz", "t-0001.pfw.gz" ... for "t.pfw.gz".
 *
 * Files of an older set under these names, or the next one, stay unless they are to be replaced: with a newer set beside them they would be read as part of it.
 */
#ifndef RECORDER_TOOLS_FILESET_H
#define RECORDER_TOOLS_FILESET_H

#include "output.h"

struct fileset {
	const char *path; /* that the names are made of */
	const struct output_options *options;
	uint64_t size; /* of a file, before it is compressed */
	struct fileset_file *files;
	unsigned count;
	struct output *current; /* the last one; NULL: there is none */
};

/* No file as yet; `path` and `options` must outlive it. 0; -EINVAL: `path` stands for something that is not a file. */
int fileset_begin(struct fileset *set, const char *path, const struct output_options *options,
		  uint64_t size);
/* Ends the current file, and begins the next one. 0 or a negative errno. */
int fileset_next(struct fileset *set);
/* Whether the current file is full. */
static inline bool fileset_is_full(const struct fileset *set)
{
	return output_size(set->current) >= set->size;
}
/* Gives all files their names and releases all. 0 or the first error, after which none is left. */
int fileset_commit(struct fileset *set);
/* After an error: the name that the next file would have had, to be freed. NULL: no memory. */
char *fileset_path(const struct fileset *set);
/* Releases all and leaves no file. */
void fileset_cancel(struct fileset *set);

#endif
