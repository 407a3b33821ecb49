/* SPDX-License-Identifier: MIT */
/*
 * sampling.h - a machine and a job on it sampled while the job runs (lib/system/sampler.h): a thread that reads counters so many times a second into the run's trace.
 *
 *	sampling = sampling_open(asked, run_id, command, NULL, why, sizeof(why));
 *	sampling_follow(sampling, pid);        the job's first process; the thread begins
 *	...                                    the job runs
 *	sampling_close(sampling);              a last sample
 *
 * Where a launcher starts one of us for each rank, one of each node samples for all that its node's launcher has started.
 */
#ifndef RECORDER_TOOLS_SAMPLING_H
#define RECORDER_TOOLS_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "options.h"

#define SAMPLING_RATE 10u /* times a second, if nothing else is asked for */

/* NULL: as often as usual. 0 or -EINVAL. */
int sampling_parse_rate(const char *value);
#define SAMPLING_OPTION                                                                            \
	{                                                                                          \
		OPTION_CALL, 0, "sample", "[=HZ]",                                                 \
			"also record what CPUs, disks, memory, network, GPUs and processes do, "   \
			"HZ "                                                                      \
			"times a second (10)",                                                     \
			NULL, sampling_parse_rate                                                  \
	}

/* Whether the option was given, and this process is the one of its node that samples. */
bool sampling_asked(void);

struct sampling;

/*
 * `asked`: the trace's directory, absolute. `instead`: why there are no system calls of the kernel in it, NULL: nobody wanted any, or they are. NULL with *why, of `room` bytes: no
 * memory, no such directory.
 */
struct sampling *sampling_open(const char *asked, const char *run_id, const char *command,
			       const char *instead, char *why, size_t room);
/* The job is this process, which waits, and what it starts; of a rank, all that the node's launcher has started. Takes the first sample. 0 or a negative errno. */
int sampling_follow(struct sampling *sampling, pid_t pid);
/* The same of the processes of a cgroup (its path, which must stay), now and later. */
int sampling_follow_cgroup(struct sampling *sampling, const char *path);
const char *sampling_path(const struct sampling *sampling);
/* How many samples there are. */
unsigned long sampling_close(struct sampling *sampling);

#endif
