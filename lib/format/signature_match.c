/* SPDX-License-Identifier: MIT */
/* signature_match.c - see signature_match.h */
#include "format/signature_match.h"

#include <string.h>

/* The index of a call site in the list, -E2BIG if that is full. */
static int find_site(struct signature_table *table, uint64_t address)
{
	uint32_t mask = table->site_mask, slot = signature_mix(0, address) & mask;

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

/* Inline in what matches records, of which each has some such fields: as a function it is 15 instructions more for each. */
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

int signature_value(struct signature_table *table, const struct raw_record *record, unsigned form,
		    unsigned at, uint64_t *value)
{
	return field_value(table, record, form, at, value);
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

/* What the descriptor stood for already, or what was opened last. */
static bool is_known_file(const struct signature_table *table,
			  const struct signature_special *special)
{
	return special->value == special->chain->last ||
	       (!special->settled && table->newest && special->value == table->newest->last);
}

/* Whether a number is told otherwise than by putting it aside. */
static bool is_told(const struct signature_table *table, const struct signature_special *special)
{
	if (special->described)
		return is_known_file(table, special);
	if (special->copies && !special->settled &&
	    signature_recent(table, special->chain, special->value))
		return true;
	return signature_is_plain_result(special->at, special->form, special->value);
}

void signature_watch(struct signature_table *table, const struct signature_special *special)
{
	struct table_chain *chain = special->chain;

	if (special->form != FORM_WORD)
		return;
	chain->tried++;
	chain->copied += signature_recent(table, chain, special->value) != NULL;
	if (table->recent[0] == chain)
		return;
	memmove(table->recent + 1, table->recent, (TABLE_RECENT - 1) * sizeof(*table->recent));
	table->recent[0] = chain;
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
		return !special->doubted || !is_told(table, special);
	return special->value - special->chain->last == special->operand;
}
