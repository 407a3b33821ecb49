/* SPDX-License-Identifier: MIT */
/*
 * function_event.h - probes of the kernel (uprobes) in files, for the processes of one job alone: an event of tracefs that has all of them, opened for the job's first task.
 *
 * A link of many probes (uprobe_multi) is either for one process, and its children have none, or for all processes of the machine. An event of tracefs that is opened by perf_event_open() for a task, to be
 * inherited, is for that task, what it forks and what these execute, and the kernel puts breakpoints into the memory of these and of nobody else.
 *
 * But what is inherited alone does not hold: as the kernel changes from one task to another of which all events are the same, it lets them change their events and not the tasks, and so the end of a child can take away its
 * parent's. So each process is also given an event of its own, that is not inherited, as soon as its fork is known of: its events and its children's are not the same from then on. What forks before that is counted.
 *
 * All are gone when the descriptors are closed, also by SIGKILL; what is left then is a line in `uprobe_events` which does nothing, and goes when the next event is defined.
 */
#ifndef RECORDER_BPF_FUNCTION_EVENT_H
#define RECORDER_BPF_FUNCTION_EVENT_H

#include <stdbool.h>
#include <stdint.h>

struct function_event_probe {
	const char *path;
	uint64_t offset; /* in the file */
};

/* Takes the next probe; false: there is none. */
typedef bool next_probe(void *data, struct function_event_probe *probe);

/* The event's number, or a negative errno. */
int64_t function_event_define(next_probe *next, void *data);
/*
 * Its descriptor for that task, or a negative errno. `inherited`: for all that it forks from now on, too. A program must be at one that is not inherited: it sees all, and what children
 * inherit would take it away from all when the first of them ends (Linux 6.18).
 */
int function_event_open(int64_t event, int task, bool inherited);
/* After all descriptors are closed. */
void function_event_remove(void);

#endif
