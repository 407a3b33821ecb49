/* SPDX-License-Identifier: MIT */
/* aside_encode.c - see aside_encode.h */
#include "format/aside_encode.h"

#include "format/ans.h"

#define PARTS_MAX 16u
#define SPLIT_LEAST 256u /* numbers of a field that are worth the look */
#define SPLIT_SHARE 16u /* and one of so many of the chunk, so that it is looked at no more often */
#define PART_BITS 1024u /* that a sequence of its own takes, about */

/* Numbers that are a sequence: of a field, or of one chain of it. */
struct part {
	uint16_t chain;
	uint32_t count;
	uint64_t *numbers;
	uint64_t factor; /* that all have in common */
	/* to divide by it: a division takes longer than all else that is done for a number */
	uint64_t inverse; /* of what is odd of it, modulo 2^64 */
	unsigned shift;
};

struct parts {
	struct part part[PARTS_MAX];
	uint32_t count;
};

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static uint64_t common_factor(const uint64_t *numbers, uint32_t count)
{
	uint64_t factor = 0, mask = UINT64_MAX; /* of a power of two: what is below it */

	for (uint32_t i = 0; i < count && factor != 1; i++) {
		uint64_t number = (int64_t)numbers[i] < 0 ? 0 - numbers[i] : numbers[i];

		if (!(number & mask) || (mask == UINT64_MAX && factor && number % factor == 0))
			continue;
		factor = greatest_divisor(factor, number);
		mask = factor & (factor - 1) ? UINT64_MAX : factor - 1;
	}
	return factor > 0 && factor <= INT64_MAX ? factor : 1;
}

/* Finds what the numbers have in common. */
static void factor_out(struct part *part)
{
	uint64_t odd;

	part->factor = common_factor(part->numbers, part->count);
	part->shift = (unsigned)__builtin_ctzll(part->factor);
	odd = part->factor >> part->shift;
	part->inverse = odd; /* of its low three bits; each turn has twice as many */
	for (unsigned bits = 3; bits < 64; bits *= 2)
		part->inverse *= 2 - odd * part->inverse;
}

/* In units of the factor, which leaves no rest. */
static inline uint64_t number_of(const struct part *part, uint32_t i)
{
	uint64_t shifted = (uint64_t)((int64_t)part->numbers[i] >> part->shift);

	return zigzag((int64_t)(shifted * part->inverse));
}

static void put_part(const struct aside_output *output, const struct part *part)
{
	for (uint32_t i = 0; i < part->count; i++)
		part->numbers[i] = number_of(part, i);
	varints_put(output->words, part->factor);
	sequence_write(output->sequence, part->numbers, part->count, SEQUENCE_PATTERN,
		       output->words, output->bits);
}

/* ---- a sequence for each chain ---- */

/* That of a chain; NULL: there are too many. `last` is tried first. */
static struct part *part_of(struct parts *parts, uint16_t chain, struct part *last)
{
	if (last && last->chain == chain)
		return last;
	for (uint32_t i = 0; i < parts->count; i++)
		if (parts->part[i].chain == chain)
			return &parts->part[i];
	if (parts->count == PARTS_MAX)
		return NULL;
	parts->part[parts->count] = (struct part){.chain = chain};
	return &parts->part[parts->count++];
}

/* Counts the numbers of each chain. False: the chains are one, or too many. */
static bool count_parts(const struct signature_table *table, uint16_t whose, struct parts *parts)
{
	struct part *part = NULL;

	for (uint32_t i = 0; i < table->aside_count; i++) {
		uint32_t of = table->input.aside_of[i];

		if ((uint16_t)of != whose)
			continue;
		part = part_of(parts, (uint16_t)(of >> ASIDE_CHAIN), part);
		if (!part)
			return false;
		part->count++;
	}
	return parts->count > 1;
}

static void order_parts(struct parts *parts)
{
	for (uint32_t i = 1; i < parts->count; i++) {
		struct part part = parts->part[i];
		uint32_t at = i;

		for (; at > 0 && parts->part[at - 1].chain > part.chain; at--)
			parts->part[at] = parts->part[at - 1];
		parts->part[at] = part;
	}
}

/* Puts the numbers of each chain together. */
static void fill_parts(const struct signature_table *table, uint16_t whose, struct parts *parts,
		       uint64_t *room)
{
	struct part *part = NULL;

	for (uint32_t i = 0; i < parts->count; i++) {
		parts->part[i].numbers = room;
		room += parts->part[i].count;
		parts->part[i].count = 0; /* until they are there */
	}
	for (uint32_t i = 0; i < table->aside_count; i++) {
		uint32_t of = table->input.aside_of[i];

		if ((uint16_t)of != whose)
			continue;
		part = part_of(parts, (uint16_t)(of >> ASIDE_CHAIN), part);
		part->numbers[part->count++] = table->input.aside[i];
	}
	for (uint32_t i = 0; i < parts->count; i++)
		factor_out(&parts->part[i]);
}

/* About how many bits numbers take in a sequence: one that is among the two before it hardly any. */
static uint64_t bits_of(const struct part *part)
{
	uint64_t bits = PART_BITS, before = 0, last = 0;

	for (uint32_t i = 0; i < part->count; i++) {
		uint64_t number = part->numbers[i];

		if (number != last && number != before)
			bits += ans_log(number_of(part, i) | 1) + 1;
		before = last;
		last = number;
	}
	return bits;
}

static uint64_t bits_of_parts(const struct parts *parts)
{
	uint64_t bits = 0;

	for (uint32_t i = 0; i < parts->count; i++)
		bits += bits_of(&parts->part[i]);
	return bits;
}

static void put_parts(const struct aside_output *output, const struct parts *parts)
{
	uint16_t before = 0;

	varints_put(output->words, 0);
	varints_put(output->words, parts->count);
	for (uint32_t i = 0; i < parts->count; i++) {
		const struct part *part = &parts->part[i];

		varints_put(output->words, (uint64_t)(part->chain - before));
		put_part(output, part);
		before = part->chain;
	}
}

/* Writes all numbers of a field by chain if they take less so. False: they do not, and nothing was written. */
static bool put_by_chain(const struct aside_output *output, uint16_t whose, const struct part *all)
{
	const struct signature_table *table = output->table;
	struct parts parts = {.count = 0};

	if (all->count < SPLIT_LEAST || all->count < table->aside_count / SPLIT_SHARE ||
	    all->count > output->room_count - table->aside_count ||
	    !count_parts(table, whose, &parts))
		return false;
	order_parts(&parts);
	fill_parts(table, whose, &parts, output->room + table->aside_count);
	if (bits_of_parts(&parts) >= bits_of(all))
		return false;
	put_parts(output, &parts);
	return true;
}

/* ---- all ---- */

static struct field_plan *field_of(const struct signature_table *table, uint32_t aside_of)
{
	uint16_t whose = (uint16_t)aside_of;

	return &table->functions[whose >> ASIDE_FUNCTION]
			->fields[whose & ((1u << ASIDE_FUNCTION) - 1)];
}

/* How many numbers each field has: one of each record of a signature that puts one aside. */
static void count_fields(const struct signature_table *table)
{
	for (uint32_t i = 0; i < table->count; i++) {
		const struct signature *signature = table->list[i];

		for (unsigned j = 0; j < signature->chain_count; j++)
			if (signature->specials[j].operation == FIELD_ASIDE)
				field_of(table, signature->specials[j].whose)->aside_count +=
					signature->count;
	}
}

/* Puts the numbers of each field together. */
static void sort_aside(const struct signature_table *table, uint64_t *room)
{
	uint32_t begin = 0;

	count_fields(table);
	for (uint32_t f = 0; f < table->function_count; f++) {
		struct function_plan *plan = table->functions[f];

		for (unsigned i = 0; i < plan->field_count; i++) {
			plan->fields[i].aside_begin = begin;
			begin += plan->fields[i].aside_count;
		}
	}
	for (uint32_t i = 0; i < table->aside_count; i++)
		room[field_of(table, table->input.aside_of[i])->aside_begin++] =
			table->input.aside[i];
}

static void put_field(const struct aside_output *output, uint32_t function, unsigned number)
{
	const struct field_plan *field = &output->table->functions[function]->fields[number];
	uint16_t whose = (uint16_t)(function << ASIDE_FUNCTION | number);
	struct part all = {.count = field->aside_count,
			   .numbers = output->room + field->aside_begin - field->aside_count};

	factor_out(&all);
	if (!field->aside_apart || !put_by_chain(output, whose, &all))
		put_part(output, &all);
}

void aside_put_all(const struct aside_output *output)
{
	const struct signature_table *table = output->table;

	sort_aside(table, output->room);
	for (uint32_t f = 0; f < table->function_count; f++)
		for (unsigned i = 0; i < table->functions[f]->field_count; i++)
			if (table->functions[f]->fields[i].aside)
				put_field(output, f, i);
}

#ifdef UNIT_TEST
#include "unittest.h"

#include <errno.h>
#include <stdlib.h>

#include "format/signatures_decode.h"
#include "format/signatures_encode.h"

#define ASIDE_TEST_RECORDS 3000u

/* A write of a file. */
struct aside_test_call {
	struct raw_record record;
	uint64_t file, offset;
};

static struct {
	struct aside_test_call calls[ASIDE_TEST_RECORDS];
	uint8_t behind[RECORDS_BEHIND];
	uint8_t words[1 << 19], bits[1 << 19];
	struct encode_output output;
	struct signatures signatures;
	uint64_t hint;
} aside_test;

static const uint8_t aside_test_classes[] = {CLASS_PAIR, CLASS_INT};

static struct encode_function aside_test_function(void *data, uint16_t id)
{
	(void)data;
	(void)id;
	return (struct encode_function){.result_class = CLASS_INT,
					.arg_count = 2,
					.arg_classes = aside_test_classes,
					.descriptors = 1};
}

static struct encode_site aside_test_site(void *data, uint64_t address)
{
	(void)data;
	return (struct encode_site){0, address};
}

/* As a data base does: a log, by two steps in turns, and pages of the file in no order. With `both` the log has no order either, and one page size. */
static void aside_test_fill(bool both)
{
	uint64_t log = 0, random = 1;

	for (uint32_t i = 0; i < ASIDE_TEST_RECORDS; i++) {
		struct aside_test_call *call = &aside_test.calls[i];
		uint32_t file = i % 3 == 2;

		random = random * 6364136223846793005u + 1442695040888963407u;
		log += i % 3 ? 24 : 4096;
		*call = (struct aside_test_call){.record = {.size = sizeof(*call),
							    .arg_count = 2,
							    .tstart = 100 + i * 10,
							    .tend = 105 + i * 10,
							    .result = 8,
							    .repeat = 1},
						 .file = pair_make((int32_t)file + 5, file + 1),
						 .offset = file || both ? (random >> 52) * 4096
									: log};
	}
}

static int aside_test_encode(void)
{
	size_t size = sizeof(aside_test.calls);
	void *work = aligned_alloc(16, (signatures_work_size(size) + 15) & ~(size_t)15);
	struct encode_input input = {.records = (const uint8_t *)aside_test.calls,
				     .size = (uint32_t)size,
				     .count = ASIDE_TEST_RECORDS,
				     .t_base = 100,
				     .unit = 1,
				     .hints = &aside_test.hint,
				     .hint_count = 1,
				     .function = aside_test_function,
				     .site = aside_test_site};
	int error = -ENOMEM;

	if (work && signatures_words_room(size) <= sizeof(aside_test.words) &&
	    signatures_bits_room(size) <= sizeof(aside_test.bits))
		error = signatures_encode(&input, work, aside_test.words, aside_test.bits,
					  &aside_test.output);
	free(work);
	return error;
}

static int aside_test_open(struct list_function *function)
{
	static _Alignas(16) uint8_t memory[1 << 20];
	struct signatures *signatures = &aside_test.signatures;
	struct chunk_header header = {.count = ASIDE_TEST_RECORDS,
				      .t_base = aside_test.output.t_base,
				      .carried = aside_test.output.carried};
	int error =
		signatures_open(signatures, &header, aside_test.words, aside_test.output.words_size,
				aside_test.bits, aside_test.output.bits_size);

	if (error || signatures->lists.function_count != 1)
		return -EBADMSG;
	error = lists_functions(&signatures->lists, function);
	function->arg_count = 2;
	function->result_class = CLASS_INT;
	function->classes = aside_test_classes;
	return error ? error : signatures_begin(signatures, function, memory, sizeof(memory));
}

/* Whether the numbers of some field are by chain. */
static bool aside_test_by_chain(void)
{
	const struct signatures *signatures = &aside_test.signatures;

	for (uint32_t i = 0; i < signatures->field_count; i++)
		if (signatures->asides[i].by_chain)
			return true;
	return false;
}

static void aside_test_round_trip(bool both)
{
	static _Alignas(8) uint8_t buffer[SIGNATURES_RECORD_MAX];
	struct raw_record *record = (struct raw_record *)buffer;
	struct list_function function;

	aside_test_fill(both);
	REQUIRE(aside_test_encode() == 0);
	REQUIRE(aside_test_open(&function) == 0);
	EXPECT_EQ(aside_test_by_chain(), !both);
	for (uint32_t i = 0; i < ASIDE_TEST_RECORDS; i++) {
		REQUIRE(signatures_next(&aside_test.signatures, record) > 0);
		EXPECT_EQ(record->args[0], aside_test.calls[i].file);
		EXPECT_EQ(record->args[1], aside_test.calls[i].offset);
	}
	EXPECT_EQ(signatures_next(&aside_test.signatures, record), 0);
}

TEST_CASE(aside_of_a_log_and_pages)
{
	aside_test_round_trip(false);
	/* twelve bits each of the pages, the log is nothing that matters */
	EXPECT(aside_test.output.bits_size < ASIDE_TEST_RECORDS / 3 * 14 / 8);
}

TEST_CASE(aside_of_pages_alone)
{
	aside_test_round_trip(true);
}
#endif
