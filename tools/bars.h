/* SPDX-License-Identifier: MIT */
/*
 * bars.h - requests as pairs of asynchronous events, on threads of their own, on none of which two of them overlap.
 */
#ifndef RECORDER_TOOLS_BARS_H
#define RECORDER_TOOLS_BARS_H

#include "analysis/operations.h"
#include "outputs.h"

struct bars;

/* `events` has its lanes, and must outlive it. NULL: no memory. */
struct bars *bars_new(struct out_events *events);
void bars_free(struct bars *bars);
/* An operation of a process, of those that are shown; they come by their ends. `data` are the bars. 0 or a negative errno. */
operations_sink bars_put;
/* The next events are of another file. */
void bars_next_file(struct bars *bars);

#endif
