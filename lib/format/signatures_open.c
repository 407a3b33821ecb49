/* SPDX-License-Identifier: MIT */
/* signatures_open.c - what comes before the records of a chunk (signatures_decode.h): its lists, its signatures, and where the numbers of each field begin. */
#include "format/signatures_decode.h"

#include <errno.h>

#include "format/aside_decode.h"

int signatures_count_numbers(struct signatures *signatures, uint32_t count)
{
	signatures->number_count += count;
	return signatures->number_count > SIGNATURE_NUMBERS_MAX ? -EBADMSG : 0;
}

static int open_numbers(struct signatures *signatures, struct numbers *numbers)
{
	return numbers_open(numbers, &signatures->words, &signatures->bits, &signatures->bump);
}

/* Idle times of all groups, then durations of all. */
static int open_times(struct signatures *signatures)
{
	uint32_t groups = signatures->group_count;
	int error = 0;

	for (uint32_t i = 0; i < 2 * groups && !error; i++) {
		struct number_pairs *times = &signatures->times[i % groups];
		struct sequence *sequence = i < groups ? &times->numbers.sequence : &times->second;

		error = sequence_open(sequence, &signatures->words, &signatures->bits,
				      &signatures->bump);
		if (!error)
			error = signatures_count_numbers(signatures, sequence->left);
	}
	for (uint32_t i = 0; i < groups && !error; i++)
		error = number_pairs_open(&signatures->times[i], &signatures->bump);
	return error;
}

static int open_summed(struct signatures *signatures)
{
	return summed_open(&signatures->sums, &signatures->lists, signatures->signature_count,
			   signatures->group_count, &signatures->words, &signatures->bump);
}

int signatures_open(struct signatures *signatures, const struct chunk_header *header,
		    const void *words, size_t words_size, const void *bits, size_t bits_size)
{
	memset(signatures, 0, sizeof(*signatures));
	signatures->words = bytes_of(words, words_size);
	signatures->bits = bytes_of(bits, bits_size);
	signatures->summed = header->encoding == DATA_SUMMED;
	return lists_open(&signatures->lists, header, &signatures->words);
}

/* Where each function's fields begin when those of all are in a row; their number. */
static uint32_t number_fields(const struct signatures *signatures, struct list_function *functions)
{
	struct field_place places[FIELDS_MAX];
	uint32_t fields = 0;

	for (uint32_t i = 0; i < signatures->lists.function_count; i++) {
		functions[i].first = fields;
		fields += signature_fields(&functions[i], functions[i].arg_count, places);
	}
	return fields;
}

static int read_all(struct signatures *signatures)
{
	int error;

	signatures->self = bytes_varint(&signatures->words);
	error = record_blocks_read(&signatures->blocks, &signatures->words, &signatures->bump);
	if (!error)
		error = signatures_read(signatures);
	if (!error)
		error = open_numbers(signatures, &signatures->predictor.runs);
	if (!error)
		error = open_numbers(signatures, &signatures->predictor.ids);
	if (!error)
		error = signatures->summed ? open_summed(signatures) : open_times(signatures);
	return error ? error : asides_open(signatures);
}

/* The signatures of all records, then their times. */
static int deal_times(struct signatures *signatures)
{
	struct summed *sums = &signatures->sums;

	for (uint32_t i = 0; i < signatures->signature_count; i++)
		sums->kinds[i] = (struct nesting_kind){signatures->signatures[i].record->level,
						       signatures->signatures[i].after};
	if (!predictor_take(&signatures->predictor, sums->signature, signatures->lists.count,
			    signatures->signature_count))
		return -EBADMSG;
	return summed_deal(sums, &signatures->lists, &signatures->bump);
}

int signatures_begin(struct signatures *signatures, struct list_function *functions, void *memory,
		     size_t size)
{
	struct bytes words = signatures->words, bits = signatures->bits;
	uint16_t *predicted;
	int error;

	signatures->bump = (struct bump){memory, size};
	signatures->functions = functions;
	signatures->field_count = number_fields(signatures, functions);
	signatures->number_count = 0;
	signatures->sites = bump_take(&signatures->bump, signatures->lists.site_count,
				      sizeof(*signatures->sites));
	signatures->asides = bump_take_zeros(&signatures->bump, signatures->field_count,
					     sizeof(*signatures->asides));
	predicted = bump_take_zeros(&signatures->bump, 1u << PREDICTOR_LOG, sizeof(*predicted));
	if (!signatures->sites || !signatures->asides || !predicted)
		return -ENOBUFS;
	error = lists_sites(&signatures->lists, signatures->sites);
	if (!error)
		error = read_all(signatures);
	if (!error && (signatures->words.bad || bytes_left(&signatures->words) ||
		       bytes_left(&signatures->bits)))
		error = -EBADMSG;
	if (!error)
		predictor_begin(&signatures->predictor, predicted);
	if (!error && signatures->summed)
		error = deal_times(signatures);
	if (error) {
		signatures->words = words;
		signatures->bits = bits;
		return error;
	}
	signatures->end = signatures->lists.base;
	return 0;
}
