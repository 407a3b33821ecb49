/* SPDX-License-Identifier: MIT */
/* signatures_decode.c - see signatures_decode.h */
#include "format/signatures_decode.h"

#include <errno.h>

#include "format/aside_decode.h"

/* Of a record whose times were made up. */
static inline void give_times(const struct signatures *signatures, const struct lists *lists,
			      uint32_t index, struct signature_item *item)
{
	item->tstart = signatures->sums.begin[index] * lists->unit + lists->phase;
	item->tend = signatures->sums.end[index] * lists->unit + lists->phase;
}

/* False: they are too large, or before the chunk and not carried. `after`: the idle time is that before its end. */
static inline bool add_times(struct signatures *signatures, const struct lists *lists, bool after,
			     uint32_t index, const uint64_t *times, uint64_t *end,
			     struct signature_item *item)
{
	uint64_t start, duration = times[1], ticks;

	if (__builtin_add_overflow(*end, times[0], &start))
		return false;
	if (after) {
		*end = start;
		if (__builtin_sub_overflow(start, duration, &start))
			return false;
	} else if (__builtin_add_overflow(start, duration, end)) {
		return false;
	}
	if (__builtin_mul_overflow(*end, lists->unit, &ticks) ||
	    __builtin_add_overflow(ticks, lists->phase, &item->tend))
		return false;
	item->tstart = start * lists->unit + lists->phase;
	return start >= lists->base ||
	       lists_carried(&signatures->lists, index, lists->base - start);
}

static inline bool take_times(struct signatures *signatures, const struct lists *lists,
			      const struct decoded_signature *signature, uint32_t index,
			      uint64_t *end, struct signature_item *item)
{
	const uint64_t *times;

	return number_pairs_take(signature->times, 1, &times) > 0 &&
	       add_times(signatures, lists, signature->after, index, times, end, item);
}

static uint64_t other_value(struct signatures *signatures, const struct signature_patch *patch)
{
	uint64_t *last = &signatures->chains[patch->chain];

	if (patch->operation != FIELD_ASIDE)
		return patch->operand;
	return *last +=
	       (uint64_t)unzigzag(numbers_next(&patch->aside->numbers)) * patch->aside->factor;
}

/* Bytes of a record with such blocks; 0: too many. */
static uint32_t size_with_blocks(const struct signatures *signatures,
				 const struct decoded_signature *signature, const uint64_t *values)
{
	uint32_t size = signature->size, excess = signature->excess;

	for (unsigned i = 0; i < signature->patch_count; i++) {
		unsigned form = signature->patches[i].place.form;

		if (field_is_block(form))
			size += record_blocks_size(&signatures->blocks, form == FORM_ARRAY,
						   values[i], &excess);
	}
	return size - excess > RECORD_MAX_SIZE ? 0 : size;
}

/* Those of patches that are steps. */
static inline void take_steps(const struct decoded_signature *signature, uint64_t *chains,
			      uint64_t *values)
{
	const struct signature_patch *patch = signature->patches;

	for (unsigned i = signature->patch_count; i > 0; i--, patch++)
		*values++ = chains[patch->chain] += patch->operand;
}

/* The values of a record's patches; the bytes that it has as a raw record, 0: it cannot be. */
static inline uint32_t take_values(struct signatures *signatures,
				   const struct decoded_signature *signature, uint64_t *values)
{
	const struct signature_patch *patch = signature->patches;
	uint64_t *chains = signatures->chains;

	for (unsigned i = 0; i < signature->patch_count; i++, patch++) {
		if (patch->operation == FIELD_ADD)
			values[i] = chains[patch->chain] += patch->operand;
		else if (patch->operation == FIELD_EQUAL)
			values[i] = values[patch->equal];
		else
			values[i] = other_value(signatures, patch);
		if (patch->place.form != FORM_WORD &&
		    !signature_value_is_right(signatures, patch->place, values[i]))
			return 0;
	}
	return signature->has_blocks ? size_with_blocks(signatures, signature, values)
				     : signature->size;
}

/* Nothing may be left of anything. */
static bool all_used_up(const struct signatures *signatures)
{
	bool ended = predictor_ended(&signatures->predictor) &&
		     (signatures->summed || lists_ended(&signatures->lists));

	for (uint32_t i = 0; i < signatures->group_count && !signatures->summed; i++)
		ended = ended && number_pairs_ended(&signatures->times[i]);
	for (uint32_t i = 0; i < signatures->field_count; i++)
		for (uint32_t k = 0; k < signatures->asides[i].count; k++)
			ended = ended && numbers_ended(&signatures->asides[i].parts[k].numbers);
	return ended;
}

/* The numbers of the signatures of the next `count` records; NULL: they are wrong. */
static const uint16_t *next_signatures(struct signatures *signatures, uint16_t *numbers,
				       uint32_t count)
{
	if (signatures->summed)
		return signatures->sums.signature + signatures->done;
	return predictor_take(&signatures->predictor, numbers, count, signatures->signature_count)
		       ? numbers
		       : NULL;
}

/* ---- runs: records of one signature that follow each other ---- */

static bool run_times(struct signatures *signatures, const struct decoded_signature *signature,
		      uint32_t index, struct signature_item *items, uint32_t count)
{
	const struct lists lists = signatures->lists;
	uint64_t end = signatures->end;

	while (count > 0) {
		const uint64_t *times;
		uint32_t ready = number_pairs_take(signature->times, count, &times);

		if (ready == 0)
			return false;
		count -= ready;
		for (; ready > 0; ready--, times += 2)
			if (!add_times(signatures, &lists, signature->after, index++, times, &end,
				       items++))
				return false;
	}
	signatures->end = end;
	return true;
}

/* Those of patches that are steps field by field, as each has a chain of its own. */
static void run_steps(const struct decoded_signature *signature, uint64_t *chains, uint64_t *values,
		      uint32_t count)
{
	const struct signature_patch *patch = signature->patches;
	unsigned each = signature->patch_count;

	for (unsigned i = 0; i < each; i++, patch++) {
		uint64_t *to = values + i, value = chains[patch->chain];

		for (uint32_t left = count; left > 0; left--, to += each)
			*to = value += patch->operand;
		chains[patch->chain] = value;
	}
}

static bool run_values(struct signatures *signatures, const struct decoded_signature *signature,
		       uint64_t *values, uint32_t count)
{
	uint64_t sizes = 0;

	if (signature->steps) {
		run_steps(signature, signatures->chains, values, count);
		signatures->size += (uint64_t)signature->size * count;
		return true;
	}
	for (; count > 0; count--, values += signature->patch_count) {
		uint32_t size = take_values(signatures, signature, values);

		if (size == 0)
			return false;
		sizes += size;
	}
	signatures->size += sizes;
	return true;
}

static __attribute__((noinline)) bool take_run(struct signatures *signatures, uint16_t number,
					       uint32_t index, struct signature_item *items,
					       uint32_t count, uint64_t *values, uint32_t used)
{
	const struct decoded_signature *signature = &signatures->signatures[number];

	if (!run_times(signatures, signature, index, items, count) ||
	    !run_values(signatures, signature, values + used, count))
		return false;
	for (uint32_t i = 0; i < count; i++, used += signature->patch_count) {
		items[i].values = used;
		items[i].signature = number;
		items[i].flags = 0;
	}
	return true;
}

#define RUN_LEAST 4u /* fewer are taken one by one */

/* How many of the next records are such a run; 0: they are not. */
static inline uint32_t run_length(const struct signatures *signatures, const uint16_t *numbers,
				  uint32_t count)
{
	uint32_t alike = 1;

	if (count < RUN_LEAST || numbers[1] != numbers[0] || signatures->summed)
		return 0;
	while (alike < count && numbers[alike] == numbers[0])
		alike++;
	return alike < RUN_LEAST ? 0 : alike;
}

/* ---- */

int signatures_items(struct signatures *signatures, struct signature_item *items, uint32_t count,
		     uint64_t *values, uint32_t *used)
{
	const struct lists lists = signatures->lists; /* a copy, which what is written cannot be */
	uint32_t left = lists.count - signatures->done, at = *used, run;
	uint16_t buffer[SIGNATURES_AT_ONCE];
	const uint16_t *numbers;
	uint64_t end = signatures->end, sizes = 0, *chains = signatures->chains;

	if (left == 0)
		return all_used_up(signatures) ? 0 : -EBADMSG;
	count = count < left ? count : left;
	numbers = next_signatures(signatures, buffer, count);
	if (!numbers)
		return -EBADMSG;
	for (uint32_t i = 0; i < count; i++) {
		const struct decoded_signature *signature = &signatures->signatures[numbers[i]];
		uint32_t size = signature->size;

		run = run_length(signatures, numbers + i, count - i);
		if (run > 0) {
			signatures->end = end;
			if (!take_run(signatures, numbers[i], signatures->done + i, items + i, run,
				      values, at))
				return -EBADMSG;
			end = signatures->end;
			at += run * signature->patch_count;
			i += run - 1;
			continue;
		}
		items[i].signature = numbers[i];
		items[i].flags = 0;
		items[i].values = at;
		if (signatures->summed)
			give_times(signatures, &lists, signatures->done + i, &items[i]);
		else if (!take_times(signatures, &lists, signature, signatures->done + i, &end,
				     &items[i]))
			return -EBADMSG;
		if (signature->steps)
			take_steps(signature, chains, values + at);
		else
			size = take_values(signatures, signature, values + at);
		if (size == 0)
			return -EBADMSG;
		at += signature->patch_count;
		sizes += size;
	}
	signatures->size += sizes;
	signatures->done += count;
	signatures->end = end;
	*used = at;
	return (int)count;
}

uint32_t signatures_record(struct signatures *signatures, const struct signature_item *item,
			   const uint64_t *values, struct raw_record *record)
{
	const struct decoded_signature *signature = &signatures->signatures[item->signature];

	for (uint32_t i = 0; i < signature->copied; i += COPY_AT_ONCE)
		memcpy((uint8_t *)record + i, (const uint8_t *)signature->record + i, COPY_AT_ONCE);
	record->tstart = item->tstart;
	record->tend = item->tend;
	for (unsigned i = 0; i < signature->patch_count; i++)
		signature_put(signatures, record, signature->patches[i].place,
			      values[item->values + i]);
	return record->size;
}

ssize_t signatures_next(struct signatures *signatures, struct raw_record *record)
{
	uint64_t values[FIELDS_MAX];
	struct signature_item item;
	uint32_t used = 0;
	int got = signatures_items(signatures, &item, 1, values, &used);

	return got <= 0 ? got : (ssize_t)signatures_record(signatures, &item, values, record);
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
	return (struct encode_function){.result_class = CLASS_INT,
					.arg_count = 4,
					.arg_classes = signatures_test_classes,
					.descriptors = 8};
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

static uint32_t signatures_test_alike = 1; /* records in a row that only differ by what counts on */

static void signatures_test_fill(struct signatures_sample *sample, uint32_t i)
{
	uint32_t kind = i / signatures_test_alike;

	*sample = (struct signatures_sample){
		.record = {.size = sizeof(*sample),
			   .function = (uint16_t)(300 + kind % 3),
			   .level = (uint16_t)(kind % 2),
			   .arg_count = 4,
			   .flags = (uint8_t)(kind % 5 == 0),
			   .tstart = 1000 + i * 20,
			   .tend = 1010 + i * 20,
			   .result = -(int64_t)i,
			   .callsite = 90 + kind % 7 * 5,
			   .err = kind % 11 == 0 ? 2 : 0,
			   .repeat = 1},
		.args = {i * 4096, offsetof(struct signatures_sample, text_stored),
			 offsetof(struct signatures_sample, array_stored), pair_make(-1, i)},
		.text_stored = 8,
		.text_original = 8 + kind % 2,
		.array_stored = 2,
		.array_original = 2,
		.sum = (int64_t)i + 7,
		.elements = {(int64_t)i, 7},
	};
	if (kind % 2) { /* one that goes on, now and then with an element that is not stored */
		sample->array_original = kind % 6 == 1 ? 3 : 2;
		sample->elements[1] = (int64_t)i + 7;
		sample->sum = (int64_t)i * sample->array_original + 7;
	}
	memcpy(sample->text, kind % 4 ? "same  as" : "another.", 8);
	if (kind % 13 == 0)
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

static struct signatures signatures_test_signatures;

/* What may be damaged; NULL: it cannot be. */
static struct signatures *signatures_test_begin(size_t words_size, size_t bits_size)
{
	static struct list_function functions[8];
	static _Alignas(16) uint8_t memory[4 << 20];
	struct signatures *signatures = &signatures_test_signatures;

	if (signatures_open(signatures, &signatures_test.header, signatures_test.words, words_size,
			    signatures_test.bits, bits_size) ||
	    signatures->lists.function_count > 8 || lists_functions(&signatures->lists, functions))
		return NULL;
	for (uint32_t i = 0; i < signatures->lists.function_count; i++) {
		functions[i].arg_count = 4;
		functions[i].result_class = CLASS_INT;
		functions[i].classes = signatures_test_classes;
	}
	return signatures_begin(signatures, functions, memory, sizeof(memory)) ? NULL : signatures;
}

/* Returns the records that come out one by one, or a negative errno. */
static int signatures_test_decode(size_t words_size, size_t bits_size,
				  void (*check)(const struct raw_record *, uint32_t))
{
	static _Alignas(8) uint8_t buffer[SIGNATURES_RECORD_MAX];
	struct raw_record *record = (struct raw_record *)buffer;
	struct signatures *signatures = signatures_test_begin(words_size, bits_size);
	ssize_t got;

	if (!signatures)
		return -EBADMSG;
	while ((got = signatures_next(signatures, record)) > 0) {
		if (check)
			check(record, signatures->done - 1);
	}
	return got < 0 ? (int)got : (int)signatures->done;
}

/* The same, many at once. */
static int signatures_test_decode_many(void (*check)(const struct raw_record *, uint32_t))
{
	static _Alignas(8) uint8_t buffer[SIGNATURES_RECORD_MAX];
	static struct signature_item items[SIGNATURES_AT_ONCE];
	static uint64_t values[SIGNATURES_TEST_RECORDS * FIELDS_MAX];
	struct raw_record *record = (struct raw_record *)buffer;
	struct signatures *signatures = signatures_test_begin(signatures_test.output.words_size,
							      signatures_test.output.bits_size);
	uint32_t used = 0;
	int got;

	if (!signatures)
		return -EBADMSG;
	while ((got = signatures_items(signatures, items, SIGNATURES_AT_ONCE, values, &used)) > 0)
		for (int i = 0; i < got; i++) {
			signatures_record(signatures, &items[i], values, record);
			check(record, signatures->done - (uint32_t)(got - i));
		}
	return got < 0 ? got : (int)signatures->done;
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
	EXPECT_EQ(array->original, expected.array_original);
	EXPECT_EQ(array->sum, expected.sum);
	EXPECT_MEM(array->elements, expected.elements, sizeof(expected.elements));
	if (i / signatures_test_alike % 13 == 0) {
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

/* Alone, in runs that are just too short, and in some that go beyond what is decoded at once. */
TEST_CASE(signatures_of_runs_round_trip)
{
	static const uint32_t alike[] = {1, RUN_LEAST - 1, RUN_LEAST, 50, SIGNATURES_AT_ONCE + 30};

	for (unsigned i = 0; i < sizeof(alike) / sizeof(*alike); i++) {
		signatures_test_alike = alike[i];
		REQUIRE(signatures_test_encode() == 0);
		EXPECT_EQ(signatures_test_decode_many(signatures_test_compare),
			  SIGNATURES_TEST_RECORDS);
	}
	signatures_test_alike = 1;
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
