/* SPDX-License-Identifier: MIT */
/*
 * watched_processes.h - the processes and threads of a job that are there, or that are waited for: each process with its stream (watched_stream.h).
 *
 * They are known by the numbers that heads of events have. What they are called themselves may be something else (kernel_events.h), and what /proc calls them here something else again.
 *
 * A process has ended when its last thread says so, which need not be the last one that is heard of: the kernel counts a thread off before it tells of its end. Others of it are waited for, for a moment. Then
 * it is waited for until all that it has begun has ended, too; the first one's stream goes on to the very end, as what is nobody's counts as its.
 */
#ifndef RECORDER_SYSTEM_WATCHED_PROCESSES_H
#define RECORDER_SYSTEM_WATCHED_PROCESSES_H

#include "read/index.h"
#include "system/begun_program.h"
#include "system/process_files.h"
#include "system/watched_mounts.h"
#include "system/watched_stream.h"

struct watched_task;

struct watched_process {
	struct watched_stream *stream;
	uint32_t number;
	uint32_t here;              /* its number below /proc; 0: it has none */
	uint64_t start;             /* clock ticks since boot; 0 not known */
	struct watched_task *tasks; /* all of it, also those that wait for what they have begun */
	uint32_t threads, waiting;  /* how many of these go on, and how many wait */
	struct watched_job job;
	bool ended; /* and its stream goes on: the first process's to the very end, others' until their threads and what they have begun have ended, too */
	uint32_t status;
	uint64_t end;               /* when it ended, CLOCK_MONOTONIC */
	struct begun_program begun; /* what was told of the program that is about to be executed */
	bool waits; /* for the command to be executed: what it does before is the recorder's */
	struct process_files files;
};

struct watched_task {
	struct watched_process *process;
	uint32_t index, number;
	uint32_t next;     /* number of its next event */
	uint32_t off_next; /* of its next off_cpu */
	/* occurrences that end elsewhere: those that have come, and, when the thread has ended, how many it has begun */
	uint32_t late_come, late_begun;
	bool ended;
	bool unsummed; /* it has ended, and not all sums of these have come */
	uint64_t end;
	struct watched_task *sibling;
	uint64_t summed, off_summed; /* calls in its sums, and in those of off_cpu */
};

/* What is known of a job's first process besides. */
struct watched_root {
	struct watched_job job;
	bool waits; /* for the command to be executed */
};

struct watched_processes {
	const struct watch_place *place;
	const struct watched_mounts *mounts; /* the first one's stream tells them */
	struct idmap tasks;                  /* by number; NULL: it has ended */
	struct idmap processes;              /* likewise */
	struct watched_process *first;
	struct watched_root root; /* what the first one is, as soon as it is told of */
	bool root_is_awaited;
	uint32_t alive;
	uint64_t process_count, thread_count; /* that there have been */
	bool detached;                        /* nobody waits for their end any more */
};

/* NULL: there is none. */
struct watched_process *watched_process_find(const struct watched_processes *processes,
					     uint32_t number);
struct watched_task *watched_task_find(const struct watched_processes *processes, uint32_t number);

/* The process; it is made if there is none. An ended one whose number another one has now is not waited for any more. `here`: its number below /proc, 0 not known. NULL: out of memory. */
struct watched_process *watched_process_of(struct watched_processes *processes,
					   const struct watched_facts *facts, uint32_t here);

struct watched_thread_facts {
	uint32_t number, tid; /* `tid`: as it knows it itself */
	uint64_t start;
	const char *name; /* may be NULL */
};

/* NULL: out of memory. */
struct watched_task *watched_task_add(struct watched_processes *processes,
				      struct watched_process *process,
				      const struct watched_thread_facts *facts);
/* The thread has another number from now on. False: it cannot have that. */
bool watched_task_renumber(struct watched_processes *processes, struct watched_task *task,
			   uint32_t number);
/* `late`: what it has begun that ends elsewhere; `unsummed`: there may be sums of such. */
void watched_task_end(struct watched_processes *processes, struct watched_task *task, uint64_t now,
		      uint32_t late, bool unsummed);
/* Something that it has begun has come: it and its process may be waited for no more. */
void watched_task_waits_less(struct watched_processes *processes, struct watched_task *task);
/* All sums of threads that had ended then have come. */
void watched_processes_summed(struct watched_processes *processes, uint64_t then);
/* Of processes that had ended then no thread is waited for any more. */
void watched_processes_overdue(struct watched_processes *processes, uint64_t then);
/* Whether threads have ended before what they have begun. */
bool watched_processes_wait(const struct watched_processes *processes);
/* Whether one goes on. The end of one may have been lost, or may have come while it was met: /proc is asked, where its number there is known. */
bool watched_processes_go_on(const struct watched_processes *processes);
/* If it has ended, with all threads and all that it has begun. Its number can be another process's from now on. */
void watched_process_end(struct watched_processes *processes, struct watched_process *process);

/* Writes records that are older than the time. */
void watched_processes_flush(struct watched_processes *processes, uint64_t older_than);
/* Ends all streams, the first one's last. */
void watched_processes_release(struct watched_processes *processes);

#endif
