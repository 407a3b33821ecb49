/* SPDX-License-Identifier: MIT */
/*
 * sampled_processes.h - what a process and all below it, or those of a cgroup, have used so far: CPU, memory, I/O.
 *
 * Which processes there are is looked for a few times a second by their parents in /proc; once found a process is followed until it ends, also when its parent has ended before. One that begins and ends between two looks is seen in
 * what its parent has used by its children alone.
 */
#ifndef RECORDER_SYSTEM_SAMPLED_PROCESSES_H
#define RECORDER_SYSTEM_SAMPLED_PROCESSES_H

#include "system/proc_text.h"
#include "system/watched_stream.h"

struct sampled_processes;

/* Of the process and all below it, or of those in a cgroup and all below them: one of `root` (0: none) and `cgroup` (a path that must stay, NULL: none). NULL: out of memory. */
struct sampled_processes *sampled_processes_new(uint32_t root, const char *cgroup);
void sampled_processes_free(struct sampled_processes *processes);
/* Looks for new ones if `look`, and adds records of all. 0 or -ENOMEM. */
int sampled_processes_take(struct sampled_processes *processes, bool look,
			   struct watched_stream *stream, uint32_t thread);
/* Their pids; for `each`. */
void sampled_processes_each(const struct sampled_processes *processes,
			    void (*each)(void *data, uint32_t pid), void *data);

#endif
