/* SPDX-License-Identifier: MIT */
/*
 * histogram.h - numbers of which is kept alone how many there are of which size, and their sum: doc/format.md section 5, "Histograms".
 *
 * A bucket is a symbol of sequence.h, or some of them: numbers below 128 are exact, the others within 1/16, or 1/4. Readers get numbers back that are as many in each bucket as there
 * were, with the same sum, in an order that spreads each size over the whole.
 */
#ifndef RECORDER_FORMAT_HISTOGRAM_H
#define RECORDER_FORMAT_HISTOGRAM_H

#include "format/bump.h"
#include "format/sequence.h"
#include "format/varint.h"

#define HISTOGRAM_EXACT (1u << SEQUENCE_DIRECT_LOG) /* buckets below hold one number each */

/* ---- writing ---- */

struct histogram_work {
	uint32_t counts[SEQUENCE_SYMBOLS]; /* zeros before and after */
};

void histogram_write(struct histogram_work *work, const uint64_t *numbers, uint32_t count,
		     struct varints *words);

/*
 * Of one that is read in parts a bucket has the numbers that agree in their highest bit and the two bits after it: there are so few that a rare number, which makes a
 * bucket of its own, does not matter however many numbers there are.
 */
#define HISTOGRAM_PARTS_LOG 2u
#define HISTOGRAM_SINGLE                                                                           \
	(2u << HISTOGRAM_PARTS_LOG) /* numbers below it have buckets of their own */

/* Its symbol is that of its least number. */
static inline unsigned histogram_bucket(uint64_t number)
{
	if (number < HISTOGRAM_SINGLE)
		return (unsigned)number;
	return sequence_symbol(number >> (ans_log(number) - HISTOGRAM_PARTS_LOG)
						 << (ans_log(number) - HISTOGRAM_PARTS_LOG));
}

/* One that numbers are added to as they come, to be read in parts. Zeroed memory is empty. */
struct histogram_counts {
	uint64_t excess; /* what they are together more than the least ones of their buckets */
	uint32_t counts[SEQUENCE_SYMBOLS];
};

static inline void histogram_add(struct histogram_counts *histogram, uint64_t number)
{
	unsigned symbol = histogram_bucket(number);

	histogram->counts[symbol]++;
	histogram->excess += number - sequence_least(symbol);
}

/* As if the number had not been added. */
static inline void histogram_take_back(struct histogram_counts *histogram, uint64_t number)
{
	unsigned symbol = histogram_bucket(number);

	histogram->counts[symbol]--;
	histogram->excess -= number - sequence_least(symbol);
}

/* Adds all numbers of one to another one, and empties it. */
void histogram_move(struct histogram_counts *to, struct histogram_counts *from);

/* Returns how many buckets it has. */
uint32_t histogram_put(const struct histogram_counts *histogram, struct varints *words);

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

/* Equal numbers of a histogram, in rising order. */
struct histogram_run {
	uint64_t value;
	uint64_t end; /* how many numbers there are up to here */
};

/* One of which parts are dealt. */
struct histogram_runs {
	struct histogram_run *runs;
	uint32_t count;
	uint32_t buckets;
	uint64_t numbers;
};

/* A part: in rising order the numbers are divided into groups of `each`, and one group in every `of` is taken, the first one after `which` others. */
struct histogram_share {
	uint64_t each, which, of;
};

/* As histogram_read(), of one that histogram_put() wrote. */
int histogram_read_runs(struct histogram_runs *runs, uint32_t most, struct bytes *words,
			struct bump *bump);
/* Makes what deals the numbers of that part. 0, -ENOBUFS. */
int histogram_deal(struct histogram *histogram, const struct histogram_runs *runs,
		   struct histogram_share share, struct bump *bump);
/* Their sum, which fits as that of all does. */
uint64_t histogram_sum(const struct histogram_runs *runs, struct histogram_share share);

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
