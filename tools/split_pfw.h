/* SPDX-License-Identifier: MIT */
/*
 * split_pfw.h - a trace converted to .pfw in several files, each of which has the names that it uses. The lines are those of to_events.h, in the same order. One process does it: where a file ends depends
 * on all that is before.
 */
#ifndef RECORDER_TOOLS_SPLIT_PFW_H
#define RECORDER_TOOLS_SPLIT_PFW_H

#include "fileset.h"
#include "to_events.h"

/* Converts the trace of `walk`, counting walk->records, into a set that fileset_begin() made. 0 or a negative errno; a trace that cannot be read ends the process. */
int split_pfw(struct walk *walk, struct fileset *set, const struct convert_options *options);

#endif
