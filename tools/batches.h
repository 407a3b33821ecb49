/* SPDX-License-Identifier: MIT */
/*
 * batches.h - the streams that a filter asks for, in their order, put together into batches: large streams are one each, small ones come many to a batch. What reads them
 * one after the other, each by time, needs memory for one stream however many there are.
 *
 * What is in a batch depends on the trace and on the conditions on streams alone. Processes that work together have batches that follow each other, so that what they make
 * can be put one behind the other:
 *
 *	streams   0            1 2 3 4 5 6 ... 99  100          101
 *	batches   0            1                   2            3
 *	process   0            0                   1            2
 */
#ifndef RECORDER_TOOLS_BATCHES_H
#define RECORDER_TOOLS_BATCHES_H

#include <stdbool.h>

#include <recorder/reader.h>

struct batch {
	unsigned first, end; /* streams, `end` not included; not all of them need be wanted */
	uint64_t
		records; /* in them, with those in flight; more than there are of what is damaged */
	uint64_t cost;   /* of reading them, in records */
};

struct batches {
	bool *wanted; /* by stream */
	struct batch *items;
	unsigned count;
};

/* Those of a trace that options.filter asks for. Ends the process if the filter is wrong. */
void batches_init(struct batches *batches, const struct reader *trace);
void batches_release(struct batches *batches);

/* Those of process `number` of `count`, so that nobody has more than there has to be: *first up to *end, not included. */
void batches_share(const struct batches *batches, unsigned count, unsigned number, unsigned *first,
		   unsigned *end);

/*
 * By stream: how many records all streams before it have at most, with those in flight and what is damaged. Records that are counted by time within their
 * stream, from there on, have numbers that depend on no other stream. To be freed.
 */
uint64_t *batches_numbers(const struct reader *trace);

#endif
