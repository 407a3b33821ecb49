/* SPDX-License-Identifier: MIT */
/* joined.h - `recorder system --pid`: a job that somebody else has started, recorded until it ends, a signal comes or time is over. */
#ifndef RECORDER_TOOLS_JOINED_H
#define RECORDER_TOOLS_JOINED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* "1234", a process that is there. 0: it is none. */
pid_t joined_pid(const char *text);
/* Its name, for the trace's; "process" where that is not known. */
void joined_name(pid_t pid, char *name, size_t room);
/* From here on signals that end the waiting are kept until it begins, also where they were ignored: before anybody is told that he may send one. */
void joined_hold_signals(void);
/* Waits until `is_over` says so, SIGINT, SIGTERM or SIGHUP comes, or `duration` ns have passed (0: for ever). */
void joined_wait(int64_t duration, bool (*is_over)(void *context), void *context);

#endif
