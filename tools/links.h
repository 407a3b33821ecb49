/* SPDX-License-Identifier: MIT */
/*
 * links.h - Chrome events for what goes on between calls: arrows for messages, bars for requests.
 *
 * A message is a flow from the call that sent it to the one that it came with, if both are in the output. A request is a pair of
 * asynchronous events, from the begin of the call that started it, if that is in the output, to the end of the one that completed it. Such pairs have
 * thread numbers of their own, on none of which two overlap.
 *
 * Who met whom follows from all calls of MPI. With a filter those that it leaves out are read here, too.
 */
#ifndef RECORDER_TOOLS_LINKS_H
#define RECORDER_TOOLS_LINKS_H

#include "outputs.h"

struct links;

/* For what options.filter asks for; `events` has its lanes, and must outlive it. NULL: no memory. */
struct links *links_new(struct out_events *events, struct reader *trace);
void links_free(struct links *links);
/* Behind the event of a record, which stands at `tid`. 0 or a negative errno. */
int links_call(struct links *links, const struct recorder_record *record, uint32_t tid);
/* The next events are of another file; messages are drawn in one file alone, requests where they end. */
void links_next_file(struct links *links);
/* Behind all: requests that have not ended. 0 or a negative errno. */
int links_end(struct links *links);
/* How many messages were drawn in the file. */
uint64_t links_messages(const struct links *links);

#endif
