/* SPDX-License-Identifier: MIT */
/* callkinds.c - see callkinds.h */
#include "callkinds.h"

#include <stdlib.h>

#include "analysis/operation.h"
#include "analysis/sumvalues.h"

struct kind {
	bool sum, sum_alone, aside;
};

struct call_kinds {
	const struct reader *trace;
	struct kind kinds[]; /* by function */
};

struct call_kinds *call_kinds_new(const struct reader *trace)
{
	unsigned count = reader_function_count(trace);
	struct call_kinds *kinds = calloc(1, sizeof(*kinds) + count * sizeof(struct kind));

	if (!kinds)
		return NULL;
	kinds->trace = trace;
	for (unsigned i = 0; i < count; i++) {
		const struct reader_function_info *info = reader_function_by_id(trace, i);

		kinds->kinds[i] = (struct kind){.sum = sum_is(info),
						.sum_alone = sum_is_alone(trace, info),
						.aside = operation_layer_is_aside(info->layer)};
	}
	return kinds;
}

void call_kinds_free(struct call_kinds *kinds)
{
	free(kinds);
}

static struct call_count count_sum(const struct call_kinds *kinds,
				   const struct recorder_record *record)
{
	struct sum_values sum = sum_values_of(kinds->trace, record);

	/* traces may say anything */
	return (struct call_count){.calls = sum.count > 0 ? (uint64_t)sum.count : 0,
				   .time = sum.time > 0 ? sum.time : 0,
				   .bytes = sum.has_bytes && sum.bytes > 0 ? sum.bytes : 0};
}

static struct call_count count_calls(const struct call_kinds *kinds,
				     const struct recorder_record *record)
{
	struct call_count count = {.calls = record->repeat, .time = record->busy};
	int64_t bytes = reader_bytes(kinds->trace, record);

	if (bytes > 0 && __builtin_mul_overflow(bytes, (int64_t)record->repeat, &count.bytes))
		count.bytes = INT64_MAX;
	return count;
}

struct call_count call_kinds_count(const struct call_kinds *kinds,
				   const struct recorder_record *record)
{
	const struct kind *kind = &kinds->kinds[record->func_id];
	struct call_count count = {0};

	if (!kind->sum)
		count = count_calls(kinds, record);
	else if (kind->sum_alone)
		count = count_sum(kinds, record);
	count.sum = kind->sum;
	count.aside = kind->aside;
	return count;
}
