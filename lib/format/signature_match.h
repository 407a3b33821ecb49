/* SPDX-License-Identifier: MIT */
/*
 * signature_match.h - whether a record that is being encoded has a certain signature, by its words and then by the fields that words do not tell; and
 * what it leaves open if it has.
 */
#ifndef RECORDER_FORMAT_SIGNATURE_MATCH_H
#define RECORDER_FORMAT_SIGNATURE_MATCH_H

#include <errno.h>
#include <stddef.h>

#include "format/signature_table.h"

/* The value of a field of that form at byte `at` of a record. Strings, arrays and call sites are looked up; -E2BIG: they are too many. */
int signature_value(struct signature_table *table, const struct raw_record *record, unsigned form,
		    unsigned at, uint64_t *value);

/* Whether a result of many values has one that says that nothing was done. These remain part of signatures: reading a file ends with one, and that it comes next is predicted. */
static inline bool signature_is_plain_result(unsigned at, unsigned form, uint64_t value)
{
	return at == offsetof(struct raw_record, result) && form == FORM_WORD && value + 1 <= 1;
}

/* Which of the chains that had numbers aside last, but for the field's own one, has this number, or one more as FIELD_BEYOND leaves it; NULL: none. If it is several, always the same
 * one, so that signatures are. */
static inline struct table_chain *signature_recent(const struct signature_table *table,
						   const struct table_chain *own, uint64_t number)
{
	struct table_chain *found = NULL;

	for (unsigned i = 0; i < TABLE_RECENT; i++) {
		struct table_chain *chain = table->recent[i];

		if (chain && chain != own && chain->last - number <= 1 && (!found || chain < found))
			found = chain;
	}
	return found;
}

/* One field that takes more than to read a word. */
bool signature_match_special(struct signature_table *table, struct signature_special *special,
			     const struct raw_record *record);

/* One that is a word. What most of them are is told here; as a function it is 20 instructions more. */
static inline bool signature_match_number(struct signature_table *table,
					  struct signature_special *special,
					  const struct raw_record *record)
{
	special->value = *(const uint64_t *)((const uint8_t *)record + special->at);
	if (special->operation == FIELD_ADD)
		return special->value - special->chain->last == special->operand;
	if (special->operation == FIELD_EQUAL)
		return special->value == (uint64_t)record->result;
	if (special->operation == FIELD_ASIDE && !special->doubted)
		return true;
	return signature_match_special(table, special, record);
}

/* Whether the fields that words do not tell agree too; notes their values. */
static inline bool signature_match_specials(struct signature_table *table,
					    const struct signature *signature,
					    const struct raw_record *record)
{
	struct signature_special *special = signature->specials;

	for (unsigned i = signature->special_count; i > 0; i--, special++) {
		if (special->form == FORM_WORD ? !signature_match_number(table, special, record)
					       : !signature_match_special(table, special, record))
			return false;
	}
	return true;
}

/* Of arguments beyond the first four, of a record that has as many as the signature. */
static inline bool signature_match_more(const struct signature *signature,
					const struct raw_record *record)
{
	const struct expected_words *expected = signature->expected + EXPECTED_HEAD;
	const record_words *words = (const record_words *)record->args;
	expected_pair different = {0, 0};

	for (unsigned i = EXPECTED_ARGS; i < signature->arg_pairs; i++)
		different |= (words[i] ^ expected[i].words) & expected[i].mask;
	return !(different[0] | different[1]);
}

/* Whether the words of a record that say no times are those of a signature. */
static inline __attribute__((always_inline)) bool signature_match_words(
	const struct signature *signature, const struct raw_record *record)
{
	const struct expected_words *expected = signature->expected;
	const record_words *words = (const record_words *)record;
	expected_pair different = (words[0] ^ expected[0].words) & expected[0].mask;

	different |= (words[2] ^ expected[1].words) & expected[1].mask;
	different |= (words[3] ^ expected[2].words) & expected[2].mask;
	words = (const record_words *)record->args;
	different |= (words[0] ^ expected[3].words) & expected[3].mask;
	different |= (words[1] ^ expected[4].words) & expected[4].mask;
	if (different[0] | different[1])
		return false;
	return __builtin_expect(signature->arg_pairs <= EXPECTED_ARGS, 1) ||
	       signature_match_more(signature, record);
}

/* Whether the record has this signature; notes what signature_apply() needs. */
static inline bool signature_match(struct signature_table *table, const struct signature *signature,
				   const struct raw_record *record, bool after)
{
	return after == signature->after && signature_match_words(signature, record) &&
	       (signature->special_count == 0 ||
		signature_match_specials(table, signature, record));
}

/* Holds a number that goes aside against those of other fields, and keeps its chain for them. */
void signature_watch(struct signature_table *table, const struct signature_special *special);

/* Puts the number of a special aside. */
static inline void signature_put_aside(struct signature_table *table,
				       const struct signature_special *special)
{
	if (__builtin_expect(table->aside_count < table->watched, 0))
		signature_watch(table, special);
	table->input.aside[table->aside_count] = special->value - special->chain->last;
	table->input.aside_of[table->aside_count++] = special->whose;
}

/* Stores what the signature of the record that was matched just now leaves open, for which there is room. */
static inline void signature_apply(struct signature_table *table, const struct signature *signature)
{
	for (unsigned i = 0; i < signature->chain_count; i++) {
		const struct signature_special *special = &signature->specials[i];

		if (special->operation == FIELD_ASIDE)
			signature_put_aside(table, special);
		if (special->described && special->value != special->chain->last)
			table->newest = special->chain;
		special->chain->last = special->value;
	}
}

/* The record that was matched just now is one of this signature. -E2BIG: it leaves open more than there is room for; nothing has changed. */
static inline int signature_count(struct signature_table *table, struct signature *signature,
				  const struct raw_record *record)
{
	if (signature->chain_count > 0) {
		if (table->aside_count + signature->chain_count > table->input.aside_room)
			return -E2BIG;
		signature_apply(table, signature);
	}
	signature->count++;
	signature->calls += record->repeat;
	return 0;
}

#endif
