/* SPDX-License-Identifier: MIT */
/*
 * summed_decode.h - times for the records of a chunk of DATA encoding 3: made up from its histograms, so that calls lie one in the other, and their times in each
 * context have the sum and the sizes that they had.
 *
 * Nothing that a body can hold makes it read or write outside.
 */
#ifndef RECORDER_FORMAT_SUMMED_DECODE_H
#define RECORDER_FORMAT_SUMMED_DECODE_H

#include "format/histogram.h"
#include "format/lists.h"
#include "format/nesting.h"

/* Of a chunk: in the caller's memory. */
struct summed {
	uint16_t *signature; /* of each record; the caller fills it in */
	struct nesting_kind *kinds;
	uint64_t *begin, *end; /* of each record, time units */
	uint32_t *marks;
	uint64_t *gaps; /* before the marks; when times are dealt, the time units of the marks */
	uint32_t mark_count, context_count;
	struct histogram *begins, *ends; /* of each context */
};

/* Reads marks and histograms, which are next in `words`, takes memory from `bump` for all. 0, -EBADMSG, -ENOBUFS: there is too little. */
int summed_open(struct summed *summed, const struct lists *lists, uint32_t signatures,
		uint32_t contexts, struct bytes *words, struct bump *bump);
/* With the signatures and their kinds: sets begins and ends. 0, -EBADMSG, -ENOBUFS. */
int summed_deal(struct summed *summed, const struct lists *lists, struct bump *bump);

#endif
