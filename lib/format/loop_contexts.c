/* SPDX-License-Identifier: MIT */
/* loop_contexts.c - see loop_contexts.h */
#include "format/loop_contexts.h"

#include <errno.h>

#include "format/loop_steps.h"

static const struct raw_record *record_at(const uint8_t *block, uint32_t at)
{
	return (const struct raw_record *)(block + at);
}

void loop_find_inside(struct loop *loop, const uint8_t *records)
{
	uint32_t at = 0;
	uint32_t *first = loop->room, *offset = first + loop->period;

	for (uint32_t i = 0; i < loop->period; i++) {
		const struct raw_record *record = record_at(records, at);
		uint32_t k = i;

		while (k > 0 && record_at(records, offset[k - 1])->level > record->level &&
		       record_at(records, offset[k - 1])->tstart >= record->tstart)
			k = first[k - 1];
		first[i] = k;
		offset[i] = at;
		loop->inside[i] = i - k;
		at += record->size;
	}
}

/*
 * What is the same of records whose times are of one kind: all but numbers, which may say where in a file it was, or how far. `about`: with regard to files, names and the like.
 */
static uint64_t hash_kind(const struct encode_function *function, const struct raw_record *record,
			  bool about)
{
	const uint64_t *words = (const uint64_t *)record;
	uint64_t hash = loop_mix(record->tail >> 32, about ? record->head : record->head >> 32);

	hash = loop_mix(loop_mix(loop_mix(hash, record->callsite), record->outcome),
			record->stack_word);
	if (!about)
		return hash;
	for (uint32_t i = sizeof(*record) / 8; i < record->size / 8; i++)
		if (loop_word(function, record, i) != LOOP_NUMBER)
			hash = loop_mix(hash, words[i]);
	return hash;
}

static int find_context(struct loop *loop, uint64_t *hashes, uint32_t most, uint64_t hash)
{
	for (uint32_t i = 0; i < loop->context_count; i++)
		if (hashes[i] == hash)
			return (int)i;
	if (loop->context_count == most)
		return -E2BIG;
	hashes[loop->context_count] = hash;
	return (int)loop->context_count++;
}

/* Contexts get their numbers in the order of the records. */
static void number_contexts(struct loop *loop)
{
	uint16_t numbers[LOOP_CONTEXTS];
	uint32_t count = 0;

	memset(numbers, 0xff, sizeof(numbers));
	for (uint32_t i = 0; i < loop->period; i++) {
		uint16_t *number = &numbers[loop->context[i]];

		if (*number == UINT16_MAX)
			*number = (uint16_t)count++;
		loop->context[i] = *number;
	}
}

/* A call with others inside that are of parts before its own is of no kind with others: so what is inside of it, and what is not, never have a context in common. */
static uint64_t hash_of(const struct loop *loop, const struct loop_input *input,
			const struct raw_record *record, uint32_t index, bool about)
{
	struct encode_function function = input->function(input->data, record->function);
	const struct loop_part *part = loop->parts;
	uint64_t hash = hash_kind(&function, record, about);

	while (index - part->first >= part->count)
		part++;
	return index - loop->inside[index] < part->first ? loop_mix(hash, index) : hash;
}

/* From the last record back: what encloses a record is known when it is met. */
static int find_contexts(struct loop *loop, const struct loop_input *input, uint64_t *hashes,
			 bool about)
{
	uint32_t at = 0, *parent = loop->room, *offset = parent + loop->period;

	loop->context_count = 0;
	for (uint32_t i = 0; i < loop->period; i++) {
		offset[i] = at;
		parent[i] = LOOP_CONTEXTS;
		at += record_at(input->records, at)->size;
	}
	for (uint32_t i = loop->period; i-- > 0;) {
		const struct raw_record *record = record_at(input->records, offset[i]);
		uint64_t hash = loop_mix(hash_of(loop, input, record, i, about), parent[i]);
		int context = find_context(loop, hashes, about ? LOOP_KINDS : LOOP_CONTEXTS, hash);

		if (context < 0)
			return context;
		loop->context[i] = (uint16_t)context;
		/* those that are deeper inside get theirs when it is their turn */
		for (uint32_t k = i, end = i - loop->inside[i]; k > end;
		     k -= 1 + loop->inside[k - 1])
			parent[k - 1] = (uint32_t)context;
	}
	number_contexts(loop);
	return 0;
}

int loop_find_contexts(struct loop *loop, const struct loop_input *input, uint64_t *hashes)
{
	int error = find_contexts(loop, input, hashes, true);

	return error == -E2BIG ? find_contexts(loop, input, hashes, false) : error;
}
