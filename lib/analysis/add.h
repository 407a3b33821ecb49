/* SPDX-License-Identifier: MIT */
/*
 * add.h - sums that stay where they are when they get too large: traces may say anything.
 */
#ifndef RECORDER_ANALYSIS_ADD_H
#define RECORDER_ANALYSIS_ADD_H

#include <recorder/analysis.h>

static inline void add_to(int64_t *sum, int64_t more)
{
	if (__builtin_add_overflow(*sum, more, sum))
		*sum = more < 0 ? INT64_MIN : INT64_MAX;
}

/* From one time to another, 0 where they lie the other way round. */
static inline int64_t time_between(int64_t begin, int64_t end)
{
	int64_t time = 0;

	if (end > begin && __builtin_sub_overflow(end, begin, &time))
		return INT64_MAX;
	return time;
}

static inline void add_times(int64_t *sum, int64_t more, uint32_t times)
{
	if (__builtin_mul_overflow(more, (int64_t)times, &more))
		more = more < 0 ? INT64_MIN : INT64_MAX;
	add_to(sum, more);
}

/* All but self time, where that is shared out otherwise. */
static inline void add_calls(struct analysis_sums *into, const struct analysis_sums *from)
{
	into->calls += from->calls;
	into->errors += from->errors;
	add_to(&into->time, from->time);
	add_to(&into->bytes_read, from->bytes_read);
	add_to(&into->bytes_written, from->bytes_written);
}

static inline void add_sums(struct analysis_sums *into, const struct analysis_sums *from)
{
	add_calls(into, from);
	add_to(&into->self, from->self);
}

/* A call, but for its self time, which is not known yet. */
static inline void add_call(struct analysis_sums *into, const struct recorder_record *record,
			    int64_t bytes_read, int64_t bytes_written)
{
	into->calls += record->repeat;
	into->errors += record->err ? record->repeat : 0;
	add_to(&into->time, record->busy);
	add_to(&into->bytes_read, bytes_read);
	add_to(&into->bytes_written, bytes_written);
}

static inline void add_sizes(struct analysis_sizes *into, const struct analysis_sizes *from)
{
	for (unsigned i = 0; i < ANALYSIS_SIZES; i++) {
		into->reads[i] += from->reads[i];
		into->writes[i] += from->writes[i];
	}
}

#endif
