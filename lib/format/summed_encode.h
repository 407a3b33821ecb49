/* SPDX-License-Identifier: MIT */
/*
 * summed_encode.h - times of a chunk of DATA encoding 3 into words: the marks, and for each context (nesting.h) a histogram of the gaps before its begins and one of
 * those before its ends.
 */
#ifndef RECORDER_FORMAT_SUMMED_ENCODE_H
#define RECORDER_FORMAT_SUMMED_ENCODE_H

#include "format/histogram.h"
#include "format/nesting.h"

#define SUMMED_CONTEXTS 8192u
#define SUMMED_MARKS 256u
#define SUMMED_DEPTH 512u

struct summed_input {
	uint32_t count; /* records, at least 1 */
	uint32_t carried_count, mark_count;
	const uint16_t *signature; /* of each record */
	const struct nesting_kind *kinds;
	uint64_t *begin, *end;   /* of each record, time units; they are overwritten */
	uint64_t *sorted;        /* room for as many */
	const uint32_t *carried; /* indices, in rising order */
	uint64_t *marks;         /* instants, in rising order; they are overwritten */
	const uint32_t *mark_at; /* before which record each lies */
	uint64_t base;           /* begin of the chunk */
};

/* Memory of one encoding. */
struct summed_work {
	struct histogram_work histogram;
	struct nesting nesting;
	struct nesting_open open[SUMMED_DEPTH];
	uint32_t begins[SUMMED_CONTEXTS], ends[SUMMED_CONTEXTS]; /* gaps of each context */
	uint32_t next[SUMMED_CONTEXTS + 1];
	uint16_t *context; /* of each record */
	struct summed_input input;
};

/* Bytes that the work for so many records needs. */
size_t summed_work_size(size_t records);

/*
 * Finds contexts and gaps; returns how many contexts there are. -E2BIG: too many of something. -ERANGE: calls do not lie one in the other, or a mark is in the midst of
 * one, so that times cannot be summed. `input` must last until the words are written.
 */
int summed_measure(struct summed_work *work, struct bump *bump, const struct summed_input *input);
void summed_write(struct summed_work *work, struct varints *words);

#endif
