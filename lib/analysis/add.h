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

static inline void add_times(int64_t *sum, int64_t more, uint32_t times)
{
	if (__builtin_mul_overflow(more, (int64_t)times, &more))
		more = more < 0 ? INT64_MIN : INT64_MAX;
	add_to(sum, more);
}

static inline void add_sums(struct analysis_sums *into, const struct analysis_sums *from)
{
	into->calls += from->calls;
	into->errors += from->errors;
	add_to(&into->time, from->time);
	add_to(&into->self, from->self);
	add_to(&into->bytes_read, from->bytes_read);
	add_to(&into->bytes_written, from->bytes_written);
}

static inline void add_sizes(struct analysis_sizes *into, const struct analysis_sizes *from)
{
	for (unsigned i = 0; i < ANALYSIS_SIZES; i++) {
		into->reads[i] += from->reads[i];
		into->writes[i] += from->writes[i];
	}
}

#endif
