/* SPDX-License-Identifier: MIT */
/* signature_table.c - see signature_table.h */
#include "format/signature_table.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "format/places.h"
#include "format/varint.h"

#define SEEN_TOO_MANY 40  /* bits of 64: about as many different values as there are bits */
#define MADE_TOO_MANY 256 /* signatures of a function that several fields made together */
#define HINT_FIELDS 32u   /* two bits each */

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
	table->learned = false;
	table->slot_mask = mask_for(input->records, TABLE_SIGNATURES);
	table->site_mask = mask_for(input->records, TABLE_SITES);
	memset(table->slots, 0, (table->slot_mask + 1) * sizeof(*table->slots));
	memset(table->known, 0, sizeof(table->known));
	memset(table->function_slots, 0, sizeof(table->function_slots));
	memset(table->site_slots, 0, (table->site_mask + 1) * sizeof(*table->site_slots));
}

static void *take(struct signature_table *table, size_t count, size_t each)
{
	return bump_take_zeros(&table->input.bump, count, each);
}

static uint32_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
	return (uint32_t)(hash >> 32);
}

/* ---- functions ---- */

static uint64_t *hint_of(const struct signature_table *table, uint16_t id)
{
	return id < table->input.hint_count ? &table->input.hints[id] : NULL;
}

/* Adds fields that are in a list. */
static void add_fields(struct function_plan *plan, const struct field_place *places, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		struct field_plan *field = &plan->fields[plan->field_count++];

		field->at = places[i].at;
		field->form = places[i].form == FORM_UNKNOWN ? FORM_WORD : places[i].form;
		plan->blocks |= field_is_block(field->form);
	}
}

static void plan_modes(const struct signature_table *table, struct function_plan *plan)
{
	const uint64_t *hint = hint_of(table, plan->id);
	uint64_t modes = hint ? __atomic_load_n(hint, __ATOMIC_RELAXED) : 0;

	for (unsigned i = 0; i < plan->field_count; i++) {
		unsigned mode = i < HINT_FIELDS ? modes >> 2 * i & 3 : 0;

		plan->fields[i].mode = mode == 2   ? FIELD_ASIDE
				       : mode == 1 ? FIELD_ADD
						   : FIELD_CONSTANT;
	}
}

#define KNOWN_BEGIN offsetof(struct raw_record, result)

/* Bytes that a field takes in the words of a record. */
static size_t field_bytes(const struct field_plan *field)
{
	return field->form == FORM_WORD || field->form == FORM_SITE ? 8 : 4;
}

static void plan_constant(struct function_plan *plan)
{
	uint8_t bytes[KNOWN_WORDS * 8] = {0};

	for (unsigned i = 0; i < plan->field_count; i++) {
		const struct field_plan *field = &plan->fields[i];
		size_t at = field->at - KNOWN_BEGIN, size = field_bytes(field);

		if (field->mode == FIELD_CONSTANT && !field_is_block(field->form) &&
		    field->at >= KNOWN_BEGIN && at + size <= sizeof(bytes))
			memset(bytes + at, 0xff, size);
	}
	memcpy(plan->constant, bytes, sizeof(bytes));
}

static struct function_plan *make_plan(struct signature_table *table, uint16_t id)
{
	struct encode_function function = table->input.function(table->input.data, id);
	struct function_plan *plan = take(table, 1, sizeof(*plan));
	struct field_place places[FIELD_RESULT + 2];

	if (!plan || table->function_count == TABLE_FUNCTIONS)
		return NULL;
	plan->id = id;
	plan->fields =
		take(table, FIELD_RESULT + 2 * (function.arg_count + 1u), sizeof(*plan->fields));
	if (!plan->fields)
		return NULL;
	add_fields(plan, places, fields_of_call(places, function.result_class));
	plan->fields[plan->field_count - 1].described = function.result_descriptor;
	plan->first_arg = plan->field_count;
	for (unsigned i = 0; i < function.arg_count; i++) {
		plan->arg_fields[i] = (uint8_t)plan->field_count;
		if (!plan->file && function.arg_classes[i] == CLASS_PAIR)
			plan->file = (uint16_t)(plan->field_count + 1);
		plan->fields[plan->field_count].rank = i < 64 && function.ranks >> i & 1;
		add_fields(plan, places, fields_of_arg(places, function.arg_classes[i], i));
		plan->fields[plan->field_count - 1].described =
			i < 64 && function.descriptors >> i & 1;
	}
	for (unsigned i = function.arg_count; i <= RECORD_MAX_ARGS; i++)
		plan->arg_fields[i] = (uint8_t)plan->field_count;
	plan_modes(table, plan);
	plan_constant(plan);
	table->functions[table->function_count++] = plan;
	return plan;
}

/* The index of a function in the list, -E2BIG if that is full. */
static int find_function(struct signature_table *table, uint16_t id)
{
	uint32_t mask = 2 * TABLE_FUNCTIONS - 1, slot = id & mask;

	for (; table->function_slots[slot]; slot = (slot + 1) & mask)
		if (table->functions[table->function_slots[slot] - 1]->id == id)
			return table->function_slots[slot] - 1;
	if (!make_plan(table, id))
		return -E2BIG;
	table->function_slots[slot] = (uint16_t)table->function_count;
	return (int)table->function_count - 1;
}

/* ---- values ---- */

/* The index of a call site in the list, -E2BIG if that is full. */
static int find_site(struct signature_table *table, uint64_t address)
{
	uint32_t mask = table->site_mask, slot = mix(0, address) & mask;

	for (; table->site_slots[slot]; slot = (slot + 1) & mask)
		if (table->site_addresses[table->site_slots[slot] - 1] == address)
			return table->site_slots[slot] - 1;
	if (table->site_count == TABLE_SITES)
		return -E2BIG;
	table->site_addresses[table->site_count++] = address;
	table->site_slots[slot] = (uint16_t)table->site_count;
	return (int)table->site_count - 1;
}

static int block_value(struct interner *interner, const void *block, uint32_t size, uint64_t *value)
{
	uint32_t index = interner_find(interner, block, size);

	*value = (uint64_t)index + FIELD_BLOCKS;
	return index == INTERNER_NONE ? -E2BIG : 0;
}

static int blocks_value(struct signature_table *table, const struct raw_record *record,
			unsigned form, unsigned at, uint64_t *value)
{
	uint64_t slot = *(const uint64_t *)((const uint8_t *)record + at);
	const void *block = (const uint8_t *)record + slot;
	const struct string_block *string = block;
	const struct array_block *array = block;

	*value = slot;
	if (slot <= BLOCK_UNREADABLE)
		return 0;
	if (form == FORM_STRING)
		return block_value(&table->strings, block,
				   (uint32_t)sizeof(*string) + string->stored, value);
	return block_value(&table->arrays, block, (uint32_t)sizeof(*array) + array->stored * 8,
			   value);
}

static int site_value(struct signature_table *table, const struct raw_record *record,
		      uint64_t *value)
{
	int site = find_site(table, record->callsite);

	*value = (uint64_t)site;
	return site < 0 ? site : 0;
}

/* The value of a field at byte `at` of a record. */
static inline int field_value(struct signature_table *table, const struct raw_record *record,
			      unsigned form, unsigned at, uint64_t *value)
{
	const uint8_t *field = (const uint8_t *)record + at;

	switch (form) {
	case FORM_WORD:
		*value = *(const uint64_t *)field;
		return 0;
	case FORM_VALUE:
		*value = (uint64_t)(int64_t) * (const int32_t *)field;
		return 0;
	case FORM_ID:
		*value = *(const uint32_t *)field;
		return 0;
	case FORM_REPEAT:
		*value = *(const uint32_t *)field - 1;
		return 0;
	case FORM_SITE:
		return site_value(table, record, value);
	default:
		return blocks_value(table, record, form, at, value);
	}
}

/* ---- chains ---- */

/* In place of a function: the chains of descriptors, which all functions share. */
#define ANY_FUNCTION TABLE_FUNCTIONS

/* The number of a chain, which is made if there is none yet; -E2BIG. */
static int find_chain(struct signature_table *table, uint32_t function, uint16_t field,
		      uint32_t file)
{
	uint32_t mask = 2 * TABLE_CHAINS - 1;
	uint32_t slot = mix((uint64_t)function << 16 | field, file) & mask;
	struct table_chain *chain;

	if (table->chain_count == 0)
		memset(table->chain_slots, 0, sizeof(table->chain_slots));
	for (; table->chain_slots[slot]; slot = (slot + 1) & mask) {
		chain = &table->chains[table->chain_slots[slot] - 1];
		if (chain->function == function && chain->field == field && chain->file == file)
			return table->chain_slots[slot] - 1;
	}
	if (table->chain_count == TABLE_CHAINS)
		return -E2BIG;
	table->chains[table->chain_count++] = (struct table_chain){0, function, file, field};
	table->chain_slots[slot] = (uint16_t)table->chain_count;
	return (int)table->chain_count - 1;
}

/* ---- signatures ---- */

/* The record as its function's modes have it. */
struct shape {
	struct function_plan *plan;
	uint32_t function;
	unsigned field_count;
	struct signature_field *fields;
};

/* Whether a field before this one has the chain: all are looked at before any of them changes. */
static bool has_chain(const struct shape *shape, unsigned number, int chain)
{
	for (unsigned i = 0; i < number; i++)
		if (shape->fields[i].operation >= FIELD_ADD && shape->fields[i].chain == chain)
			return true;
	return false;
}

/*
 * The chain of a field: its function's, with files apart as long as they are. What a descriptor stands for goes by the descriptor, whoever has it: when one file is opened after another, only that call has
 * something new to say.
 */
static int chain_of(struct signature_table *table, const struct shape *shape, unsigned number)
{
	const struct field_plan *fields = shape->plan->fields;
	uint16_t file = shape->plan->file;
	bool apart = file && file < shape->field_count && fields[file].mode == FIELD_CONSTANT;
	int chain;

	if (fields[number].described && fields[number - 1].mode == FIELD_CONSTANT) {
		chain = find_chain(table, ANY_FUNCTION, 0, (uint32_t)table->values[number - 1]);
		if (chain < 0 || !has_chain(shape, number, chain))
			return chain;
	}
	return find_chain(table, shape->function, (uint16_t)number,
			  apart ? (uint32_t)table->values[file] : 0);
}

/* Whether a result of many values has one that says that nothing was done. These remain part of signatures: reading a file ends with one, and that it comes next is predicted. */
static bool is_plain_result(unsigned at, unsigned form, uint64_t value)
{
	return at == offsetof(struct raw_record, result) && form == FORM_WORD && value + 1 <= 1;
}

/* Whether an argument of many values is one more than the result: who reads all of a file asks for a byte that it has not. */
static bool is_beyond_result(const struct signature_table *table, const struct function_plan *plan,
			     unsigned number)
{
	const struct field_plan *field = &plan->fields[number];

	return number >= plan->first_arg && field->mode == FIELD_ASIDE &&
	       field->form == FORM_WORD && plan->fields[FIELD_RESULT].form == FORM_WORD &&
	       table->values[number] == table->values[FIELD_RESULT] + 1;
}

static struct signature_field beyond_result(uint64_t value, const struct signature_field *result)
{
	return result->operation >= FIELD_ADD
		       ? (struct signature_field){1, result->chain, FIELD_BEYOND}
		       : (struct signature_field){value, 0, FIELD_CONSTANT};
}

static int shape_field(struct signature_table *table, struct shape *shape, unsigned number)
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
	if (field->mode == FIELD_ASIDE && is_plain_result(field->at, field->form, value)) {
		to->operation = FIELD_CONSTANT;
		return 0;
	}
	/* match_special() looks at the whole result */
	if (number >= plan->first_arg && plan->fields[FIELD_RESULT].form == FORM_WORD &&
	    value == table->values[FIELD_RESULT]) {
		*to = (struct signature_field){FIELD_RESULT, 0, FIELD_EQUAL};
		return 0;
	}
	if (is_beyond_result(table, plan, number)) {
		*to = beyond_result(value, &shape->fields[FIELD_RESULT]);
		return 0;
	}
	chain = chain_of(table, shape, number);
	if (chain < 0)
		return chain;
	to->chain = (uint16_t)chain;
	to->operand = field->mode == FIELD_ADD ? value - table->chains[chain].last : 0;
	return 0;
}

static int take_shape(struct signature_table *table, struct shape *shape)
{
	int error = 0;

	for (unsigned i = 0; i < shape->field_count && !error; i++)
		error = shape_field(table, shape, i);
	return error;
}

/* By products that do not wait for each other. */
static uint32_t shape_hash(const struct shape *shape, const struct raw_record *record, bool after)
{
	uint64_t hash = mix(record->head >> 32, (uint64_t)(uint32_t)record->err << 32 |
							(uint32_t)record->flags << 16 |
							(uint32_t)record->arg_count << 8 | after);
	uint64_t odd = 0x9E3779B97F4A7C15u;

	for (unsigned i = 0; i < shape->field_count; i++, odd += 0xBF58476D1CE4E5B8u) {
		const struct signature_field *field = &shape->fields[i];
		uint64_t how = (uint64_t)field->operation << 16 | field->chain;

		hash += (field->operand + (how << 32 | how << 13)) * odd;
	}
	return mix(0, hash ^ hash >> 32);
}

/* The value must not be part of signatures any longer as it was. */
static void raise_mode(struct signature_table *table, struct function_plan *plan, unsigned number)
{
	struct field_plan *field = &plan->fields[number];
	uint64_t *hint = hint_of(table, plan->id), mode;

	field->mode = field->mode == FIELD_CONSTANT ? FIELD_ADD : FIELD_ASIDE;
	field->seen = 0;
	plan->made = 0;
	plan_constant(plan);
	if (!hint || number >= HINT_FIELDS)
		return;
	mode = field->mode == FIELD_ADD ? 1 : 2;
	__atomic_store_n(hint,
			 (__atomic_load_n(hint, __ATOMIC_RELAXED) & ~((uint64_t)3 << 2 * number)) |
				 mode << 2 * number,
			 __ATOMIC_RELAXED);
	table->learned = true;
}

/* Notes what a new signature is made for. True: a field was found to make too many, and has another mode now. */
static bool too_many(struct signature_table *table, const struct shape *shape)
{
	struct function_plan *plan = shape->plan;
	int most = 0;
	unsigned which = 0;
	bool raised = false;

	for (unsigned i = 0; i < shape->field_count; i++) {
		struct field_plan *field = &plan->fields[i];
		int seen;

		if (field->mode == FIELD_ASIDE || shape->fields[i].operation == FIELD_EQUAL)
			continue;
		field->seen |= (uint64_t)1 << (mix(0, shape->fields[i].operand) >> 26);
		seen = __builtin_popcountll(field->seen);
		if (seen >= SEEN_TOO_MANY) {
			raise_mode(table, plan, i);
			raised = true;
		} else if (seen > most) {
			most = seen;
			which = i;
		}
	}
	if (!raised && ++plan->made >= MADE_TOO_MANY && most > 1) {
		raise_mode(table, plan, which);
		raised = true;
	}
	return raised;
}

/* Whether the words of a record tell that a field of a signature is the same. */
static bool in_words(const struct field_plan *field, const struct signature_field *shape)
{
	return shape->operation <= FIELD_RELATIVE && !field_is_block(field->form);
}

/* Marks bytes of a record that have to be as they are in this one. */
static void expect_bytes(struct signature *signature, const struct raw_record *record, size_t at,
			 size_t size)
{
	size_t word = at / 8 < EXPECTED_TIMES ? at / 8 : at / 8 - EXPECTED_TIMES;
	struct expected_words *pair = &signature->expected[word / 2];
	uint8_t *to = (uint8_t *)&pair->words + word % 2 * 8 + at % 8;
	uint8_t *mask = (uint8_t *)&pair->mask + word % 2 * 8 + at % 8;

	memcpy(to, (const uint8_t *)record + at, size);
	memset(mask, 0xff, size);
}

static unsigned count_specials(const struct shape *shape)
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
			expect_bytes(signature, record, field->at, field_bytes(field));
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
		.last = chained ? &table->chains[field->chain].last : NULL,
		.at = from->at,
		.whose = (uint16_t)(signature->function << ASIDE_FUNCTION | number),
		.form = from->form,
		.operation = field->operation,
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

static struct signature *make_signature(struct signature_table *table, struct shape *shape,
					const struct raw_record *record, bool after)
{
	size_t arg_pairs = (record->arg_count + 1u) / 2;
	size_t room = EXPECTED_HEAD + (arg_pairs > EXPECTED_ARGS ? arg_pairs : EXPECTED_ARGS);
	size_t size = room * sizeof(struct expected_words);
	struct signature *signature = take(table, 1, sizeof(*signature) + size);

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
	signature->fields = take(table, shape->field_count, sizeof(*shape->fields));
	signature->specials = take(table, count_specials(shape), sizeof(*signature->specials));
	if (!signature->fields || !signature->specials)
		return NULL;
	memcpy(signature->fields, shape->fields, shape->field_count * sizeof(*shape->fields));
	if (shape->fields[FIELD_REPEAT].operation == FIELD_CONSTANT)
		signature->repeat = record->repeat;
	for (unsigned i = 0; i < shape->field_count; i++)
		if (shape->fields[i].operation == FIELD_ASIDE)
			shape->plan->fields[i].aside = true;
	expect_words(signature, shape->plan, record);
	add_specials(table, signature, shape->plan);
	signature->number = (uint16_t)table->count;
	table->list[table->count++] = signature;
	return signature;
}

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

static int take_values(struct signature_table *table, const struct shape *shape,
		       const struct raw_record *record)
{
	int error = 0;

	for (unsigned i = 0; i < shape->field_count && !error; i++)
		error = field_value(table, record, shape->plan->fields[i].form,
				    shape->plan->fields[i].at, &table->values[i]);
	return error;
}

/* The string or array must have the bytes of a certain one; it need not be looked up. */
static bool same_block(const struct signature_table *table, const struct raw_record *record,
		       const struct signature_special *special)
{
	const struct interner *interner =
		special->form == FORM_STRING ? &table->strings : &table->arrays;
	uint64_t slot = *(const uint64_t *)((const uint8_t *)record + special->at);
	const struct interned *wanted;
	const uint8_t *block = (const uint8_t *)record + slot;
	uint32_t size;

	if (slot <= BLOCK_UNREADABLE || special->operand <= BLOCK_UNREADABLE)
		return slot == special->operand;
	wanted = &interner->list[special->operand - FIELD_BLOCKS];
	size = *(const uint32_t *)block;
	size = special->form == FORM_STRING ? size + (uint32_t)sizeof(struct string_block)
					    : size * 8 + (uint32_t)sizeof(struct array_block);
	return size == wanted->size && !memcmp(block, wanted->bytes, size);
}

bool signature_match_special(struct signature_table *table, struct signature_special *special,
			     const struct raw_record *record)
{
	if (special->operation <= FIELD_RELATIVE)
		return same_block(table, record, special);
	if (field_value(table, record, special->form, special->at, &special->value))
		return false;
	if (special->operation == FIELD_EQUAL)
		return special->value == (uint64_t)record->result;
	if (special->operation == FIELD_BEYOND)
		return special->value == (uint64_t)record->result + special->operand;
	if (special->operation == FIELD_ASIDE)
		return !is_plain_result(special->at, special->form, special->value);
	return special->value - *special->last == special->operand;
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
						   struct shape *shape,
						   const struct raw_record *record, bool after)
{
	struct signature *signature;
	uint32_t slot, hash;

	if (take_values(table, shape, record))
		return -E2BIG;
	do { /* at most twice for each field */
		if (take_shape(table, shape))
			return -E2BIG;
		hash = shape_hash(shape, record, after);
		if (look_up(table, record, after, hash, &slot))
			return table->slots[slot] - 1;
	} while (too_many(table, shape));
	signature = make_signature(table, shape, record, after);
	if (!signature)
		return -E2BIG;
	signature->hash = hash;
	signature_match_specials(table, signature, record);
	table->slots[slot] = (uint16_t)table->count;
	return (int)table->count - 1;
}

int signature_find(struct signature_table *table, const struct raw_record *record, bool after)
{
	struct shape shape = {.fields = table->shape};
	int function = find_function(table, record->function), number;
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
