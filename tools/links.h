/* SPDX-License-Identifier: MIT */
/*
 * links.h - Chrome events for what goes on between calls: arrows for messages (flows.h), bars for requests.
 *
 * A message is a flow from the call that sent it to the one that it came with, if both are in the output. A request is a pair of
 * asynchronous events, from the begin of the call that started it, if that is in the output, to the end of the one that completed it. Such pairs have
 * thread numbers of their own, on none of which two overlap.
 *
 * Who met whom, and what went on, follows from all calls of MPI of a process. With a filter those that it leaves out are read here, too. There are two ways:
 *
 *	links_call() of each call of a walk over all processes by time, then links_end(): for several files, each of which has the messages within it
 *	links_begin(), links_step() of each process by itself, whoever reads it, then flows_put()
 */
#ifndef RECORDER_TOOLS_LINKS_H
#define RECORDER_TOOLS_LINKS_H

#include "flows.h"
#include "outputs.h"

struct links;

/* For what options.filter asks for; `events` has its lanes, and must outlive it. NULL: no memory. */
struct links *links_new(struct out_events *events, struct reader *trace);
void links_free(struct links *links);
/* Whether there is any function in the trace that sends, receives or makes requests. */
bool links_has_any(const struct links *links);
struct flows *links_flows(const struct links *links);

/* Before the first call of a walk. 0 or a negative errno. */
int links_walk(struct links *links);
/* Behind the event of a record, which stands at `tid`. 0 or a negative errno. */
int links_call(struct links *links, const struct recorder_record *record, uint32_t tid);
/* Behind the last event of a file: messages that are in it. 0 or a negative errno. */
int links_end_file(struct links *links);
/* The next events are of another file; messages are drawn in one file alone, requests where they end. */
void links_next_file(struct links *links);
/* Behind all: requests that have not ended. 0 or a negative errno. */
int links_end(struct links *links);

/* The process that stream number `first` is the first of. 0 or a negative errno. */
int links_begin(struct links *links, unsigned first);
/* Takes a call of it. 1; 0: there is none, and all of it is told; or a negative errno. */
int links_step(struct links *links);

#endif
