/* SPDX-License-Identifier: MIT */
/*
 * liveprocess.h - recorded processes that run now, by the live files that they have mapped.
 */
#ifndef RECORDER_TOOLS_LIVEPROCESS_H
#define RECORDER_TOOLS_LIVEPROCESS_H

#include <stdint.h>

struct live_process {
	uint32_t pid;
	char *trace; /* its trace directory */
	char *arena; /* path of its live definitions */
};

struct live_processes {
	struct live_process *list;
	unsigned count;
};

/* The recorded processes among `root` and all below it. 0; -ESRCH: no such process; -ENOMEM. */
int live_processes_below(uint32_t root, struct live_processes *processes);
void live_processes_release(struct live_processes *processes);

#endif
