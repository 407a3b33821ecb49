/* SPDX-License-Identifier: MIT */
/*
 * event_keys.h - what functions and their arguments are called in the event forms.
 */
#ifndef RECORDER_TOOLS_EVENT_KEYS_H
#define RECORDER_TOOLS_EVENT_KEYS_H

#include "outputs.h"

/* "name":"pwrite","cat":"POSIX" of a function, with events->later its "type" too; `upper` writes layers in upper case. */
void event_head_text(const struct out_events *events, struct output *output,
		     const struct reader_function_info *function, bool upper);

/* ,"count": of a function's argument. Unless events->own_names is set, "arg_" stands before names that would hide one of our own keys. */
void event_key_text(const struct out_events *events, struct output *output,
		    const struct reader_function_info *function,
		    const struct reader_parameter *parameter);

#endif
