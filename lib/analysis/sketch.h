/* SPDX-License-Identifier: MIT */
/*
 * sketch.h - quantiles of numbers, by how many there are of which size. Sketches of parts added up are that of the whole, so that
 * results do not depend on who counted what.
 *
 * Buckets are the symbols of format/sequence.h: numbers below 128 are exact, of others a sixteenth of each power of two is one bucket. A quantile is the middle
 * of its bucket, so within 1/32 of the number itself.
 */
#ifndef RECORDER_ANALYSIS_SKETCH_H
#define RECORDER_ANALYSIS_SKETCH_H

#include "format/sequence.h"

struct sketch {
	uint64_t counts[SEQUENCE_SYMBOLS];
};

static inline void sketch_add(struct sketch *sketch, uint64_t number, uint64_t times)
{
	sketch->counts[sequence_symbol(number)] += times;
}

void sketch_merge(struct sketch *into, const struct sketch *from);
/* The number that a share `quantile`, 0 to 1, of all is not above; 0 if there are none. */
uint64_t sketch_quantile(const struct sketch *sketch, double quantile);

#endif
