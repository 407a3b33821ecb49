/* SPDX-License-Identifier: MIT */
/* decoded_signature.c - see decoded_signature.h */
#include "format/signatures_decode.h"

#include <errno.h>
#include <stddef.h>

#define BAKED_MAX 512u /* bytes of a record whose strings are put into the signature's */

unsigned signature_fields(const struct list_function *function, unsigned arg_count,
			  struct field_place *places)
{
	unsigned count = fields_of_call(places, function->result_class);

	for (unsigned i = 0; i < arg_count; i++)
		count += fields_of_arg(&places[count], function->classes[i], i);
	return count;
}

bool signature_value_is_right(const struct signatures *signatures, struct field_place place,
			      uint64_t value)
{
	switch (place.form) {
	case FORM_VALUE:
		return value == (uint64_t)(int64_t)(int32_t)value;
	case FORM_ID:
		return value <= UINT32_MAX;
	case FORM_REPEAT:
		return value < UINT32_MAX;
	case FORM_SITE:
		return value < signatures->lists.site_count;
	case FORM_STRING:
	case FORM_ARRAY:
		return record_blocks_has(&signatures->blocks, place.form == FORM_ARRAY, value);
	default:
		return true;
	}
}

void signature_put(struct signatures *signatures, struct raw_record *record,
		   struct field_place place, uint64_t value)
{
	uint8_t *to = (uint8_t *)record + place.at;

	switch (place.form) {
	case FORM_WORD:
		*(uint64_t *)to = value;
		break;
	case FORM_VALUE:
		*(int32_t *)to = (int32_t)value;
		break;
	case FORM_ID:
		*(uint32_t *)to = (uint32_t)value;
		break;
	case FORM_REPEAT:
		record->repeat = (uint32_t)value + 1;
		break;
	case FORM_SITE:
		record->callsite = signatures->sites[value].offset;
		record->reserved1 = signatures->sites[value].module;
		break;
	case FORM_STRING:
	case FORM_ARRAY:
		*(uint64_t *)to = record_blocks_add(&signatures->blocks, record,
						    place.form == FORM_ARRAY, value);
		break;
	default:
		break;
	}
}

/* Reads one field of a signature. */
static int read_field(struct signatures *signatures, unsigned number, struct signature_patch *patch)
{
	struct bytes *words = &signatures->words;
	uint64_t operation = bytes_varint(words), chain = 0;

	if (operation >= FIELD_OPERATIONS)
		return -EBADMSG;
	if (operation >= FIELD_ADD)
		chain = bytes_varint(words);
	if (chain && chain >= signatures->chain_count)
		return -EBADMSG;
	if (operation >= FIELD_ADD && signatures->chain_count == 0)
		return -EBADMSG;
	patch->operation = (uint8_t)operation;
	patch->chain = (uint16_t)chain;
	if (operation == FIELD_EQUAL)
		patch->operand = bytes_varint(words);
	else if (operation != FIELD_ASIDE)
		patch->operand = (uint64_t)bytes_svarint(words);
	if (operation == FIELD_EQUAL && patch->operand >= number)
		return -EBADMSG;
	if (operation == FIELD_RELATIVE) {
		patch->operand += signatures->self;
		patch->operation = FIELD_CONSTANT;
	}
	return words->bad ? -EBADMSG : 0;
}

/* One that is like a constant field is one too, else it refers to that field's patch. */
static void resolve_equal(struct signature_patch *all, const uint16_t *patch_of, unsigned number)
{
	const struct signature_patch *same = &all[all[number].operand];

	if (same->operation == FIELD_CONSTANT) {
		all[number].operation = FIELD_CONSTANT;
		all[number].operand = same->operand;
	} else {
		all[number].equal = patch_of[all[number].operand];
	}
}

/* The fields of a signature: constant ones go into its record, the others become patches, *count of them. */
static int read_fields(struct signatures *signatures, const struct list_function *function,
		       struct decoded_signature *signature, struct signature_patch *patches,
		       unsigned *count)
{
	struct field_place places[FIELDS_MAX];
	struct signature_patch all[FIELDS_MAX] = {{0}};
	uint16_t patch_of[FIELDS_MAX] = {0};
	struct raw_record *record = signature->record;
	unsigned fields = signature_fields(function, record->arg_count, places);

	*count = 0;
	for (unsigned i = 0; i < fields; i++) {
		struct signature_patch *patch = &all[i];

		if (read_field(signatures, i, patch))
			return -EBADMSG;
		patch->place = places[i];
		if (patch->operation == FIELD_EQUAL)
			resolve_equal(all, patch_of, i);
		if (patch->operation == FIELD_ASIDE) {
			signatures->asides[function->first + i].used = true;
			patch->operand = function->first + i;
		}
		if (patch->operation == FIELD_CONSTANT) {
			if (!signature_value_is_right(signatures, patch->place, patch->operand))
				return -EBADMSG;
			if (!field_is_block(patch->place.form)) {
				signature_put(signatures, record, patch->place, patch->operand);
				continue;
			}
		}
		patch_of[i] = (uint16_t)*count;
		patches[(*count)++] = *patch;
	}
	return 0;
}

/* Leaves those out that are done, and numbers the others anew. */
static void drop_blocks(struct decoded_signature *signature)
{
	uint16_t numbers[FIELDS_MAX], count = 0;

	for (unsigned i = 0; i < signature->patch_count; i++) {
		struct signature_patch patch = signature->patches[i];

		numbers[i] = count;
		if (field_is_block(patch.place.form))
			continue;
		patch.equal = numbers[patch.equal];
		signature->patches[count++] = patch;
	}
	signature->patch_count = count;
}

/* Puts the blocks into the signature's record if all of them are constant and they are small. */
static bool bake_blocks(struct signatures *signatures, struct decoded_signature *signature,
			uint8_t *buffer)
{
	struct raw_record *record = (struct raw_record *)buffer;

	for (unsigned i = 0; i < signature->patch_count; i++)
		if (field_is_block(signature->patches[i].place.form) &&
		    signature->patches[i].operation != FIELD_CONSTANT)
			return false;
	signatures->blocks.excess = 0;
	for (unsigned i = 0; i < signature->patch_count; i++) {
		const struct signature_patch *patch = &signature->patches[i];

		if (field_is_block(patch->place.form))
			signature_put(signatures, record, patch->place, patch->operand);
		if (signatures->blocks.bad || record->size > BAKED_MAX) {
			signatures->blocks.bad = false; /* it is found again when a record has it */
			return false;
		}
	}
	drop_blocks(signature);
	signature->excess = signatures->blocks.excess;
	return true;
}

static bool all_are_steps(const struct decoded_signature *signature)
{
	const struct signature_patch *patches = signature->patches;

	for (unsigned i = 0; i < signature->patch_count; i++) {
		if (patches[i].operation != FIELD_ADD || patches[i].place.form != FORM_WORD)
			return false;
		for (unsigned k = 0; k < i; k++)
			if (patches[k].chain == patches[i].chain)
				return false;
	}
	return true;
}

static int keep_record(struct signatures *signatures, struct decoded_signature *signature,
		       uint8_t *buffer)
{
	const struct raw_record *record = (const struct raw_record *)buffer;
	uint32_t plain = record->size;
	struct raw_record *kept;

	if (!bake_blocks(signatures, signature, buffer)) {
		((struct raw_record *)buffer)->size = plain;
		signature->excess = 0;
		signature->has_blocks = true;
	}
	signature->size = record->size;
	signature->copied = (record->size + COPY_AT_ONCE - 1) / COPY_AT_ONCE * COPY_AT_ONCE;
	kept = bump_take(&signatures->bump, signature->copied, 1);
	if (!kept)
		return -ENOBUFS;
	memcpy(kept, buffer, signature->copied);
	signature->record = kept;
	signature->steps = all_are_steps(signature);
	if (signature->patch_count > signatures->patches_max)
		signatures->patches_max = signature->patch_count;
	return 0;
}

static int keep_patches(struct signatures *signatures, struct decoded_signature *signature,
			const struct signature_patch *patches, unsigned count)
{
	signature->patches = bump_take(&signatures->bump, count, sizeof(*patches));
	if (!signature->patches)
		return -ENOBUFS;
	memcpy(signature->patches, patches, count * sizeof(*patches));
	signature->patch_count = (uint16_t)count;
	return 0;
}

/* What stands in front of a signature's fields. */
static const struct list_function *read_head(struct signatures *signatures,
					     struct decoded_signature *signature, uint64_t *group)
{
	struct bytes *words = &signatures->words;
	uint64_t function = bytes_varint(words), level = bytes_varint(words);
	uint8_t flags = bytes_u8(words);
	uint64_t times = bytes_varint(words);
	int64_t err = bytes_svarint(words);
	uint64_t arg_count = bytes_varint(words);
	struct raw_record *record = signature->record;

	*group = times >> 1;
	if (words->bad || function >= signatures->lists.function_count || level > UINT16_MAX ||
	    *group >= (signatures->summed ? 1 : signatures->group_count) || err != (int32_t)err ||
	    arg_count > signatures->functions[function].arg_count)
		return NULL;
	signature->after = times & 1;
	*record = (struct raw_record){
		.size = (uint32_t)(sizeof(*record) + arg_count * 8),
		.function = signatures->functions[function].id,
		.level = (uint16_t)level,
		.flags = flags,
		.arg_count = (uint8_t)arg_count,
		.err = (int32_t)err,
	};
	memset(record->args, 0, arg_count * 8);
	return &signatures->functions[function];
}

static int read_signature(struct signatures *signatures, struct decoded_signature *signature)
{
	_Alignas(8) uint8_t buffer[DECODED_RECORD_MAX + COPY_AT_ONCE];
	struct signature_patch patches[FIELDS_MAX];
	const struct list_function *function;
	uint64_t group;
	unsigned count;
	int error;

	signature->record = (struct raw_record *)buffer;
	function = read_head(signatures, signature, &group);
	if (!function)
		return -EBADMSG;
	if (!signatures->summed)
		signature->times = &signatures->times[group];
	error = read_fields(signatures, function, signature, patches, &count);
	if (!error)
		error = keep_patches(signatures, signature, patches, count);
	return error ? error : keep_record(signatures, signature, buffer);
}

int signatures_read(struct signatures *signatures)
{
	struct bytes *words = &signatures->words;
	uint64_t chains = bytes_varint(words), groups = bytes_varint(words);
	int error = 0;

	if (words->bad || chains > SIGNATURE_CHAINS_MAX || groups > SIGNATURE_GROUPS_MAX)
		return -EBADMSG;
	signatures->chain_count = (uint32_t)chains;
	signatures->group_count = (uint32_t)groups;
	signatures->signature_count = lists_take_count(words, SIGNATURES_MAX);
	signatures->chains = bump_take_zeros(&signatures->bump, chains, sizeof(uint64_t));
	signatures->times = bump_take_zeros(&signatures->bump, signatures->summed ? 0 : groups,
					    sizeof(*signatures->times));
	signatures->signatures = bump_take_zeros(&signatures->bump, signatures->signature_count,
						 sizeof(*signatures->signatures));
	if (!signatures->chains || !signatures->times || !signatures->signatures)
		return -ENOBUFS;
	for (uint32_t i = 0; i < signatures->signature_count && !error; i++)
		error = read_signature(signatures, &signatures->signatures[i]);
	return error;
}
