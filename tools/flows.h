/* SPDX-License-Identifier: MIT */
/*
 * flows.h - messages as flow events: arrows from the call that sent one to the call that it came with.
 *
 * The two are found by their numbers (analysis/exchange.h), which each process gives by itself, so that a trace may be divided among processes that then share
 * what they found. Only ends whose calls are in the output are there. Of more than HALVES_MAX / 2 messages a share is there (halves.h), which ones depends on the trace alone; the others are counted.
 */
#ifndef RECORDER_TOOLS_FLOWS_H
#define RECORDER_TOOLS_FLOWS_H

#include "analysis/halves.h"
#include "buffer.h"
#include "outputs.h"

struct flows;

/* `events` must outlive it. NULL: no memory. */
struct flows *flows_new(struct out_events *events);
void flows_free(struct flows *flows);

/* Where ends go: half.rank is a stream of the process, half.call the thread that it stands at. */
struct halves *flows_halves(struct flows *flows);
/* The ends of this process, for the others. */
void flows_share(struct flows *flows, struct buffer *bytes);
/* And theirs, for this one. 0 or a negative errno. */
int flows_hear(struct flows *flows, const void *bytes, size_t size);

/* Puts out part number `part` of `parts`, a power of two. 0 or a negative errno. */
int flows_put(struct flows *flows, unsigned part, unsigned parts);
/* The next events are of another file. */
void flows_next_file(struct flows *flows);
/* How many messages were put out in the file. */
uint64_t flows_count(const struct flows *flows);
/* How many receives were left out, as there are too many. */
uint64_t flows_left_out(const struct flows *flows);

#endif
