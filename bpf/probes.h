/* SPDX-License-Identifier: MIT */
/*
 * probes.h - the programs in the kernel, from here: loaded, told whom to follow, attached, listened to.
 *
 * What the kernel holds of them goes when their descriptors are closed, also by SIGKILL: nothing is pinned. Errors are negative errnos; -ENOSYS: this recorder was built without them.
 */
#ifndef RECORDER_BPF_PROBES_H
#define RECORDER_BPF_PROBES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/kernel_events.h"

struct probes;

/* Where a function of the program begins or ends. */
struct probe_point {
	const char *path; /* of the file; no two have one inode number */
	struct function_place place;
	struct function_point point;
};

struct probe_options {
	uint64_t ring_size;            /* bytes, a power of two of at least a page; 0: 16 MiB */
	const struct call_rule *rules; /* EVENT_CALLS_MAX of them */
	uint32_t groups;               /* of enum event_group */
	bool calls, sums;              /* what is sent of calls: each, sums of them, or both */
	uint64_t interval;             /* of sums, ns */
	uint64_t
		interval_shift; /* intervals begin at multiples of it on CLOCK_MONOTONIC plus this */
	const struct probe_point *points; /* FUNCTION_POINTS_MAX at most; they must stay */
	uint32_t point_count;
	uint64_t cgroup; /* whose processes it finds, too; 0: none */
	/* Takes an event; must not keep it. */
	void (*event)(void *data, const void *event, size_t size);
	void *data;
};

/* Loads them; nothing is recorded yet. *why is told what the kernel or libbpf said, in a buffer of `room`. */
int probes_open(struct probes **probes, const struct probe_options *options, char *why,
		size_t room);
/* Tracepoints that are wanted and that the kernel does not have, with commas between; valid until probes_close(). */
const char *probes_missing(const struct probes *probes);
/* Puts an EVENT_JOINED of the process into the ring, by which it is known what it is called elsewhere. 0 or a negative errno, -ESRCH: there is none. */
int probes_tell(struct probes *probes, int pid);
/* The task of that pidfd and all that it forks from now on are recorded, once probes are attached. */
int probes_follow(struct probes *probes, int pidfd);
/* After probes_attach(): functions that the task calls, and all that it forks from now on. 0 if none are asked for. */
int probes_follow_functions(struct probes *probes, int task, char *why, size_t room);
/* A process that is followed has begun, or has ended: to be told at once, if there are functions. `number`: as heads of events have it; `pid`: as it is numbered here. */
void probes_process_begun(struct probes *probes, uint32_t number, int pid);
void probes_process_ended(struct probes *probes, uint32_t number);
/* After probes_attach(): probes_follow() for what the followed task's process and those below it have forked already, and for what is in the cgroup. */
int probes_join(struct probes *probes);
int probes_attach(struct probes *probes, char *why, size_t room);
/* From here on no more events are made, but for the sums of tasks that go on; those that are in the ring can be taken. */
void probes_detach(struct probes *probes);
/* Waits so long, and takes all events that are in the ring. How many, or a negative errno. */
int probes_take(struct probes *probes, int milliseconds);
/* Somebody waits for sums of what ended elsewhere: they come with the next probes_take(). */
void probes_want_sums(struct probes *probes);
/* Sums of all CPUs. */
int probes_counters(const struct probes *probes, uint64_t counters[COUNTERS]);
void probes_close(struct probes *probes);

#endif
