/* SPDX-License-Identifier: MIT */
/*
 * loop_steps.h - in which fields the records of a loop count on, and by how much: steps, doc/format.md section 5.
 */
#ifndef RECORDER_FORMAT_LOOP_STEPS_H
#define RECORDER_FORMAT_LOOP_STEPS_H

#include "format/loop_encode.h"

/* How a word of a record may differ from one iteration to the next. */
enum loop_word {
	LOOP_FIXED, /* not at all */
	LOOP_NUMBER,
	LOOP_PAIR /* both halves by themselves */
};
enum loop_word loop_word(const struct encode_function *function, const struct raw_record *record,
			 uint32_t word);
/* The step from one value to the other. */
uint64_t loop_difference(uint64_t from, uint64_t to, bool pair);
/* A step of a word of record number `number`, which is at byte `at` of the block. */
struct loop_step loop_step_of(const struct encode_function *function,
			      const struct raw_record *record, uint32_t number, uint32_t at,
			      uint32_t word, uint64_t step);

/* Sets those of the loop, from the first iteration to the second or as they were learned. 0; -ENOENT: records differ by more than numbers; -E2BIG: there are too many. */
int loop_set_steps(struct loop *loop, const struct loop_input *input);
/*
 * Those from a record to one that is the same but for numbers, the words `to`; `number` and `at`: of the record in the block. How many there are; -1: they differ by more, or there are more
 * than `room`.
 */
int loop_record_steps(const struct encode_function *function, const struct raw_record *record,
		      const uint64_t *to, uint32_t number, uint32_t at, struct loop_step *steps,
		      uint32_t room);
/* Takes steps in a block, each so many times. */
void loop_grow(uint8_t *block, const struct loop_step *steps, uint32_t count, uint64_t times);

#endif
