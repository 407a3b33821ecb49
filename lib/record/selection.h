/* SPDX-License-Identifier: MIT */
/*
 * selection.h - which functions are recorded: RECORDER_LAYERS and RECORDER_FUNCTIONS, and whether this process is at all:
 * RECORDER_RANKS, RECORDER_PROGRAMS.
 */
#ifndef RECORDER_RECORD_SELECTION_H
#define RECORDER_RECORD_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "record/function.h"

/* Sets function_state[] by layers and functions. */
void selection_apply(void);
/* Nor after that, nor after a pause, is anything recorded of layers whose name begins so. */
void selection_drop(const char *layers);
/* Notes names in those two variables that no layer and no function has. */
void selection_warn(void);
/* The state that a function begins with which is in no catalogue. */
uint8_t selection_state(const char *layer, const char *name);
/* How many functions of a layer are recorded, or will be after a pause; of what is filtered out, which is for good, none. */
unsigned selection_count(const struct layer_entry *layer);
/* No function is recorded any more. */
void selection_none(void);
/* Pauses recording, or goes on with what selection_apply() allowed. */
void selection_pause(bool pause);
/* Whether this rank and program are to be recorded. */
bool selection_has_process(void);

/* Whether a comma list of globs chooses `name`: the last entry that matches decides, "-GLOB" takes away; without any positive
 * entry all others are in. */
bool selection_chosen(const char *list, const char *name);
/* The same of a layer: "all" stands for each, "default" for those that are not opt-in; without any positive entry it is "default". */
bool selection_chosen_layer(const char *list, const char *layer, bool opt_in);

#endif
