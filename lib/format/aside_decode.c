/* SPDX-License-Identifier: MIT */
/* aside_decode.c - see aside_decode.h */
#include "format/aside_decode.h"

#include <errno.h>

#include "format/signatures_decode.h"

static int open_part(struct signatures *signatures, struct decoded_aside *part)
{
	int error = numbers_open(&part->numbers, &signatures->words, &signatures->bits,
				 &signatures->bump);

	return error ? error : signatures_count_numbers(signatures, part->numbers.sequence.left);
}

static struct decoded_aside *take_parts(struct signatures *signatures, struct aside_field *field,
					uint32_t count)
{
	field->count = count;
	field->parts = bump_take_zeros(&signatures->bump, count, sizeof(*field->parts));
	return field->parts;
}

/* A sequence for each chain. */
static int open_by_chain(struct signatures *signatures, struct aside_field *field)
{
	struct bytes *words = &signatures->words;
	uint32_t count = lists_take_count(words, signatures->chain_count);
	uint64_t chain = 0;
	int error = 0;

	field->by_chain = true;
	if (words->bad || !take_parts(signatures, field, count))
		return words->bad ? -EBADMSG : -ENOBUFS;
	for (uint32_t i = 0; i < count && !error; i++) {
		uint64_t distance = bytes_varint(words);

		field->parts[i].factor = bytes_varint(words);
		if (words->bad || (i > 0 && distance == 0) ||
		    distance >= signatures->chain_count - chain)
			return -EBADMSG;
		chain += distance;
		field->parts[i].chain = (uint32_t)chain;
		error = open_part(signatures, &field->parts[i]);
	}
	return error;
}

static int open_field(struct signatures *signatures, struct aside_field *field)
{
	uint64_t factor = bytes_varint(&signatures->words);

	if (factor == 0)
		return open_by_chain(signatures, field);
	if (!take_parts(signatures, field, 1))
		return -ENOBUFS;
	field->parts->factor = factor;
	return open_part(signatures, field->parts);
}

/* The numbers of a field for those that have this chain; NULL: there are none. */
static struct decoded_aside *find_part(const struct aside_field *field, uint32_t chain)
{
	uint32_t low = 0, high = field->count;

	if (!field->by_chain)
		return field->parts;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (field->parts[middle].chain < chain)
			low = middle + 1;
		else
			high = middle;
	}
	return low < field->count && field->parts[low].chain == chain ? &field->parts[low] : NULL;
}

/* Where the fields of a signature find their numbers. */
static int find_parts(const struct signatures *signatures, struct decoded_signature *signature)
{
	for (unsigned i = 0; i < signature->patch_count; i++) {
		struct signature_patch *patch = &signature->patches[i];

		if (patch->operation != FIELD_ASIDE)
			continue;
		patch->aside = find_part(&signatures->asides[patch->operand], patch->chain);
		if (!patch->aside)
			return -EBADMSG;
	}
	return 0;
}

int asides_open(struct signatures *signatures)
{
	int error = 0;

	for (uint32_t i = 0; i < signatures->field_count && !error; i++)
		if (signatures->asides[i].used)
			error = open_field(signatures, &signatures->asides[i]);
	for (uint32_t i = 0; i < signatures->signature_count && !error; i++)
		error = find_parts(signatures, &signatures->signatures[i]);
	return error;
}
