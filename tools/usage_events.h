/* SPDX-License-Identifier: MIT */
/*
 * usage_events.h - what a job's processes read and wrote, as the kernel told it: calls on regular files and block devices, and requests to block devices by the process that they were made for. Where a trace has these, they take the
 * place of what samples of /proc/PID/io say of the same.
 *
 * Bytes are spread evenly over the time of a call, request or interval. Processes that were forked of the program itself and execute no other one are its workers.
 */
#ifndef RECORDER_TOOLS_USAGE_EVENTS_H
#define RECORDER_TOOLS_USAGE_EVENTS_H

#include <recorder/reader.h>

#include "usage.h"

struct usage_events;

/* Nodes that have no samples are added to usage->nodes, which has room for `room` of them. 0 or -ENOMEM. */
int usage_events_begin(struct usage_events **events, struct usage *usage,
		       const struct reader *trace, unsigned room);
void usage_events_free(struct usage_events *events);

/* Whether any record may be taken. */
bool usage_events_has_any(const struct usage_events *events);
/* A record of layer kernel or block. 0 or -ENOMEM. */
int usage_events_take(struct usage_events *events, const struct recorder_record *record);
/* Behind all: into the nodes' values. 0 or -ENOMEM. */
int usage_events_end(struct usage_events *events);

#endif
