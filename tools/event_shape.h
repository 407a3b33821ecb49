/* SPDX-License-Identifier: MIT */
/* event_shape.h - what events of a function have in common: which of its numbers may be others without that anything else is. */
#ifndef RECORDER_TOOLS_EVENT_SHAPE_H
#define RECORDER_TOOLS_EVENT_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "outputs.h"

/* Of a call, that may be others in the next one: the result and eight arguments. */
#define EVENT_NUMBERS 9u
#define EVENT_SHAPE_ARGS 16u /* of a function, at most */

/* What calls of a function have in common whose events differ in times and numbers alone: result and arguments but for these numbers. */
struct event_shape {
	bool fits; /* false: their events are not told by these */
	unsigned arg_count;
	bool has_result;                /* it is shown */
	bool result;                    /* it may be another number */
	uint32_t numbers;               /* arguments that may be: bit i stands for argument i */
	uint32_t named;                 /* of those, what is not above 0 has a name */
	uint32_t arrays;                /* arguments that are some */
	uint8_t sources[EVENT_NUMBERS]; /* which arguments those numbers are */
	unsigned source_count;
	bool has_same; /* something else must be as it was, or a number above 0, beside the objects */
};

/* Of the function with that id. */
struct event_shape event_shape_of(const struct out_events *events, unsigned id);

#endif
