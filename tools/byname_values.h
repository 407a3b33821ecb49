/* SPDX-License-Identifier: MIT */
/*
 * byname_values.h - arguments and results of calls by name, as JSON.
 */
#ifndef RECORDER_TOOLS_BYNAME_VALUES_H
#define RECORDER_TOOLS_BYNAME_VALUES_H

#include <recorder/reader.h>

#include "json.h"

/* Into the call's object: "arguments": {...} with those of its record but usage, and "result" or "yield" if it has one. */
void byname_values(struct json *json, const struct reader *trace,
		   const struct recorder_record *record);

#endif
