/* SPDX-License-Identifier: MIT */
/*
 * watched.h - the processes and threads of a job as the kernel's events tell of them, each with its stream (watched_stream.h): events become records, and gaps in their numbers become losses.
 *
 * Events are checked: nothing in them is taken for a size or an index before that. Of one thread of execution.
 */
#ifndef RECORDER_SYSTEM_WATCHED_H
#define RECORDER_SYSTEM_WATCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "system/function_record.h"
#include "system/watched_stream.h"

struct watched;

/* NULL: out of memory. `place` must outlive it. */
struct watched *watched_new(const struct watch_place *place);
/* What the functions are called that events number; they must outlive it. FUNCTION_RECORDS_MAX at most. */
void watched_functions(struct watched *watched, const struct function_name *names, uint32_t count);
/* The next process that an event EVENT_JOINED tells of is the job's first one. `waits`: what it does before it executes a program is not recorded. */
void watched_await_root(struct watched *watched, const struct watched_job *job, bool waits);
/* Whether it has been told of, or another process has. */
bool watched_has_root(const struct watched *watched);
/* From now on nobody waits for the end of processes: those that go on are ended as such when all is. */
void watched_detach(struct watched *watched);
/* An event of the ring. 0 or a negative errno: it is none. */
int watched_event(struct watched *watched, const void *event, size_t size);
/* Writes records that are older than the time. */
void watched_flush(struct watched *watched, uint64_t older_than);
/* All events of that time have come: what is missing of processes that had ended then was lost. */
void watched_overdue(struct watched *watched, uint64_t then);
/* Whether threads have ended before what they have begun. */
bool watched_waits(const struct watched *watched);
/* How many processes are alive, or wait for what they have begun. */
uint32_t watched_alive(const struct watched *watched);
/* Whether a process goes on, as far as /proc tells. It asks for each. */
bool watched_goes_on(const struct watched *watched);
/* Ends all streams. `lost`: events for which there was no room, of all threads; those of which no thread is known are counted as the first process's. */
void watched_free(struct watched *watched, uint64_t lost);

struct watched_counts {
	uint64_t processes, threads, calls, records, lost; /* records: calls and all else */
	uint64_t summed, functions_summed; /* system calls in sums, and calls of functions */
	uint64_t functions;                /* calls of functions, in `records` */
	uint64_t too_deep; /* of those, that were too deep to be followed; not in `lost` */
};
struct watched_counts watched_counts(const struct watched *watched);

#endif
