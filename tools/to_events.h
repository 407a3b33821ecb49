/* SPDX-License-Identifier: MIT */
/*
 * to_events.h - a trace converted to events by one process, or by several together: those of -j, or the ranks of a launcher.
 *
 * The trace is divided into parcels, which take their turn in the output (turns.h). Parcels of Chrome JSON are of three kinds, in this order: records; what went on in a process, of which
 * all are made by who has its first one; messages, whose ends everybody has told everybody before (links.h).
 *
 * The output is the same for any number of processes, as what is made of a parcel depends on the trace alone.
 */
#ifndef RECORDER_TOOLS_TO_EVENTS_H
#define RECORDER_TOOLS_TO_EVENTS_H

#include "walk.h"

struct events_form;

struct convert_options {
	bool force, gzip;
	const struct events_form *form;
	bool no_args, show_stacks, later; /* see struct out_events */
	bool alone;        /* by this process, whatever other ranks a launcher started */
	unsigned jobs;     /* processes, at least 1 */
	unsigned problems; /* set: of the trace, that other processes found */
};

/*
 * Converts the trace of `walk`, counting walk->records. False: this process is a rank that has done its share, and another one tells the result. Ends with a message if it
 * fails.
 */
bool convert_events(struct walk *walk, const char *path, struct convert_options *options);

#endif
