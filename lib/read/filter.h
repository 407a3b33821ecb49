/* SPDX-License-Identifier: MIT */
/*
 * filter.h - the conditions of a cursor, parsed: asked of streams, threads and chunks before
 * anything is decoded, and of records last.
 */
#ifndef RECORDER_READ_FILTER_H
#define RECORDER_READ_FILTER_H

#include "read/trace.h"

/* first, first + step, ... last */
struct number_range {
	int64_t first, last, step;
};

/* Zeroed memory is the set of all numbers. */
struct number_set {
	struct number_range *ranges;
	unsigned count;
};

struct filter {
	struct number_set ranks, worlds, tids, streams, levels;
	uint8_t *functions; /* by func_id: asked for; NULL all */
	char *files;        /* a glob, NULL all */
	int64_t after, before, min_duration;
	int in_flight;
	bool none; /* filter_record() says yes to all */
	int (*accept)(void *data, const struct recorder_record *record);
	void *accept_data;
};

/* 0; -EINVAL: a list does not parse, the text of reader_error() says which; -ENOMEM. */
int filter_parse(struct filter *filter, const struct reader *trace,
		 const struct reader_filter *from);
void filter_release(struct filter *filter);

bool filter_stream(const struct filter *filter, const struct stream *stream);
bool filter_thread(const struct filter *filter, const struct thread *thread);
bool filter_chunk(const struct filter *filter, const struct stream *stream,
		  const struct chunk *chunk);

/* What can be asked of a raw record; `function` is that of the trace. */
static inline bool filter_function(const struct filter *filter, const struct function *function)
{
	return !filter->functions || filter->functions[function->info.id];
}

/* The streams from *first to *end, not included, have all that filter_stream() lets through: a cursor over one stream of a hundred thousand should not look at all. */
void filter_stream_range(const struct filter *filter, unsigned stream_count, unsigned *first,
			 unsigned *end);
bool number_set_has(const struct number_set *set, int64_t number);

/* All that filter_stream(), filter_thread() and filter_function() do not ask. */
bool filter_record(const struct filter *filter, const struct reader *trace,
		   const struct recorder_record *record);

#endif
