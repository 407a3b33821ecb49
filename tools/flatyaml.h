/* SPDX-License-Identifier: MIT */
/*
 * flatyaml.h - files of YAML that are keys with values, or with lists of values, and nothing deeper:
 *
 *	layers: [mpi, posix]
 *	flush: 2s
 *
 * By libyaml; built without it there is none.
 */
#ifndef RECORDER_TOOLS_FLATYAML_H
#define RECORDER_TOOLS_FLATYAML_H

#include <stdbool.h>

/* Both from 1; 0: not known. */
struct flat_place {
	unsigned line, column;
};

struct flat_value {
	struct flat_place place;
	char *text; /* as written; "" is no value */
};

struct flat_entry {
	struct flat_value key;
	bool is_list;
	bool is_broken; /* some values are not there: what is wrong with them has been told */
	struct flat_value *values; /* one of a key that has no list */
	unsigned count;
};

/* In the order of the file; keys may come again. Zeroed: empty. */
struct flat_file {
	struct flat_entry *entries;
	unsigned count;
};

/*
 * 0; -EINVAL: `wrong` was told what is wrong, once or more; -ENOSYS: no libyaml; else the errno of reading. To be released whatever it returns.
 */
int flat_read(struct flat_file *file, const char *path,
	      void (*wrong)(void *data, struct flat_place place, const char *text), void *data);
void flat_release(struct flat_file *file);

#endif
