/* SPDX-License-Identifier: MIT */
/*
 * kernelside.h - a job recorded from the kernel (bpf/probes.h, lib/system): a thread takes events and writes streams into the run's trace while the command goes on.
 *
 *	side = kernelside_open(&job, why, sizeof(why));     programs are in the kernel, but see nothing
 *	kernelside_follow(side, pid);                       a process of ours that waits before it executes the command
 *	...                                                 the command runs
 *	kernelside_close(side, true);                       what it started has ended, or goes on for long
 */
#ifndef RECORDER_TOOLS_KERNELSIDE_H
#define RECORDER_TOOLS_KERNELSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "functionpoints.h"
#include "options.h"

/* How much room events have in the kernel: "16m", "64k", "1048576", a power of two, of at least a page. A row of options for it. 0 or -EINVAL. */
int kernelside_parse_ring(const char *value);
#define KERNELSIDE_OPTION_RING                                                                     \
	{                                                                                          \
		OPTION_CALL, 0, "ring", "SIZE",                                                    \
			"room for events in the kernel, a power of two (16m)", NULL,               \
			kernelside_parse_ring                                                      \
	}

struct kernelside;

/* What is to be recorded, and where. */
struct kernelside_job {
	const char *asked; /* the trace's directory, absolute */
	const char *run_id, *command;
	const char *
		log_argv; /* the value of RECORDER_LOG_ARGV, which says what of arguments is stored; NULL: not set */
	bool joins;      /* kernelside_join() is to follow, or kernelside_join_cgroup() */
	uint64_t cgroup; /* that one's number; 0: none */
	const struct functionpoints *functions; /* these as well; they must stay. NULL: none */
	bool functions_alone;                   /* and nothing else */
};

/* NULL with *why saying why not: no rights, no such kernel, no memory. `why` has `room` bytes. */
struct kernelside *kernelside_open(const struct kernelside_job *job, char *why, size_t room);
/* From here on the process and what it starts are recorded, as soon as it has executed the command. 0 or a negative errno. */
int kernelside_follow(struct kernelside *side, pid_t pid);
/* From here on the process, all below it and what they start are recorded. They go on when kernelside_close() is called. 0 or a negative errno. */
int kernelside_join(struct kernelside *side, pid_t pid);
/* The same of all processes that are in the cgroup, or come into it, and of what they start. */
int kernelside_join_cgroup(struct kernelside *side);
/* Whether there were processes to follow, and all of them have ended. */
bool kernelside_is_idle(const struct kernelside *side);
/* Where the streams are. */
const char *kernelside_path(const struct kernelside *side);
/* Waits for processes that the command has left, for three seconds at most; ends all streams, says what was lost and, if `tell`, how much there is. */
void kernelside_close(struct kernelside *side, bool tell);

#endif
