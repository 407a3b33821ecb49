/* SPDX-License-Identifier: MIT */
/* procstat.h - what /proc/PID/stat says of a process (proc(5)). */
#ifndef RECORDER_RECORD_PROCSTAT_H
#define RECORDER_RECORD_PROCSTAT_H

#include <stdint.h>

struct process_stat {
	uint64_t pid; /* as the system numbers it that /proc shows */
	uint64_t parent, threads;
	uint64_t start; /* clock ticks since boot */
	char state;     /* '\0': there is no such process */
};

/* What is not there is 0. */
struct process_stat process_stat_of(uint32_t pid);
/* By "self": /proc may be that of an outer process-number space, in which our number is somebody else's. */
struct process_stat process_stat_of_self(void);

#endif
