/* SPDX-License-Identifier: MIT */
/*
 * histogram.h - numbers of which is kept alone how many there are of which size, and their sum: doc/format.md section 5, "Histograms".
 *
 * A bucket is a symbol of sequence.h: numbers below 128 are exact, the others within 1/16. Readers get numbers back that are as many in each bucket as there
 * were, with the same sum, in an order that spreads each size over the whole.
 */
#ifndef RECORDER_FORMAT_HISTOGRAM_H
#define RECORDER_FORMAT_HISTOGRAM_H

#include "format/sequence.h"

#define HISTOGRAM_EXACT (1u << SEQUENCE_DIRECT_LOG) /* buckets below hold one number each */

/* ---- writing ---- */

struct histogram_work {
	uint32_t counts[SEQUENCE_SYMBOLS]; /* zeros before and after */
};

void histogram_write(struct histogram_work *work, const uint64_t *numbers, uint32_t count,
		     struct varints *words);

/* ---- reading ---- */

struct histogram {
	uint64_t *numbers; /* in rising order */
	uint32_t count, left;
	uint32_t at,
		step; /* the place of the last one that was dealt, and from there to the next */
};

/* Reads the one that is next in `words`; its numbers, at most `most`, are put into memory of `bump`. 0, -EBADMSG, -ENOBUFS: there is too little. */
int histogram_read(struct histogram *histogram, uint32_t most, struct bytes *words,
		   struct bump *bump);

/* Deals the next number. False: there is none left. */
static inline bool histogram_next(struct histogram *histogram, uint64_t *number)
{
	if (__builtin_expect(histogram->left == 0, 0))
		return false;
	histogram->left--;
	histogram->at += histogram->step;
	if (histogram->at >= histogram->count)
		histogram->at -= histogram->count;
	*number = histogram->numbers[histogram->at];
	return true;
}

#endif
