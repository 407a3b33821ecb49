/* SPDX-License-Identifier: MIT */
/* signature_shape.c - see signature_shape.h */
#include "format/signature_shape.h"

#include <errno.h>
#include <string.h>

#include "format/hash.h"
#include "format/places.h"
#include "format/signature_match.h"
#include "format/signature_plan.h"

#define SEEN_TOO_MANY 32 /* bits of 64: of some 44 different values */
#define SEEN_SEVERAL 8
#define STEPS_ALIKE 12    /* so many new values in a row, each as far from the one before */
#define MADE_TOO_MANY 256 /* signatures of a function that several fields made together */

#define CHAINS_FIRST 64u

/* In place of a function: the chains of descriptors, which all functions share. */
#define ANY_FUNCTION TABLE_FUNCTIONS

/* Where a chain is, or will be. */
static uint16_t *chain_slot(struct signature_table *table, uint32_t function, uint16_t field,
			    uint32_t file)
{
	uint32_t mask = table->chain_mask;
	uint32_t slot = signature_mix((uint64_t)function << 16 | field, file) & mask;

	for (; table->chain_slots[slot]; slot = (slot + 1) & mask) {
		const struct table_chain *chain = &table->chains[table->chain_slots[slot] - 1];

		if (chain->function == function && chain->field == field && chain->file == file)
			break;
	}
	return &table->chain_slots[slot];
}

/* For so many chains, with those there are. */
static void use_chain_slots(struct signature_table *table, uint32_t chains)
{
	table->chain_mask = places_for(chains) - 1;
	memset(table->chain_slots, 0, (table->chain_mask + 1) * sizeof(*table->chain_slots));
	for (uint32_t i = 0; i < table->chain_count; i++) {
		const struct table_chain *chain = &table->chains[i];

		*chain_slot(table, chain->function, chain->field, chain->file) = (uint16_t)(i + 1);
	}
}

/* The number of a chain, which is made if there is none yet; -E2BIG. */
static int find_chain(struct signature_table *table, uint32_t function, uint16_t field,
		      uint32_t file)
{
	uint16_t *slot;

	if (table->chain_count == 0)
		use_chain_slots(table, CHAINS_FIRST);
	slot = chain_slot(table, function, field, file);
	if (*slot)
		return *slot - 1;
	if (table->chain_count == TABLE_CHAINS)
		return -E2BIG;
	table->chains[table->chain_count++] =
		(struct table_chain){.function = function, .file = file, .field = field};
	*slot = (uint16_t)table->chain_count;
	if (table->chain_count * 2 > table->chain_mask && table->chain_count < TABLE_CHAINS)
		use_chain_slots(table, table->chain_count * 2);
	return (int)table->chain_count - 1;
}

static bool changes_chain(const struct signature_field *field)
{
	return field->operation > FIELD_ADD || (field->operation == FIELD_ADD && field->operand);
}

/* Whether a field before this one changes the chain: all are looked at before any of them does. */
static bool is_changed(const struct signature_shape *shape, unsigned number, int chain)
{
	for (unsigned i = 0; i < number; i++)
		if (shape->fields[i].chain == chain && changes_chain(&shape->fields[i]))
			return true;
	return false;
}

bool signature_shape_is_settled(const struct function_plan *plan,
				const struct signature_field *fields, unsigned number)
{
	for (unsigned i = 0; i < number; i++)
		if (plan->fields[i].described == plan->fields[number].described &&
		    changes_chain(&fields[i]))
			return true;
	return false;
}

/*
 * The chain of a field: its function's, with files apart as long as they are. What a descriptor stands for goes by the descriptor, whoever has it: when one file is opened after another, only that call has
 * something new to say.
 */
static int chain_of(struct signature_table *table, const struct signature_shape *shape,
		    unsigned number)
{
	const struct field_plan *fields = shape->plan->fields;
	uint16_t file = shape->plan->file;
	bool apart = file && file < shape->field_count && fields[file].mode == FIELD_CONSTANT;
	int chain;

	if (fields[number].described && fields[number - 1].mode == FIELD_CONSTANT) {
		chain = find_chain(table, ANY_FUNCTION, 0, (uint32_t)table->values[number - 1]);
		if (chain < 0 || !is_changed(shape, number, chain))
			return chain;
	}
	return find_chain(table, shape->function, (uint16_t)number,
			  apart ? (uint32_t)table->values[file] : 0);
}

/* The chain of another field that has the value: of a descriptor that of what was opened last, unless its own one has it. NULL: there is none. */
static const struct table_chain *find_like(const struct signature_table *table,
					   const struct signature_shape *shape, unsigned number,
					   const struct table_chain *own)
{
	const struct field_plan *field = &shape->plan->fields[number];
	uint64_t value = table->values[number];

	if ((!field->described && !field->copies) ||
	    signature_shape_is_settled(shape->plan, shape->fields, number))
		return NULL;
	if (!field->described)
		return signature_recent(table, own, value);
	return value != own->last && table->newest && value == table->newest->last ? table->newest
										   : NULL;
}

/* A field by the chain that it has, or by another one. */
static void chain_field(const struct signature_table *table, const struct signature_shape *shape,
			unsigned number, int chain)
{
	const struct field_plan *field = &shape->plan->fields[number];
	const struct table_chain *own = &table->chains[chain];
	const struct table_chain *like = find_like(table, shape, number, own);
	struct signature_field *to = &shape->fields[number];

	if (like)
		own = like;
	if (like || (field->described && table->values[number] == own->last))
		to->operation = FIELD_ADD;
	to->operand = to->operation == FIELD_ADD ? table->values[number] - own->last : 0;
	to->chain = (uint16_t)(own - table->chains);
}

/*
 * Whether an argument of many values is one more than the result: who reads all of a file asks for a byte that it has not. Not a second one: for a reader the first is what the chain had last.
 */
static bool is_beyond_result(const struct signature_table *table,
			     const struct signature_shape *shape, unsigned number)
{
	const struct function_plan *plan = shape->plan;
	const struct field_plan *field = &plan->fields[number];

	if (number < plan->first_arg || field->mode != FIELD_ASIDE || field->form != FORM_WORD ||
	    plan->fields[FIELD_RESULT].form != FORM_WORD ||
	    table->values[number] != table->values[FIELD_RESULT] + 1)
		return false;
	for (unsigned i = FIELD_RESULT + 1; i < number; i++)
		if (shape->fields[i].chain == shape->fields[FIELD_RESULT].chain &&
		    changes_chain(&shape->fields[i]))
			return false;
	return true;
}

static struct signature_field beyond_result(uint64_t value, const struct signature_field *result)
{
	return result->operation >= FIELD_ADD
		       ? (struct signature_field){1, result->chain, FIELD_BEYOND}
		       : (struct signature_field){value, 0, FIELD_CONSTANT};
}

static int shape_field(struct signature_table *table, struct signature_shape *shape,
		       unsigned number)
{
	const struct function_plan *plan = shape->plan;
	const struct field_plan *field = &plan->fields[number];
	struct signature_field *to = &shape->fields[number];
	uint64_t value = table->values[number];
	int chain;

	*to = (struct signature_field){value, 0, field->mode};
	if (field->mode == FIELD_CONSTANT) {
		if (field->rank && (int64_t)value >= 0)
			*to = (struct signature_field){value - table->input.self, 0,
						       FIELD_RELATIVE};
		return 0;
	}
	if (field->mode == FIELD_ASIDE &&
	    signature_is_plain_result(field->at, field->form, value)) {
		to->operation = FIELD_CONSTANT;
		return 0;
	}
	/* match_special() looks at the whole result */
	if (number >= plan->first_arg && plan->fields[FIELD_RESULT].form == FORM_WORD &&
	    value == table->values[FIELD_RESULT]) {
		*to = (struct signature_field){FIELD_RESULT, 0, FIELD_EQUAL};
		return 0;
	}
	if (is_beyond_result(table, shape, number)) {
		*to = beyond_result(value, &shape->fields[FIELD_RESULT]);
		return 0;
	}
	chain = chain_of(table, shape, number);
	if (chain < 0)
		return chain;
	chain_field(table, shape, number, chain);
	return 0;
}

int signature_shape_values(struct signature_table *table, const struct signature_shape *shape,
			   const struct raw_record *record)
{
	int error = 0;

	for (unsigned i = 0; i < shape->field_count && !error; i++)
		error = signature_value(table, record, shape->plan->fields[i].form,
					shape->plan->fields[i].at, &table->values[i]);
	return error;
}

int signature_shape_take(struct signature_table *table, struct signature_shape *shape)
{
	int error = 0;

	for (unsigned i = 0; i < shape->field_count && !error; i++)
		error = shape_field(table, shape, i);
	return error;
}

/* By products that do not wait for each other. */
uint32_t signature_shape_hash(const struct signature_shape *shape, const struct raw_record *record,
			      bool after)
{
	uint64_t hash =
		signature_mix(record->head >> 32, (uint64_t)(uint32_t)record->err << 32 |
							  (uint32_t)record->flags << 16 |
							  (uint32_t)record->arg_count << 8 | after);
	uint64_t odd = 0x9E3779B97F4A7C15u;

	for (unsigned i = 0; i < shape->field_count; i++, odd += 0xBF58476D1CE4E5B8u) {
		const struct signature_field *field = &shape->fields[i];
		uint64_t how = (uint64_t)field->operation << 16 | field->chain;

		hash += (field->operand + (how << 32 | how << 13)) * odd;
	}
	return signature_mix(0, hash ^ hash >> 32);
}

/* What descriptors stand for goes by no steps as long as it is part of the signatures of who opens them: the chains are not told then. False: it is of none that has seen several. */
static bool raise_openers(struct signature_table *table)
{
	bool raised = false;

	for (uint32_t f = 0; f < table->function_count; f++) {
		struct function_plan *plan = table->functions[f];

		for (unsigned i = 0; i < plan->field_count; i++) {
			const struct field_plan *field = &plan->fields[i];

			if (field->described && field->mode == FIELD_CONSTANT &&
			    field->seen_count >= SEEN_SEVERAL) {
				signature_plan_raise(table, plan, i);
				raised = true;
			}
		}
	}
	return raised;
}

/* By one bit of 64. Mixed twice: offsets go by steps, and the products of these with a number may all lie at a few places. */
static void note_seen(struct field_plan *field, uint64_t value)
{
	uint64_t bit = (uint64_t)1 << (hash_mix(hash_mix(value, 0), 0) >> 58);

	field->seen_count = (uint8_t)(field->seen_count + !(field->seen & bit));
	field->seen |= bit;
}

/* Whether numbers that a signature is made for go on by one step, as in a loop: these are better told by it before they are too many. Not what is numbered as it is met, and may come again in any order. */
static bool goes_by_steps(struct field_plan *field, uint64_t value)
{
	uint64_t step = value - field->newest;

	if (field->form != FORM_WORD || field->mode != FIELD_CONSTANT || step == 0)
		return false;
	field->steps_alike = step == field->step ? (uint8_t)(field->steps_alike + 1) : 0;
	field->step = step;
	field->newest = value;
	return field->steps_alike >= STEPS_ALIKE;
}

bool signature_shape_too_many(struct signature_table *table, const struct signature_shape *shape)
{
	struct function_plan *plan = shape->plan;
	unsigned most = 0, which = 0;
	bool raised = false;

	for (unsigned i = 0; i < shape->field_count; i++) {
		struct field_plan *field = &plan->fields[i];

		if (field->mode == FIELD_ASIDE || shape->fields[i].operation == FIELD_EQUAL)
			continue;
		note_seen(field, shape->fields[i].operand);
		if (field->seen_count >= SEEN_TOO_MANY ||
		    goes_by_steps(field, shape->fields[i].operand)) {
			if (field->mode == FIELD_CONSTANT || !field->described ||
			    !raise_openers(table))
				signature_plan_raise(table, plan, i);
			field->seen = field->seen_count = 0;
			raised = true;
		} else if (field->seen_count > most) {
			most = field->seen_count;
			which = i;
		}
	}
	if (!raised && ++plan->made >= MADE_TOO_MANY && most > 1) {
		signature_plan_raise(table, plan, which);
		raised = true;
	}
	return raised;
}

#ifdef UNIT_TEST
#include "unittest.h"

#define SHAPE_TEST_TURNS 300u

static struct encode_function shape_test_function(void *data, uint16_t id)
{
	static const uint8_t classes[] = {CLASS_INT};

	(void)data;
	(void)id;
	return (struct encode_function){.result_class = CLASS_INT,
					.arg_count = 1,
					.arg_classes = classes};
}

/* Calls of a loop that comes to `turns` offsets, one `step` behind the other, and begins anew, three times. Returns how many signatures they have. */
static uint32_t shape_test_loop(uint32_t turns, uint64_t step, uint64_t *hint)
{
	static struct signature_table table;
	static _Alignas(16) uint8_t memory[SHAPE_TEST_TURNS * 1024];
	static uint64_t aside[2 * SHAPE_TEST_TURNS * 3];
	static uint32_t aside_of[2 * SHAPE_TEST_TURNS * 3];
	struct {
		struct raw_record record;
		uint64_t offset;
		uint8_t behind[RECORDS_BEHIND];
	} call = {.record = {.size = 72, .arg_count = 1, .repeat = 1}};

	signature_table_init(&table, &(struct table_input){.bump = {memory, sizeof(memory)},
							   .records = 3 * turns,
							   .aside = aside,
							   .aside_of = aside_of,
							   .aside_room = sizeof(aside) / 8,
							   .hints = hint,
							   .hint_count = 1,
							   .function = shape_test_function});
	for (uint32_t i = 0; i < 3 * turns; i++) {
		int number;

		call.offset = i % turns * step;
		number = signature_find(&table, &call.record, false);
		if (number < 0 || signature_count(&table, table.list[number], &call.record))
			return 0;
	}
	return table.count;
}

/* The same with what a loop like it has taught. */
static uint32_t shape_test_learned(uint32_t turns, uint64_t step)
{
	uint64_t hint = 0;

	shape_test_loop(turns, step, &hint);
	return shape_test_loop(turns, step, &hint);
}

TEST_CASE(signature_shapes_of_loops)
{
	EXPECT_EQ(shape_test_learned(5, 1024), 5);
	for (uint32_t turns = 20; turns < SHAPE_TEST_TURNS; turns += 35)
		for (unsigned shift = 0; shift < 40; shift++)
			for (uint64_t odd = 1; odd < 200; odd += 62) {
				EXPECT_EQ(shape_test_learned(turns, odd << shift), 3);
				EXPECT_EQ(shape_test_learned(turns, 0 - (odd << shift)), 3);
			}
}
#endif
