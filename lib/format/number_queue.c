/* SPDX-License-Identifier: MIT */
/* number_queue.c - see number_queue.h */
#include "format/number_queue.h"

#include <errno.h>

static uint32_t part(const struct numbers *numbers)
{
	return numbers->sequence.left < NUMBERS_AHEAD ? numbers->sequence.left : NUMBERS_AHEAD;
}

static int reserve(struct numbers *numbers, unsigned each, struct bump *bump)
{
	numbers->ahead = bump_take(bump, part(numbers), each * sizeof(*numbers->ahead));
	numbers->next = numbers->end = numbers->ahead;
	return numbers->ahead ? 0 : -ENOBUFS;
}

int numbers_open(struct numbers *numbers, struct bytes *words, struct bytes *bits,
		 struct bump *bump)
{
	int error = sequence_open(&numbers->sequence, words, bits, bump);

	return error ? error : reserve(numbers, 1, bump);
}

int number_pairs_open(struct number_pairs *pairs, struct bump *bump)
{
	if (pairs->numbers.sequence.left != pairs->second.left)
		return -EBADMSG;
	return reserve(&pairs->numbers, 2, bump);
}

bool numbers_more(struct numbers *numbers)
{
	uint32_t count = part(numbers);

	if (count == 0) {
		numbers->sequence.bad = true;
		return false;
	}
	sequence_read(&numbers->sequence, numbers->ahead, count);
	numbers->next = numbers->ahead;
	numbers->end = numbers->ahead + count;
	return true;
}

bool number_pairs_more(struct number_pairs *pairs)
{
	struct numbers *numbers = &pairs->numbers;
	uint32_t count = part(numbers);

	if (count == 0) {
		numbers->sequence.bad = true;
		return false;
	}
	sequence_read_two(&numbers->sequence, &pairs->second, numbers->ahead, count);
	numbers->next = numbers->ahead;
	numbers->end = numbers->ahead + 2 * (size_t)count;
	return true;
}
