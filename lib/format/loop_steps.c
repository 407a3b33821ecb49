/* SPDX-License-Identifier: MIT */
/* loop_steps.c - see loop_steps.h */
#include "format/loop_steps.h"

#include <errno.h>

static const struct raw_record *record_at(const uint8_t *block, uint32_t at)
{
	return (const struct raw_record *)(block + at);
}

enum loop_word loop_word(const struct encode_function *function, const struct raw_record *record,
			 uint32_t word)
{
	uint32_t first = sizeof(*record) / 8, arg = word - first;
	unsigned class = 0;

	if (word == offsetof(struct raw_record, result) / 8)
		class = function->result_class;
	else if (word >= first && arg < record->arg_count && arg < function->arg_count)
		class = function->arg_classes[arg];
	else if (word >= first + record->arg_count &&
		 loop_array_field_at(record, function->arg_classes, function->arg_count, 8 * word)
				 .at > 0)
		class = CLASS_INT;
	if (class == CLASS_PAIR)
		return LOOP_PAIR;
	return class == CLASS_INT || class == CLASS_DOUBLE ? LOOP_NUMBER : LOOP_FIXED;
}

struct loop_step loop_step_of(const struct encode_function *function,
			      const struct raw_record *record, uint32_t number, uint32_t at,
			      uint32_t word, uint64_t step)
{
	uint32_t first = sizeof(*record) / 8;
	struct loop_field field = {.number = word < first ? LOOP_RESULT : 1 + word - first};

	if (word >= first + record->arg_count)
		field = loop_array_field_at(record, function->arg_classes, function->arg_count,
					    8 * word);
	return (struct loop_step){.at = at + word * 8,
				  .record = number,
				  .field = field.number,
				  .implied = field.implied,
				  .pair = loop_word(function, record, word) == LOOP_PAIR,
				  .step = step};
}

uint64_t loop_difference(uint64_t from, uint64_t to, bool pair)
{
	if (!pair)
		return to - from;
	return pair_make((int32_t)((uint32_t)to - (uint32_t)from), pair_id(to) - pair_id(from));
}

int loop_record_steps(const struct encode_function *function, const struct raw_record *record,
		      const uint64_t *to, uint32_t number, uint32_t at, struct loop_step *steps,
		      uint32_t room)
{
	const uint64_t *from = (const uint64_t *)record;
	uint32_t count = 0;

	if (from[0] != to[0] || from[1] >> 32 != to[1] >> 32)
		return -1;
	for (uint32_t word = LOOP_FIRST_COMPARED; word < record->size / 8; word++) {
		enum loop_word kind;

		if (from[word] == to[word])
			continue;
		kind = loop_word(function, record, word);
		if (kind == LOOP_FIXED || count == room)
			return -1;
		steps[count++] =
			loop_step_of(function, record, number, at, word,
				     loop_difference(from[word], to[word], kind == LOOP_PAIR));
	}
	return (int)count;
}

/* From the first iteration to the second. */
static int find_steps(struct loop *loop, const struct loop_input *input)
{
	uint32_t at = 0, most = LOOP_STEPS_EACH * loop->period;

	for (uint32_t i = 0; i < loop->period; i++) {
		const struct raw_record *from = record_at(input->records, at);
		struct encode_function function = input->function(input->data, from->function);
		const uint8_t *to = input->records + loop->block_size + at;
		int count =
			loop_record_steps(&function, from, (const uint64_t *)to, i, at,
					  &loop->steps[loop->step_count], most - loop->step_count);

		if (count < 0)
			return -ENOENT;
		loop->step_count += (uint32_t)count;
		at += from->size;
	}
	return 0;
}

static int set_steps(struct loop *loop, const struct loop_input *input)
{
	const struct loop_turn *turn = input->turn;

	if (!turn)
		return find_steps(loop, input);
	if (turn->step_count > LOOP_STEPS_EACH * loop->period)
		return -E2BIG;
	memcpy(loop->steps, turn->steps, turn->step_count * sizeof(*loop->steps));
	loop->step_count = turn->step_count;
	return 0;
}

/* Steps of each part, what they are from the last time in an iteration to the first of the next. */
static void divide_steps(struct loop *loop)
{
	uint32_t step = 0;

	for (uint32_t i = 0; i < loop->part_count; i++) {
		struct loop_part *part = &loop->parts[i];

		loop->turn += part->count * part->times;
		for (; step < loop->step_count && loop->steps[step].at < part->at + part->size;
		     step++) {
			struct loop_step *own = &loop->steps[step];

			own->back = loop_sum(own->step, own->within, 1 - (uint64_t)part->times,
					     own->pair);
		}
		part->steps_until = step;
	}
}

/* Fields behind the arguments of a record come in the order in which they lie there. */
static int check_steps(struct loop *loop, const uint8_t *records)
{
	const struct loop_step *before = NULL;
	uint32_t record = 0, at = 0;

	for (uint32_t i = 0; i < loop->step_count; i++) {
		const struct loop_step *step = &loop->steps[i];

		for (; record < step->record; record++)
			at += record_at(records, at)->size;
		loop->arrays |= step->field > record_at(records, at)->arg_count;
		if (before && before->record == step->record && before->field >= step->field)
			return -ENOENT;
		before = step;
	}
	return 0;
}

void loop_grow(uint8_t *block, const struct loop_step *steps, uint32_t count, uint64_t times)
{
	for (const struct loop_step *step = steps; step < steps + count; step++) {
		uint64_t *value = (uint64_t *)(void *)(block + step->at);

		*value = loop_sum(*value, step->step, times, step->pair);
	}
}

int loop_set_steps(struct loop *loop, const struct loop_input *input)
{
	int error = set_steps(loop, input);

	if (!error)
		error = check_steps(loop, input->records);
	if (!error)
		divide_steps(loop);
	return error;
}
