/* SPDX-License-Identifier: MIT */
/*
 * environment.h - the variables that make a program record: LD_PRELOAD and RECORDER_*.
 */
#ifndef RECORDER_TOOLS_ENVIRONMENT_H
#define RECORDER_TOOLS_ENVIRONMENT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "options.h"

#define ENVIRONMENT_MAX 64

struct environment {
	struct {
		const char *name;
		char *value;
	} variables[ENVIRONMENT_MAX];
	unsigned count;
};

/* Functions by name, for the tables of the commands. Each but --usage may be given again. */
extern const struct option_row option_rows_targets[];

/* The functions that are to be traced by name, as RECORDER_TARGETS; NULL: none. */
const char *environment_targets(void);
/* A row of options for commands that have no others of these. */
int environment_add_target(const char *value);
#define ENVIRONMENT_OPTION_TARGET(text)                                                            \
	{                                                                                          \
		OPTION_CALL, 't', "target", "FUNCTION", text, NULL, environment_add_target         \
	}
/* Whether they are recorded by the kernel, and not by the library. */
bool environment_via_uprobe(void);
/* Whether the program is not to be run. */
bool environment_dry_run(void);

/*
 * What the options and -v, -q ask for, and the preload in front of what is preloaded already. `library` is its path;
 * `asan` goes before it, unless "". Ends the process if it runs out of memory.
 */
void environment_init(struct environment *environment, const char *library, const char *asan);
void environment_release(struct environment *environment);
/* The last value given for a name counts. */
void environment_add(struct environment *environment, const char *name, const char *value);
/* What a process with it would have; NULL: not set, or empty. */
const char *environment_value(const struct environment *environment, const char *name);
/* Into the environment of this process. */
void environment_apply(const struct environment *environment);
/* "export NAME='VALUE'" lines on stdout, quoted for a shell. */
void environment_print(const struct environment *environment);
/* One value on stdout as a shell reads it, in apostrophes. */
void environment_print_quoted(const char *value);

/* The absolute form of the trace directory given with -o; patterns (%j) stay. Free it. */
char *environment_directory(const char *dir);

/* Whether a launcher started this process as one of the ranks of a job, whose name all ranks know. */
bool environment_is_rank(void);
/* The rank that the launcher gave, 0 without. */
int environment_rank(void);

#endif
