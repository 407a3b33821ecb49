/* SPDX-License-Identifier: MIT */
/* signature_table.c - see signature_table.h */
#include "format/signature_table.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "format/places.h"
#include "format/signature_match.h"
#include "format/signature_plan.h"
#include "format/signature_shape.h"

/* The mask of places for one of each record, of which there may be `most`. */
static uint32_t mask_for(uint32_t records, uint32_t most)
{
	return places_for(records < most ? records : most) - 1;
}

void signature_table_init(struct signature_table *table, const struct table_input *input)
{
	table->input = *input;
	table->count = table->chain_count = table->function_count = table->site_count = 0;
	table->aside_count = 0;
	table->newest = NULL;
	table->watched = TABLE_WATCHED;
	memset(table->recent, 0, sizeof(table->recent));
	table->learned = false;
	table->slot_mask = mask_for(input->records, TABLE_SIGNATURES);
	table->site_mask = mask_for(input->records, TABLE_SITES);
	memset(table->slots, 0, (table->slot_mask + 1) * sizeof(*table->slots));
	memset(table->known, 0, sizeof(table->known));
	memset(table->function_slots, 0, sizeof(table->function_slots));
	memset(table->site_slots, 0, (table->site_mask + 1) * sizeof(*table->site_slots));
}

/* ---- making one ---- */

/* Whether the words of a record tell that a field of a signature is the same. */
static bool in_words(const struct field_plan *field, const struct signature_field *shape)
{
	return shape->operation <= FIELD_RELATIVE && !field_is_block(field->form);
}

/* Marks bytes of a record, of one word, that have to be as they are in this one. */
static inline void expect_bytes(struct signature *signature, const struct raw_record *record,
				size_t at, size_t size)
{
	size_t word = at / 8 < EXPECTED_TIMES ? at / 8 : at / 8 - EXPECTED_TIMES;
	struct expected_words *pair = &signature->expected[word / 2];
	uint64_t mask = UINT64_MAX >> (64 - 8 * size) << at % 8 * 8, bits;

	memcpy(&bits, (const uint8_t *)record + at / 8 * 8, sizeof(bits));
	pair->words[word % 2] |= bits & mask;
	pair->mask[word % 2] |= mask;
}

static unsigned count_specials(const struct signature_shape *shape)
{
	unsigned count = 0;

	for (unsigned i = 0; i < shape->field_count; i++)
		count += !in_words(&shape->plan->fields[i], &shape->fields[i]);
	return count;
}

static void expect_words(struct signature *signature, const struct function_plan *plan,
			 const struct raw_record *record)
{
	expect_bytes(signature, record, offsetof(struct raw_record, function), 4); /* and level */
	if (!plan->blocks)
		expect_bytes(signature, record, offsetof(struct raw_record, size), 4);
	expect_bytes(signature, record, offsetof(struct raw_record, arg_count), 2); /* and flags */
	expect_bytes(signature, record, offsetof(struct raw_record, err), 4);
	for (unsigned i = 0; i < signature->field_count; i++) {
		const struct field_plan *field = &plan->fields[i];

		if (in_words(field, &signature->fields[i]))
			expect_bytes(signature, record, field->at, field_plan_bytes(field));
	}
}

static void add_special(struct signature_table *table, struct signature *signature,
			const struct function_plan *plan, unsigned number)
{
	const struct field_plan *from = &plan->fields[number];
	const struct signature_field *field = &signature->fields[number];
	bool chained = field->operation >= FIELD_ADD;

	signature->specials[signature->special_count++] = (struct signature_special){
		.operand = field->operand,
		.chain = chained ? &table->chains[field->chain] : NULL,
		.at = from->at,
		.whose = (uint32_t)field->chain << ASIDE_CHAIN |
			 (uint32_t)signature->function << ASIDE_FUNCTION | number,
		.form = from->form,
		.operation = field->operation,
		.described = from->described,
		.copies = from->copies,
		.doubted = from->described || from->copies || from->at == KNOWN_BEGIN,
		.settled = signature_shape_is_settled(plan, signature->fields, number),
	};
	signature->chain_count = (uint8_t)(signature->chain_count + chained);
}

/* Those with a chain come first. */
static void add_specials(struct signature_table *table, struct signature *signature,
			 const struct function_plan *plan)
{
	for (unsigned i = 0; i < signature->field_count; i++)
		if (signature->fields[i].operation >= FIELD_ADD)
			add_special(table, signature, plan, i);
	for (unsigned i = 0; i < signature->field_count; i++)
		if (signature->fields[i].operation < FIELD_ADD &&
		    !in_words(&plan->fields[i], &signature->fields[i]))
			add_special(table, signature, plan, i);
}

static void note_aside(struct field_plan *field, uint16_t chain)
{
	field->aside_apart |= field->aside && field->aside_chain != chain;
	field->aside_chain = chain;
	field->aside = true;
}

static struct signature *make_signature(struct signature_table *table,
					struct signature_shape *shape,
					const struct raw_record *record, bool after)
{
	size_t arg_pairs = (record->arg_count + 1u) / 2;
	size_t room = EXPECTED_HEAD + (arg_pairs > EXPECTED_ARGS ? arg_pairs : EXPECTED_ARGS);
	size_t size = room * sizeof(struct expected_words);
	struct signature *signature =
		bump_take_zeros(&table->input.bump, 1, sizeof(*signature) + size);

	if (!signature || table->count == TABLE_SIGNATURES)
		return NULL;
	signature->function = (uint16_t)shape->function;
	signature->level = record->level;
	signature->flags = record->flags;
	signature->err = record->err;
	signature->arg_count = record->arg_count;
	signature->after = after;
	signature->field_count = (uint16_t)shape->field_count;
	signature->arg_pairs = (uint8_t)arg_pairs;
	signature->fields =
		bump_take(&table->input.bump, shape->field_count, sizeof(*shape->fields));
	signature->specials =
		bump_take(&table->input.bump, count_specials(shape), sizeof(*signature->specials));
	if (!signature->fields || !signature->specials)
		return NULL;
	memcpy(signature->fields, shape->fields, shape->field_count * sizeof(*shape->fields));
	if (shape->fields[FIELD_REPEAT].operation == FIELD_CONSTANT)
		signature->repeat = record->repeat;
	for (unsigned i = 0; i < shape->field_count; i++)
		if (shape->fields[i].operation == FIELD_ASIDE)
			note_aside(&shape->plan->fields[i], shape->fields[i].chain);
	expect_words(signature, shape->plan, record);
	add_specials(table, signature, shape->plan);
	signature->number = (uint16_t)table->count;
	table->list[table->count++] = signature;
	return signature;
}

/* ---- finding one ---- */

/* The signature of a shape with this hash, matched; NULL: there is none, and *slot is where it will be. */
static struct signature *look_up(struct signature_table *table, const struct raw_record *record,
				 bool after, uint32_t hash, uint32_t *slot)
{
	uint32_t mask = table->slot_mask;

	for (*slot = hash & mask; table->slots[*slot]; *slot = (*slot + 1) & mask) {
		struct signature *signature = table->list[table->slots[*slot] - 1];

		if (signature->hash == hash && signature_match(table, signature, record, after))
			return signature;
	}
	return NULL;
}

/* By products that do not wait for each other. */
static uint32_t known_place(const struct function_plan *plan, const struct raw_record *record,
			    bool after)
{
	static const uint64_t odd[KNOWN_WORDS] = {
		0x9E3779B97F4A7C15u, 0xBF58476D1CE4E5B9u, 0x94D049BB133111EBu, 0xD6E8FEB86659FD93u,
		0xA0761D6478BD642Fu, 0xE7037ED1A0B428DBu, 0x8EBC6AF09C88C6E3u, 0x589965CC75374CC3u,
	};
	const uint64_t *words = (const uint64_t *)((const uint8_t *)record + KNOWN_BEGIN);
	uint64_t hash = (record->head >> 31 | after) * 0x2545F4914F6CDD1Du;

#pragma GCC unroll 8
	for (unsigned i = 0; i < KNOWN_WORDS; i++)
		hash += (words[i] & plan->constant[i]) * odd[i];
	return (uint32_t)(hash >> 40) % TABLE_KNOWN;
}

/* The signature of a record whose words did not tell it. */
static __attribute__((noinline)) int find_by_shape(struct signature_table *table,
						   struct signature_shape *shape,
						   const struct raw_record *record, bool after)
{
	struct signature *signature;
	uint32_t slot, hash;

	if (signature_shape_values(table, shape, record))
		return -E2BIG;
	do { /* at most twice for each field */
		if (signature_shape_take(table, shape))
			return -E2BIG;
		hash = signature_shape_hash(shape, record, after);
		if (look_up(table, record, after, hash, &slot))
			return table->slots[slot] - 1;
	} while (signature_shape_too_many(table, shape));
	signature = make_signature(table, shape, record, after);
	if (!signature)
		return -E2BIG;
	signature->hash = hash;
	if (!signature_match_specials(table, signature, record))
		return -E2BIG; /* it cannot be; the chunk is stored in another encoding */
	table->slots[slot] = (uint16_t)table->count;
	return (int)table->count - 1;
}

int signature_find(struct signature_table *table, const struct raw_record *record, bool after)
{
	struct signature_shape shape = {.fields = table->shape};
	int function = signature_plan_find(table, record->function), number;
	uint32_t place;

	if (function < 0)
		return function;
	shape.function = (uint32_t)function;
	shape.plan = table->functions[function];
	place = known_place(shape.plan, record, after);
	number = table->known[place] - 1;
	if (number >= 0 && signature_match(table, table->list[number], record, after))
		return number;
	shape.field_count = shape.plan->arg_fields[record->arg_count];
	number = find_by_shape(table, &shape, record, after);
	table->known[place] = (uint16_t)(number < 0 ? 0 : number + 1);
	return number;
}
