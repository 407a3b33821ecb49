/* SPDX-License-Identifier: MIT */
/*
 * event_values.h - arguments and results of calls as JSON values, for the event forms: numbers, or strings where they have a symbolic text.
 */
#ifndef RECORDER_TOOLS_EVENT_VALUES_H
#define RECORDER_TOOLS_EVENT_VALUES_H

#include "outputs.h"
#include "values.h"

/* Whether a value by that rule is a plain number that says as much as its text; with events->numeric those with symbols are, too. */
bool event_value_is_number(const struct out_events *events, enum value_rule rule);

/* Argument `index` of a record; null: it is absent. */
void event_arg_value(struct out_events *events, const struct recorder_record *record,
		     unsigned index, enum value_rule rule);
void event_result_value(struct out_events *events, const struct recorder_record *record,
			enum value_rule rule);

#endif
