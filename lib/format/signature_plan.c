/* SPDX-License-Identifier: MIT */
/* signature_plan.c - see signature_plan.h */
#include "format/signature_plan.h"

#include <errno.h>
#include <string.h>

#define HINT_FIELDS 32u /* two bits each */
#define TRIED_ENOUGH 64u

enum hint {
	HINT_CONSTANT,
	HINT_ADD,
	HINT_ASIDE,
	HINT_COPIES,
};

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

static void plan_modes(struct signature_table *table, struct function_plan *plan)
{
	const uint64_t *hint = hint_of(table, plan->id);
	uint64_t modes = hint ? __atomic_load_n(hint, __ATOMIC_RELAXED) : 0;

	for (unsigned i = 0; i < plan->field_count; i++) {
		static const uint8_t mode_of[] = {FIELD_CONSTANT, FIELD_ADD, FIELD_ASIDE,
						  FIELD_ASIDE};
		unsigned mode = i < HINT_FIELDS ? modes >> 2 * i & 3 : HINT_CONSTANT;

		plan->fields[i].mode = mode_of[mode];
		plan->fields[i].copies = mode == HINT_COPIES && plan->fields[i].form == FORM_WORD;
		if (plan->fields[i].copies)
			table->watched = UINT32_MAX;
	}
}

static void plan_constant(struct function_plan *plan)
{
	uint8_t bytes[KNOWN_WORDS * 8] = {0};

	for (unsigned i = 0; i < plan->field_count; i++) {
		const struct field_plan *field = &plan->fields[i];
		size_t at = field->at - KNOWN_BEGIN, size = field_plan_bytes(field);

		if (field->mode == FIELD_CONSTANT && !field_is_block(field->form) &&
		    field->at >= KNOWN_BEGIN && at + size <= sizeof(bytes))
			memset(bytes + at, 0xff, size);
	}
	memcpy(plan->constant, bytes, sizeof(bytes));
}

static struct function_plan *make_plan(struct signature_table *table, uint16_t id)
{
	struct encode_function function = table->input.function(table->input.data, id);
	struct function_plan *plan = bump_take_zeros(&table->input.bump, 1, sizeof(*plan));
	struct field_place places[FIELD_RESULT + 2];

	if (!plan || table->function_count == TABLE_FUNCTIONS)
		return NULL;
	plan->id = id;
	plan->fields =
		bump_take_zeros(&table->input.bump, FIELD_RESULT + 2 * (function.arg_count + 1u),
				sizeof(*plan->fields));
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

int signature_plan_find(struct signature_table *table, uint16_t id)
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

/* For the next chunks of the process, and for this one once more. */
static void give_hint(struct signature_table *table, const struct function_plan *plan,
		      unsigned number, enum hint mode)
{
	uint64_t *hint = hint_of(table, plan->id);

	if (!hint || number >= HINT_FIELDS)
		return;
	__atomic_store_n(hint,
			 (__atomic_load_n(hint, __ATOMIC_RELAXED) & ~((uint64_t)3 << 2 * number)) |
				 (uint64_t)mode << 2 * number,
			 __ATOMIC_RELAXED);
	table->learned = true;
}

void signature_plan_raise(struct signature_table *table, struct function_plan *plan,
			  unsigned number)
{
	struct field_plan *field = &plan->fields[number];

	field->mode = field->mode == FIELD_CONSTANT ? FIELD_ADD : FIELD_ASIDE;
	field->seen = field->seen_count = 0;
	plan->made = 0;
	plan_constant(plan);
	give_hint(table, plan, number, field->mode == FIELD_ADD ? HINT_ADD : HINT_ASIDE);
}

void signature_plan_learn_copies(struct signature_table *table)
{
	for (uint32_t i = 0; i < table->chain_count; i++) {
		const struct table_chain *chain = &table->chains[i];
		const struct function_plan *plan;

		if (chain->tried < TRIED_ENOUGH || chain->copied < chain->tried - chain->tried / 8)
			continue;
		plan = table->functions[chain->function];
		if (!plan->fields[chain->field].copies)
			give_hint(table, plan, chain->field, HINT_COPIES);
	}
}

bool signature_plan_forget_copies(struct signature_table *table)
{
	bool any = false;

	for (uint32_t f = 0; f < table->function_count; f++)
		for (unsigned i = 0; i < table->functions[f]->field_count; i++)
			if (table->functions[f]->fields[i].copies) {
				give_hint(table, table->functions[f], i, HINT_ASIDE);
				any = true;
			}
	return any;
}
