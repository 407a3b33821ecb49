/* SPDX-License-Identifier: MIT */
/* predictor.c - see predictor.h */
#include "format/predictor.h"

#include <string.h>

static void begin_cycle(struct predictor *predictor)
{
	predictor->begin = predictor->context;
	predictor->length = predictor->at = 0;
	predictor->closed = false;
}

void predictor_begin(struct predictor *predictor, uint16_t *predicted)
{
	predictor->predicted = predicted;
	predictor->context = (struct signature_context){0};
	predictor->run = numbers_next(&predictor->runs);
	begin_cycle(predictor);
}

static bool is_same(struct signature_context a, struct signature_context b)
{
	return a.one == b.one && a.two == b.two && a.three == b.three;
}

/* One that was not predicted. */
static uint64_t learn(struct predictor *predictor)
{
	uint64_t number = numbers_next(&predictor->ids);

	predictor->run = numbers_next(&predictor->runs);
	predictor->predicted[predictor_place(predictor->context)] = (uint16_t)(number + 1);
	predictor->context = predictor_after(predictor->context, (uint32_t)number + 1);
	begin_cycle(predictor);
	return number;
}

/* Some that are predicted, until they come around; how many. */
static uint32_t predict(struct predictor *predictor, uint16_t *numbers, uint32_t count,
			uint32_t signatures, bool *right)
{
	uint32_t done = 0;

	while (done < count && !predictor->closed) {
		uint32_t one = predictor->predicted[predictor_place(predictor->context)];

		*right &= one - 1 < signatures;
		numbers[done++] = (uint16_t)(one - 1);
		predictor->context = predictor_after(predictor->context, one);
		predictor->cycle[predictor->length++] = (uint16_t)(one - 1);
		if (is_same(predictor->context, predictor->begin))
			predictor->closed = true;
		else if (predictor->length == PREDICTOR_CYCLE)
			begin_cycle(predictor);
	}
	return done;
}

static uint32_t one_before(const struct predictor *predictor, uint32_t back)
{
	return predictor
		       ->cycle[(predictor->at + 3 * predictor->length - back) % predictor->length] +
	       1u;
}

/* The cycle from where it is, once or as far as `count` goes; then what is there is copied behind itself. */
static void repeat(struct predictor *predictor, uint16_t *numbers, uint32_t count)
{
	uint32_t length = predictor->length, done = 0;

	while (done < count && done < length) {
		numbers[done++] = predictor->cycle[predictor->at++];
		if (predictor->at == length)
			predictor->at = 0;
	}
	predictor->at = (predictor->at + (count - done)) % length;
	while (done < count) {
		uint32_t more = done < count - done ? done : count - done;

		memcpy(numbers + done, numbers, more * sizeof(*numbers));
		done += more;
	}
	predictor->context =
		(struct signature_context){one_before(predictor, 1), one_before(predictor, 2),
					   one_before(predictor, 3)};
}

bool predictor_take(struct predictor *predictor, uint16_t *numbers, uint32_t count,
		    uint32_t signatures)
{
	bool right = true;
	uint32_t done = 0;

	while (done < count && right) {
		uint32_t left = count - done;

		if (predictor->run == 0) {
			uint64_t number = learn(predictor);

			right = number < signatures;
			numbers[done++] = (uint16_t)number;
			continue;
		}
		left = predictor->run < left ? (uint32_t)predictor->run : left;
		if (predictor->closed)
			repeat(predictor, numbers + done, left);
		else
			left = predict(predictor, numbers + done, left, signatures, &right);
		predictor->run -= left;
		done += left;
	}
	return right;
}
