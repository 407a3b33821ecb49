/* SPDX-License-Identifier: MIT */
/* record_order.c - see record_order.h */
#include "read/record_order.h"

#include <string.h>

static inline bool number_is_before(const struct records *records, uint32_t a, uint32_t b)
{
	struct source_entry x, y;

	if (records->items[a].tstart != records->items[b].tstart)
		return records->items[a].tstart < records->items[b].tstart;
	x = record_order_entry(records, a);
	y = record_order_entry(records, b);
	return record_order_before(&x, &y);
}

/* Merges the sorted runs [0, middle) and [middle, count). */
static void merge(const struct records *records, const uint32_t *from, uint32_t middle,
		  uint32_t count, uint32_t *to)
{
	uint32_t a = 0, b = middle;

	while (a < middle && b < count)
		*to++ = number_is_before(records, from[b], from[a]) ? from[b++] : from[a++];
	memcpy(to, from + a, (middle - a) * sizeof(*to));
	to += middle - a;
	memcpy(to, from + b, (count - b) * sizeof(*to));
}

uint32_t record_order_run_end(const struct records *records, const uint32_t *queue, uint32_t begin,
			      uint32_t count)
{
	uint32_t end = begin + 1;

	while (end < count && !number_is_before(records, queue[end], queue[end - 1]))
		end++;
	return end < count ? end : count;
}

uint32_t record_order_merge_runs(const struct records *records, const uint32_t *queue,
				 uint32_t count, uint32_t *to)
{
	uint32_t begin = 0, runs = 0;

	for (; begin < count; runs++) {
		uint32_t middle = record_order_run_end(records, queue, begin, count);
		uint32_t end = middle < count ? record_order_run_end(records, queue, middle, count)
					      : middle;

		merge(records, queue + begin, middle - begin, end - begin, to + begin);
		begin = end;
	}
	return runs;
}
