/* SPDX-License-Identifier: MIT */
/*
 * functionpoints.h - functions of a command's programs that the user named, for probes in the kernel: which they are, and where each begins and ends.
 *
 * Looked at are, before the command runs, its program and what that is linked with; programs that are named with a slash behind it, or that a launcher is to start; and files that a target names by their path, as
 * libraries that are loaded later are to be. All must be known before: what is found only when it runs has made calls already.
 */
#ifndef RECORDER_TOOLS_FUNCTIONPOINTS_H
#define RECORDER_TOOLS_FUNCTIONPOINTS_H

#include <stdint.h>

#include "bpf/probes.h"
#include "system/function_record.h"

struct functionpoints {
	struct probe_point *points;
	struct function_name *names;
	uint32_t point_count, name_count;
	unsigned missing; /* targets that no function is */
	char **paths;     /* of the points */
	unsigned path_count;
};

/* `targets`: with ';' between. Says what it does not find. Ends the process if it runs out of memory. */
void functionpoints_find(struct functionpoints *found, const char *targets, char *const argv[]);
void functionpoints_release(struct functionpoints *found);

#endif
