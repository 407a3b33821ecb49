/* SPDX-License-Identifier: MIT */
/*
 * number_queue.h - the numbers of a sequence, or of two that are as long, read some at a time: one loop over many is faster than many calls for one.
 */
#ifndef RECORDER_FORMAT_NUMBER_QUEUE_H
#define RECORDER_FORMAT_NUMBER_QUEUE_H

#include "format/sequence_decode.h"

#define NUMBERS_AHEAD 128u

struct numbers {
	const uint64_t *next, *end;
	uint64_t *
		ahead; /* room for NUMBERS_AHEAD, or for all if they are fewer; of pairs twice that */
	struct sequence sequence;
};

struct number_pairs {
	struct numbers numbers; /* the sequence of the first ones; both of a pair lie together */
	struct sequence second;
};

/* As sequence_open(). */
int numbers_open(struct numbers *numbers, struct bytes *words, struct bytes *bits,
		 struct bump *bump);
/* The same after both sequences were opened. -EBADMSG: one has more than the other. */
int number_pairs_open(struct number_pairs *pairs, struct bump *bump);
/* Reads more. False: there is none; they are bad then. */
bool numbers_more(struct numbers *numbers);
bool number_pairs_more(struct number_pairs *pairs);

/* The next number; 0 if there is none. */
static inline uint64_t numbers_next(struct numbers *numbers)
{
	if (__builtin_expect(numbers->next == numbers->end, 0) && !numbers_more(numbers))
		return 0;
	return *numbers->next++;
}

/* The next pairs, `count` or as many of them as are read together; returns how many, 0 if there is none. */
static inline uint32_t number_pairs_take(struct number_pairs *pairs, uint32_t count,
					 const uint64_t **first)
{
	struct numbers *numbers = &pairs->numbers;
	size_t ready;

	if (__builtin_expect(numbers->next == numbers->end, 0) && !number_pairs_more(pairs))
		return 0;
	*first = numbers->next;
	ready = (size_t)(numbers->end - numbers->next) / 2;
	if (ready < count)
		count = (uint32_t)ready;
	numbers->next += 2 * (size_t)count;
	return count;
}

/* Whether as many were taken as were written, and nothing was wrong. */
static inline bool numbers_ended(const struct numbers *numbers)
{
	return numbers->next == numbers->end && sequence_ended(&numbers->sequence);
}

static inline bool number_pairs_ended(const struct number_pairs *pairs)
{
	return numbers_ended(&pairs->numbers) && sequence_ended(&pairs->second);
}

#endif
