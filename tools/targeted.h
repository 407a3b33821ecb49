/* SPDX-License-Identifier: MIT */
/*
 * targeted.h - the functions that a run was to trace by name, and whether they were there.
 */
#ifndef RECORDER_TOOLS_TARGETED_H
#define RECORDER_TOOLS_TARGETED_H

#include <recorder/reader.h>

/*
 * Warns of each of `targets` (RECORDER_TARGETS; NULL: none) that no process of the trace has a function for, with the names most like it that any of
 * them met. Returns how many that are. `trace` NULL: nothing was recorded.
 */
unsigned targeted_missing(const char *targets, const struct reader *trace);

#endif
