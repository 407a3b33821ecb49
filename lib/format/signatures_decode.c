/* SPDX-License-Identifier: MIT */
/* signatures_decode.c - see signatures_decode.h */
#include "format/signatures_decode.h"

#include <errno.h>
#include <stddef.h>

#define COPY_AT_ONCE 32u /* bytes of a signature's record */
#define BAKED_MAX 512u   /* bytes of a record whose strings are put into the signature's */

/* Where a field's value goes. */
enum patch_target {
	PATCH_NOWHERE, /* of a later version */
	PATCH_REPEAT,
	PATCH_SITE,
	PATCH_WORD,
	PATCH_VALUE,
	PATCH_ID,
	PATCH_STRING,
	PATCH_ARRAY,
};

/* A field that is different from record to record, or has a block. */
struct signature_patch {
	uint8_t operation;
	uint8_t target;
	uint16_t at;    /* byte of the record */
	uint16_t equal; /* patch whose value it is */
	uint16_t chain;
	uint64_t operand;
	uint32_t aside; /* index */
};

struct decoded_signature {
	struct raw_record *record; /* what all have in common; a multiple of COPY_AT_ONCE bytes */
	struct signature_patch *patches;
	struct sequence *idle, *duration;
	uint32_t copied;
	uint32_t excess; /* of the blocks that are in `record` */
	uint16_t patch_count;
	bool after;
};

/* ---- signatures ---- */

/* A field of a function: what it is and where it goes. */
struct place {
	uint8_t target;
	uint16_t at;
};

static unsigned places_of_value(struct place *places, unsigned class, size_t at)
{
	static const uint8_t targets[] = {[CLASS_INT] = PATCH_WORD,
					  [CLASS_DOUBLE] = PATCH_WORD,
					  [CLASS_PAIR] = PATCH_VALUE,
					  [CLASS_STRING] = PATCH_STRING,
					  [CLASS_ARRAY] = PATCH_ARRAY};

	places[0] = (struct place){class < sizeof(targets) ? targets[class] : PATCH_NOWHERE,
				   (uint16_t)at};
	if (class == CLASS_PAIR)
		places[1] = (struct place){PATCH_ID, (uint16_t)(at + 4)};
	return fields_of_class(class);
}

/* The fields of a function's records that have `arg_count` arguments. */
static unsigned list_places(const struct list_function *function, unsigned arg_count,
			    struct place *places)
{
	unsigned count = FIELD_RESULT;

	places[FIELD_REPEAT] = (struct place){PATCH_REPEAT, 0};
	places[FIELD_SITE] = (struct place){PATCH_SITE, 0};
	places[FIELD_STACK] = (struct place){PATCH_ID, offsetof(struct raw_record, stack)};
	count += places_of_value(&places[count], function->result_class,
				 offsetof(struct raw_record, result));
	for (unsigned i = 0; i < arg_count; i++)
		count += places_of_value(&places[count], function->classes[i],
					 offsetof(struct raw_record, args) + 8 * (size_t)i);
	return count;
}

static bool is_block(unsigned target)
{
	return target == PATCH_STRING || target == PATCH_ARRAY;
}

static void put_site(struct signatures *signatures, struct raw_record *record, uint64_t value)
{
	if (value >= signatures->lists.site_count) {
		signatures->bad = true;
		return;
	}
	record->callsite = signatures->sites[value].offset;
	record->reserved1 = signatures->sites[value].module;
}

static inline void put_value(struct signatures *signatures, struct raw_record *record,
			     unsigned target, unsigned at, uint64_t value)
{
	uint8_t *to = (uint8_t *)record + at;

	switch (target) {
	case PATCH_WORD:
		*(uint64_t *)to = value;
		break;
	case PATCH_VALUE:
		signatures->bad |= value != (uint64_t)(int64_t)(int32_t)value;
		*(int32_t *)to = (int32_t)value;
		break;
	case PATCH_ID:
		signatures->bad |= value > UINT32_MAX;
		*(uint32_t *)to = (uint32_t)value;
		break;
	case PATCH_REPEAT:
		signatures->bad |= value >= UINT32_MAX;
		record->repeat = (uint32_t)value + 1;
		break;
	case PATCH_SITE:
		put_site(signatures, record, value);
		break;
	case PATCH_STRING:
	case PATCH_ARRAY:
		*(uint64_t *)to = record_blocks_add(&signatures->blocks, record,
						    target == PATCH_ARRAY, value);
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
	struct place places[FIELDS_MAX];
	struct signature_patch all[FIELDS_MAX] = {{0}};
	uint16_t patch_of[FIELDS_MAX] = {0};
	struct raw_record *record = signature->record;
	unsigned fields = list_places(function, record->arg_count, places);

	*count = 0;
	for (unsigned i = 0; i < fields; i++) {
		struct signature_patch *patch = &all[i];

		if (read_field(signatures, i, patch))
			return -EBADMSG;
		patch->target = places[i].target;
		patch->at = places[i].at;
		if (patch->operation == FIELD_EQUAL)
			resolve_equal(all, patch_of, i);
		if (patch->operation == FIELD_ASIDE) {
			signatures->asides[function->first + i] = 1;
			patch->aside = function->first + i; /* until they are numbered */
		}
		if (patch->operation == FIELD_CONSTANT && !is_block(patch->target)) {
			put_value(signatures, record, patch->target, patch->at, patch->operand);
			continue;
		}
		if (patch->operation == FIELD_CONSTANT)
			signatures->bad |=
				!record_blocks_has(&signatures->blocks,
						   patch->target == PATCH_ARRAY, patch->operand);
		patch_of[i] = (uint16_t)*count;
		patches[(*count)++] = *patch;
	}
	return signatures->bad ? -EBADMSG : 0;
}

/* Puts the blocks into the signature's record if all of them are constant and they are small. */
static bool bake_blocks(struct signatures *signatures, struct decoded_signature *signature,
			uint8_t *buffer)
{
	struct raw_record *record = (struct raw_record *)buffer;
	unsigned left = 0;

	for (unsigned i = 0; i < signature->patch_count; i++)
		if (is_block(signature->patches[i].target) &&
		    signature->patches[i].operation != FIELD_CONSTANT)
			return false;
	signatures->blocks.excess = 0;
	for (unsigned i = 0; i < signature->patch_count; i++) {
		const struct signature_patch *patch = &signature->patches[i];

		if (is_block(patch->target))
			put_value(signatures, record, patch->target, patch->at, patch->operand);
		if (signatures->blocks.bad || record->size > BAKED_MAX) {
			signatures->blocks.bad = false; /* it is found again when a record has it */
			return false;
		}
	}
	/* values of patches are referred to by their numbers: they stay, and do nothing */
	for (unsigned i = 0; i < signature->patch_count; i++)
		if (is_block(signature->patches[i].target))
			signature->patches[i].target = PATCH_NOWHERE;
		else
			left++;
	if (left == 0)
		signature->patch_count = 0;
	signature->excess = signatures->blocks.excess;
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
	}
	signature->copied = (record->size + COPY_AT_ONCE - 1) / COPY_AT_ONCE * COPY_AT_ONCE;
	kept = bump_take(&signatures->bump, signature->copied, 1);
	if (!kept)
		return -ENOBUFS;
	memcpy(kept, buffer, signature->copied);
	signature->record = kept;
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
	    *group >= signatures->group_count || err != (int32_t)err ||
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
	signature->idle = &signatures->idle[group];
	signature->duration = &signatures->duration[group];
	error = read_fields(signatures, function, signature, patches, &count);
	if (!error)
		error = keep_patches(signatures, signature, patches, count);
	return error ? error : keep_record(signatures, signature, buffer);
}

static int read_signatures(struct signatures *signatures)
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
	signatures->idle = bump_take_zeros(&signatures->bump, groups, sizeof(struct sequence));
	signatures->duration = bump_take_zeros(&signatures->bump, groups, sizeof(struct sequence));
	signatures->signatures = bump_take_zeros(&signatures->bump, signatures->signature_count,
						 sizeof(*signatures->signatures));
	if (!signatures->chains || !signatures->idle || !signatures->duration ||
	    !signatures->signatures)
		return -ENOBUFS;
	for (uint32_t i = 0; i < signatures->signature_count && !error; i++)
		error = read_signature(signatures, &signatures->signatures[i]);
	return error;
}

/* ---- sequences ---- */

static int open_sequence(struct signatures *signatures, struct sequence *sequence)
{
	struct bump *bump = &signatures->bump;
	struct sequence_room room = {(struct ans_entry *)(void *)bump->memory,
				     bump->left / sizeof(struct ans_entry), 0};
	int error = sequence_open(sequence, &signatures->words, &signatures->bits, &room);
	size_t used = (size_t)((uint8_t *)room.entries - bump->memory);

	bump->memory += used; /* a multiple of 16: tables have at least 32 entries */
	bump->left -= used;
	return error;
}

static int open_sequences(struct signatures *signatures, struct sequence *sequences, uint32_t count)
{
	int error = 0;

	for (uint32_t i = 0; i < count && !error; i++) {
		error = open_sequence(signatures, &sequences[i]);
		signatures->numbers += sequences[i].left;
		if (signatures->numbers > SIGNATURE_NUMBERS_MAX)
			error = -EBADMSG;
	}
	return error;
}

/* The fields that have numbers aside get these, in the order in which they are in the words. */
static int open_asides(struct signatures *signatures, uint32_t fields)
{
	int error = 0;

	for (uint32_t i = 0; i < fields; i++)
		if (signatures->asides[i])
			signatures->asides[i] = ++signatures->aside_count;
	signatures->aside = bump_take_zeros(&signatures->bump, signatures->aside_count,
					    sizeof(*signatures->aside));
	if (!signatures->aside)
		return -ENOBUFS;
	for (uint32_t i = 0; i < signatures->aside_count && !error; i++) {
		signatures->aside[i].factor = bytes_varint(&signatures->words);
		error = open_sequences(signatures, &signatures->aside[i].sequence, 1);
	}
	for (uint32_t i = 0; i < signatures->signature_count && !error; i++) {
		struct decoded_signature *signature = &signatures->signatures[i];

		for (unsigned k = 0; k < signature->patch_count; k++)
			if (signature->patches[k].operation == FIELD_ASIDE)
				signature->patches[k].aside =
					signatures->asides[signature->patches[k].aside] - 1;
	}
	return error;
}

/* ---- */

int signatures_open(struct signatures *signatures, const struct chunk_header *header,
		    const void *words, size_t words_size, const void *bits, size_t bits_size)
{
	memset(signatures, 0, sizeof(*signatures));
	signatures->words = bytes_of(words, words_size);
	signatures->bits = bytes_of(bits, bits_size);
	return lists_open(&signatures->lists, header, &signatures->words);
}

/* Where each function's fields begin when those of all are in a row; their number. */
static uint32_t number_fields(const struct signatures *signatures, struct list_function *functions)
{
	struct place places[FIELDS_MAX];
	uint32_t fields = 0;

	for (uint32_t i = 0; i < signatures->lists.function_count; i++) {
		functions[i].first = fields;
		fields += list_places(&functions[i], functions[i].arg_count, places);
	}
	return fields;
}

static int read_all(struct signatures *signatures, uint32_t fields)
{
	int error;

	signatures->self = bytes_varint(&signatures->words);
	error = record_blocks_read(&signatures->blocks, &signatures->words, &signatures->bump);
	if (!error)
		error = read_signatures(signatures);
	if (!error)
		error = open_sequence(signatures, &signatures->runs);
	if (!error)
		error = open_sequence(signatures, &signatures->ids);
	if (!error)
		error = open_sequences(signatures, signatures->idle, signatures->group_count);
	if (!error)
		error = open_sequences(signatures, signatures->duration, signatures->group_count);
	return error ? error : open_asides(signatures, fields);
}

int signatures_begin(struct signatures *signatures, struct list_function *functions, void *memory,
		     size_t size)
{
	struct bytes words = signatures->words, bits = signatures->bits;
	uint32_t fields = number_fields(signatures, functions);
	int error;

	signatures->bump = (struct bump){memory, size};
	signatures->functions = functions;
	signatures->aside_count = 0;
	signatures->numbers = 0;
	signatures->sites = bump_take(&signatures->bump, signatures->lists.site_count,
				      sizeof(*signatures->sites));
	signatures->asides =
		bump_take_zeros(&signatures->bump, fields, sizeof(*signatures->asides));
	if (!signatures->sites || !signatures->asides)
		return -ENOBUFS;
	error = lists_sites(&signatures->lists, signatures->sites);
	if (!error)
		error = read_all(signatures, fields);
	if (!error && (signatures->words.bad || bytes_left(&signatures->words) ||
		       bytes_left(&signatures->bits)))
		error = -EBADMSG;
	if (error) {
		signatures->words = words;
		signatures->bits = bits;
		return error;
	}
	signatures->end = signatures->lists.base;
	signatures->run = sequence_next(&signatures->runs);
	return 0;
}

static const struct decoded_signature *next_signature(struct signatures *signatures)
{
	uint16_t *place = &signatures->predicted[predictor_place(signatures->context)];
	uint64_t number;

	if (signatures->run > 0) {
		signatures->run--;
		number = (uint64_t)*place - 1;
	} else {
		number = sequence_next(&signatures->ids);
		signatures->run = sequence_next(&signatures->runs);
		*place = (uint16_t)(number + 1);
	}
	if (number >= signatures->signature_count)
		return NULL;
	signatures->context = predictor_after(signatures->context, (uint32_t)number + 1);
	return &signatures->signatures[number];
}

static inline void take_times(struct signatures *signatures,
			      const struct decoded_signature *signature, struct raw_record *record)
{
	const struct lists *lists = &signatures->lists;
	uint64_t idle = sequence_next(signature->idle);
	uint64_t duration = sequence_next(signature->duration);
	uint64_t start, end;
	bool bad = __builtin_add_overflow(signatures->end, idle, &start);

	if (signature->after) {
		end = start;
		bad |= duration > end;
		start = end - duration;
	} else {
		bad |= __builtin_add_overflow(start, duration, &end);
	}
	if (__builtin_expect(start < lists->base, 0))
		bad |= !lists_carried(&signatures->lists, signatures->done, lists->base - start);
	signatures->end = end;
	record->tend = lists_ticks(lists, end, &bad);
	record->tstart = start * lists->unit + lists->phase;
	signatures->bad |= bad;
}

static inline uint64_t patch_value(struct signatures *signatures,
				   const struct signature_patch *patch, const uint64_t *values)
{
	struct decoded_aside *aside;
	uint64_t *last = &signatures->chains[patch->chain];

	switch (patch->operation) {
	case FIELD_EQUAL:
		return values[patch->equal];
	case FIELD_ADD:
		return *last += patch->operand;
	case FIELD_ASIDE:
		aside = &signatures->aside[patch->aside];
		return *last += (uint64_t)unzigzag(sequence_next(&aside->sequence)) * aside->factor;
	default:
		return patch->operand;
	}
}

static inline void apply_patches(struct signatures *signatures,
				 const struct decoded_signature *signature,
				 struct raw_record *record)
{
	uint64_t values[FIELDS_MAX];

	for (unsigned i = 0; i < signature->patch_count; i++) {
		const struct signature_patch *patch = &signature->patches[i];

		values[i] = patch_value(signatures, patch, values);
		put_value(signatures, record, patch->target, patch->at, values[i]);
	}
}

/* Nothing may be left of anything. */
static bool all_used_up(const struct signatures *signatures)
{
	bool ended = lists_ended(&signatures->lists) && signatures->run == 0 &&
		     sequence_ended(&signatures->runs) && sequence_ended(&signatures->ids);

	for (uint32_t i = 0; i < signatures->group_count; i++)
		ended = ended && sequence_ended(&signatures->idle[i]) &&
			sequence_ended(&signatures->duration[i]);
	for (uint32_t i = 0; i < signatures->aside_count; i++)
		ended = ended && sequence_ended(&signatures->aside[i].sequence);
	return ended;
}

ssize_t signatures_next(struct signatures *signatures, struct raw_record *record)
{
	const struct decoded_signature *signature;

	if (signatures->done == signatures->lists.count)
		return all_used_up(signatures) ? 0 : -EBADMSG;
	signature = next_signature(signatures);
	if (!signature)
		return -EBADMSG;
	for (uint32_t i = 0; i < signature->copied; i += COPY_AT_ONCE)
		memcpy((uint8_t *)record + i, (const uint8_t *)signature->record + i, COPY_AT_ONCE);
	signatures->blocks.excess = signature->excess;
	take_times(signatures, signature, record);
	apply_patches(signatures, signature, record);
	if (signatures->bad || signatures->blocks.bad ||
	    record->size - signatures->blocks.excess > RECORD_MAX_SIZE)
		return -EBADMSG;
	signatures->done++;
	return record->size;
}

#ifdef UNIT_TEST
#include "unittest.h"

#include <stdlib.h>

#include "format/signatures_encode.h"

static const uint8_t signatures_test_classes[] = {CLASS_INT, CLASS_STRING, CLASS_ARRAY, CLASS_PAIR};

static struct encode_function signatures_test_function(void *data, uint16_t id)
{
	(void)data;
	(void)id;
	return (struct encode_function){CLASS_INT, 4, signatures_test_classes, 0};
}

static struct encode_site signatures_test_site(void *data, uint64_t address)
{
	(void)data;
	return (struct encode_site){address > 100, address > 100 ? address - 100 : address};
}

/* One record with a string and an array behind its arguments. */
struct signatures_sample {
	struct raw_record record;
	uint64_t args[4];
	uint32_t text_stored, text_original;
	char text[8];
	uint32_t array_stored, array_original;
	int64_t sum;
	int64_t elements[2];
};

static void signatures_test_fill(struct signatures_sample *sample, uint32_t i)
{
	*sample = (struct signatures_sample){
		.record = {.size = sizeof(*sample),
			   .function = (uint16_t)(300 + i % 3),
			   .level = (uint16_t)(i % 2),
			   .arg_count = 4,
			   .flags = (uint8_t)(i % 5 == 0),
			   .tstart = 1000 + i * 20,
			   .tend = 1010 + i * 20,
			   .result = -(int64_t)i,
			   .callsite = 90 + i % 7 * 5,
			   .err = i % 11 == 0 ? 2 : 0,
			   .repeat = 1},
		.args = {i * 4096, offsetof(struct signatures_sample, text_stored),
			 offsetof(struct signatures_sample, array_stored), pair_make(-1, i)},
		.text_stored = 8,
		.text_original = 8 + i % 2,
		.array_stored = 2,
		.array_original = 2,
		.sum = (int64_t)i + 7,
		.elements = {(int64_t)i, 7},
	};
	memcpy(sample->text, i % 4 ? "same  as" : "another.", 8);
	if (i % 13 == 0)
		sample->args[1] = BLOCK_UNREADABLE;
}

#define SIGNATURES_TEST_RECORDS 2000u

static struct {
	struct signatures_sample samples[SIGNATURES_TEST_RECORDS];
	uint8_t words[1 << 19], bits[1 << 19];
	struct encode_output output;
	struct chunk_header header;
	uint64_t hints[512];
} signatures_test;

static int signatures_test_encode(void)
{
	size_t size = sizeof(signatures_test.samples);
	void *work = aligned_alloc(16, (signatures_work_size(size) + 15) & ~(size_t)15);
	struct encode_input input = {
		.records = (const uint8_t *)signatures_test.samples,
		.size = (uint32_t)size,
		.count = SIGNATURES_TEST_RECORDS,
		.t_base = 1005,
		.unit = 1,
		.self = 3,
		.hints = signatures_test.hints,
		.hint_count = 512,
		.function = signatures_test_function,
		.site = signatures_test_site,
	};
	int error;

	for (uint32_t i = 0; i < SIGNATURES_TEST_RECORDS; i++)
		signatures_test_fill(&signatures_test.samples[i], i);
	if (!work || signatures_words_room(size) > sizeof(signatures_test.words) ||
	    signatures_bits_room(size) > sizeof(signatures_test.bits))
		error = -ENOMEM;
	else
		error = signatures_encode(&input, work, signatures_test.words, signatures_test.bits,
					  &signatures_test.output);
	signatures_test.header = (struct chunk_header){.count = SIGNATURES_TEST_RECORDS,
						       .t_base = signatures_test.output.t_base,
						       .carried = signatures_test.output.carried};
	free(work);
	return error;
}

/* Decodes what may be damaged; returns the records that come out, or a negative errno. */
static int signatures_test_decode(size_t words_size, size_t bits_size,
				  void (*check)(const struct raw_record *, uint32_t))
{
	static struct list_function functions[8];
	static _Alignas(16) uint8_t memory[4 << 20];
	static _Alignas(8) uint8_t buffer[SIGNATURES_RECORD_MAX];
	struct raw_record *record = (struct raw_record *)buffer;
	static struct signatures signatures;
	ssize_t got;

	if (signatures_open(&signatures, &signatures_test.header, signatures_test.words, words_size,
			    signatures_test.bits, bits_size) ||
	    signatures.lists.function_count > 8 || lists_functions(&signatures.lists, functions))
		return -EBADMSG;
	for (uint32_t i = 0; i < signatures.lists.function_count; i++) {
		functions[i].arg_count = 4;
		functions[i].result_class = CLASS_INT;
		functions[i].classes = signatures_test_classes;
	}
	if (signatures_begin(&signatures, functions, memory, sizeof(memory)))
		return -EBADMSG;
	while ((got = signatures_next(&signatures, record)) > 0) {
		if (check)
			check(record, signatures.done - 1);
	}
	return got < 0 ? (int)got : (int)signatures.done;
}

static void signatures_test_compare(const struct raw_record *record, uint32_t i)
{
	struct signatures_sample expected;
	const struct string_block *text = (const void *)((const uint8_t *)record + record->args[1]);
	const struct array_block *array = (const void *)((const uint8_t *)record + record->args[2]);

	signatures_test_fill(&expected, i);
	EXPECT_EQ(record->function, expected.record.function);
	EXPECT_EQ(record->tstart, expected.record.tstart);
	EXPECT_EQ(record->tend, expected.record.tend);
	EXPECT_EQ(record->result, expected.record.result);
	EXPECT_EQ(record->err, expected.record.err);
	EXPECT_EQ(record->flags, expected.record.flags);
	EXPECT_EQ(record->callsite + (record->reserved1 ? 100 : 0), expected.record.callsite);
	EXPECT_EQ(record->args[0], expected.args[0]);
	EXPECT_EQ(record->args[3], expected.args[3]);
	EXPECT_EQ(array->sum, expected.sum);
	EXPECT_MEM(array->elements, expected.elements, sizeof(expected.elements));
	if (i % 13 == 0) {
		EXPECT_EQ(record->args[1], BLOCK_UNREADABLE);
		return;
	}
	EXPECT_EQ(text->original, expected.text_original);
	EXPECT_MEM(text->bytes, expected.text, 8);
	EXPECT_EQ(text->bytes[8], 0);
}

TEST_CASE(signatures_round_trip)
{
	/* the second time with what the first one has learned */
	for (unsigned round = 0; round < 2; round++) {
		REQUIRE(signatures_test_encode() == 0);
		EXPECT_EQ(signatures_test.header.carried, 1);
		EXPECT_EQ(signatures_test_decode(signatures_test.output.words_size,
						 signatures_test.output.bits_size,
						 signatures_test_compare),
			  SIGNATURES_TEST_RECORDS);
	}
}

TEST_CASE(signatures_damage_is_bounded)
{
	size_t words_size, bits_size;

	REQUIRE(signatures_test_encode() == 0);
	words_size = signatures_test.output.words_size;
	bits_size = signatures_test.output.bits_size;
	for (size_t cut = 0; cut < words_size; cut += 1 + words_size / 200)
		EXPECT_EQ(signatures_test_decode(cut, bits_size, NULL), -EBADMSG);
	for (size_t cut = 0; cut < bits_size; cut += 1 + bits_size / 50)
		EXPECT_EQ(signatures_test_decode(words_size, cut, NULL), -EBADMSG);
	for (size_t i = 0; i < words_size; i += i < 1000 ? 1 : 1 + words_size / 500) {
		signatures_test.words[i] ^= (uint8_t)(1 << i % 8);
		signatures_test_decode(words_size, bits_size, NULL);
		signatures_test.words[i] ^= (uint8_t)(1 << i % 8);
	}
}
#endif
