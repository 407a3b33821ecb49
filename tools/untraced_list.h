/* SPDX-License-Identifier: MIT */
/*
 * untraced_list.h - the programs of a run that the recorder could not follow, as the LMs name them.
 */
#ifndef RECORDER_TOOLS_UNTRACED_LIST_H
#define RECORDER_TOOLS_UNTRACED_LIST_H

#include <stddef.h>

#include <recorder/reader.h>

/* Zeroed memory is an empty list. Each program is in it once for each reason. */
struct untraced {
	struct untraced_program {
		char *program, *reason;
	} * list;
	size_t count;
};

void untraced_add(struct untraced *untraced, const char *program, const char *reason);
/* Those that any stream of the trace names. */
void untraced_collect(struct untraced *untraced, const struct reader *trace);
/* "/bin/a (static), /bin/b (musl) and 3 more"; to be freed. NULL: none. */
char *untraced_text(const struct untraced *untraced);
void untraced_release(struct untraced *untraced);

#endif
