/* SPDX-License-Identifier: MIT */
/* sumvalues.c - see sumvalues.h */
#include "analysis/sumvalues.h"

#include <string.h>

bool sum_is(const struct reader_function_info *function)
{
	return !strcmp(function->result.kind, "sum");
}

bool sum_is_alone(const struct reader *trace, const struct reader_function_info *function)
{
	unsigned count = reader_function_count(trace);

	if (!sum_is(function))
		return false;
	for (unsigned i = 0; i < count; i++) {
		const struct reader_function_info *other = reader_function_by_id(trace, i);

		if (!sum_is(other) && !strcmp(other->name, function->name) &&
		    !strcmp(other->layer, function->layer))
			return false;
	}
	return true;
}

/* By its name: a later version may have more of them, and in another order. */
static bool argument(const struct reader_function_info *function,
		     const struct recorder_record *record, const char *name, int64_t *value)
{
	for (unsigned i = 0; i < record->arg_count && i < function->arg_count; i++) {
		if (function->args[i].class_ != READER_INT || strcmp(function->args[i].name, name))
			continue;
		*value = record->args[i].i64;
		return record->args[i].state == RECORDER_ARG_PRESENT;
	}
	return false;
}

struct sum_values sum_values_of(const struct reader *trace, const struct recorder_record *record)
{
	const struct reader_function_info *function = reader_function(trace, record);
	struct sum_values values = {0};
	int64_t back = 0;

	argument(function, record, "count", &values.count);
	argument(function, record, "time", &values.time);
	argument(function, record, "interval", &values.interval);
	argument(function, record, "back", &back);
	values.has_bytes = argument(function, record, "bytes", &values.bytes);
	values.has_queue = argument(function, record, "queue", &values.queue);
	if (__builtin_sub_overflow(record->tstart, back, &values.begin))
		values.begin = record->tstart;
	return values;
}
