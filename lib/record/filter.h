/* SPDX-License-Identifier: MIT */
/*
 * filter.h - which functions are recorded: RECORDER_LAYERS and RECORDER_FUNCTIONS, and whether this process is at all:
 * RECORDER_RANKS, RECORDER_PROGRAMS.
 */
#ifndef RECORDER_RECORD_FILTER_H
#define RECORDER_RECORD_FILTER_H

#include <stdbool.h>

/* Sets function_state[] by layers and functions. */
void filter_functions(void);
/* No function is recorded any more. */
void filter_nothing(void);
/* Pauses recording, or goes on with what filter_functions() allowed. */
void filter_pause(bool pause);
/* Whether this rank and program are to be recorded. */
bool filter_allows_process(void);

#endif
