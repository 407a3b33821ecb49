/* SPDX-License-Identifier: MIT */
/* signature_spans.c - see signature_spans.h */
#include "format/signature_spans.h"

#include <errno.h>

#include "format/fields.h"
#include "format/histogram.h"
#include "format/signature.h"
#include "format/varint.h"

/* What is passed: the words, and how many bytes of the bits belong to it. */
struct passing {
	struct bytes words;
	uint64_t bits;
};

static void pass(struct bytes *words, uint64_t varints)
{
	while (varints-- > 0 && !words->bad)
		bytes_varint(words);
}

static void pass_bytes(struct bytes *words, uint64_t size)
{
	if (size > bytes_left(words))
		bytes_fail(words);
	else
		bytes_take(words, (size_t)size);
}

static void pass_strings(struct bytes *words)
{
	uint64_t count = bytes_varint(words);

	for (; count > 0 && !words->bad; count--) {
		uint64_t how, stored;

		bytes_varint(words);
		how = bytes_varint(words);
		stored = bytes_varint(words); /* or the step */
		if (how == 0)
			continue;
		bytes_varint(words);
		if (how - 1 > stored)
			bytes_fail(words);
		else
			pass_bytes(words, stored - (how - 1));
	}
}

static void pass_arrays(struct bytes *words)
{
	uint64_t count = bytes_varint(words);

	for (; count > 0 && !words->bad; count--) {
		uint64_t stored = bytes_varint(words);
		bool more = bytes_varint(words) > 0; /* or the step, 0: one for each element */

		if (stored > ELEMENTS_MAX) {
			if (!more)
				pass(words, bytes_varint(words));
			continue;
		}
		if (more)
			bytes_varint(words);
		pass(words, stored);
	}
}

static void pass_field(struct bytes *words)
{
	uint64_t operation = bytes_varint(words);

	if (operation > FIELD_ASIDE)
		bytes_fail(words);
	pass(words, operation == FIELD_ADD ? 2 : 1);
}

static unsigned fields_of_signature(const struct list_function *function, uint64_t arg_count)
{
	struct field_place places[FIELDS_MAX];
	unsigned fields = fields_of_call(places, function->result_class);

	for (unsigned i = 0; i < arg_count; i++)
		fields += fields_of_arg(places, function->classes[i], i);
	return fields;
}

static void pass_signature(struct bytes *words, const struct lists *lists,
			   const struct list_function *functions)
{
	uint64_t function = bytes_varint(words), arg_count;

	bytes_varint(words); /* level */
	bytes_u8(words);
	pass(words, 2); /* group, err */
	arg_count = bytes_varint(words);
	if (words->bad || function >= lists->function_count ||
	    arg_count > functions[function].arg_count) {
		bytes_fail(words);
		return;
	}
	for (unsigned i = fields_of_signature(&functions[function], arg_count); i > 0; i--)
		pass_field(words);
}

static void pass_sequence(struct passing *passing)
{
	struct bytes *words = &passing->words;
	uint64_t head = bytes_varint(words), symbols, bits;

	if (!(head & 1)) {
		pass(words, head >> 1);
		return;
	}
	symbols = bytes_varint(words);
	bytes_u8(words);
	pass(words, symbols > bytes_left(words) ? UINT64_MAX : 2 * symbols);
	bits = bytes_varint(words);
	if (bits > CHUNK_MAX_BODY * 8ull)
		bytes_fail(words);
	passing->bits += (bits + 7) / 8;
}

static void pass_marks(struct bytes *words)
{
	uint64_t count = bytes_varint(words);

	pass(words, count > bytes_left(words) ? UINT64_MAX : 2 * count);
}

static void pass_histogram(struct bytes *words)
{
	uint64_t buckets = bytes_varint(words), symbol = 0;

	for (uint64_t i = 0; i < buckets && !words->bad; i++) {
		symbol += bytes_varint(words);
		bytes_varint(words); /* numbers */
	}
	if (buckets > 0 && symbol >= HISTOGRAM_EXACT)
		bytes_varint(words); /* the excess */
}

static struct span span_of(const uint8_t *words, const uint8_t *begin, const uint8_t *end)
{
	return (struct span){(uint32_t)(begin - words), (uint32_t)(end - words)};
}

int signature_spans_find(const struct lists *lists, const struct list_function *functions,
			 const uint8_t *words, struct bytes body, bool summed,
			 struct signature_spans *spans)
{
	struct passing passing = {.words = body};
	struct bytes head = bytes_of(words, (size_t)(body.end - words));
	uint64_t groups, signatures;
	const uint8_t *begin;

	bytes_varint(&head); /* the unit */
	begin = head.p;
	bytes_varint(&head);
	spans->phase = span_of(words, begin, head.p);
	bytes_varint(&passing.words); /* self */
	spans->carried = span_of(words, lists->carried_list.p, passing.words.p);
	begin = passing.words.p;
	pass_strings(&passing.words);
	pass_arrays(&passing.words);
	spans->names = span_of(words, begin, passing.words.p);
	bytes_varint(&passing.words); /* chains */
	groups = bytes_varint(&passing.words);
	signatures = bytes_varint(&passing.words);
	for (; signatures > 0 && !passing.words.bad; signatures--)
		pass_signature(&passing.words, lists, functions);
	pass_sequence(&passing);
	pass_sequence(&passing);
	spans->bits.begin = (uint32_t)passing.bits;
	begin = passing.words.p;
	if (summed)
		pass_marks(&passing.words);
	for (uint64_t i = 0; i < 2 * groups && !passing.words.bad; i++) {
		if (summed)
			pass_histogram(&passing.words);
		else
			pass_sequence(&passing);
	}
	spans->times = span_of(words, begin, passing.words.p);
	spans->bits.end = (uint32_t)passing.bits;
	return passing.words.bad || passing.bits > UINT32_MAX ? -EBADMSG : 0;
}
