/* SPDX-License-Identifier: MIT */
/* recode.c - see recode.h */
#include "recode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/data_decode.h"
#include "format/deflater.h"
#include "format/signatures_encode.h"
#include "message.h"

static void *need(void *memory)
{
	if (!memory)
		die("out of memory");
	return memory;
}

/* ---- out ---- */

static int describe_functions(const struct data_decoder *decoder, recode_describe *describe,
			      void *data)
{
	for (uint32_t i = 0; i < data_lists(decoder)->function_count; i++)
		if (!describe(data, &decoder->functions[i]))
			return -EBADMSG;
	return 0;
}

/* Its call site becomes an index. Sites of a chunk are few, and those of neighbours the same. */
static void keep_record(struct recoded *to, struct raw_record *record, uint64_t sequence)
{
	struct list_site site = {.offset = record->callsite, .module = record->reserved1};
	const struct list_site *sites = (const struct list_site *)to->sites.bytes;
	size_t count = to->sites.size / sizeof(site), i = count;

	while (i > 0 && (sites[i - 1].offset != site.offset || sites[i - 1].module != site.module))
		i--;
	if (i == 0) {
		buffer_add(&to->sites, &site, sizeof(site));
		i = count + 1;
	}
	record->callsite = i - 1;
	record->reserved1 = 0;
	record->sequence = (uint32_t)sequence;
	to->records.size += record->size;
}

static void take_marks(struct recoded *to, const struct data_decoder *decoder)
{
	const struct summed *sums = &decoder->signatures.sums;

	buffer_clear(&to->marks);
	to->summed = decoder->encoding == DATA_SUMMED;
	for (uint32_t i = 0; to->summed && i < sums->mark_count; i++) {
		uint64_t ticks = sums->gaps[i] * to->unit + to->phase;

		buffer_add(&to->marks, &ticks, sizeof(ticks));
	}
}

static int take_records(struct recoded *to, struct data_decoder *decoder, uint64_t sequence)
{
	ssize_t size;

	to->unit = data_lists(decoder)->unit;
	to->phase = data_lists(decoder)->phase;
	take_marks(to, decoder);
	do {
		struct raw_record *record = (void *)buffer_room(&to->records, DATA_RECORD_MAX);

		size = data_next(decoder, record);
		if (size > 0)
			keep_record(to, record, sequence++);
	} while (size > 0);
	return (int)size;
}

int recode_out(struct recoded *recoded, const struct chunk_header *header, struct bytes body,
	       recode_describe *describe, void *data)
{
	struct data_decoder *decoder = need(calloc(1, sizeof(*decoder)));
	size_t size = bytes_left(&body);
	uint8_t *stored = need(calloc(size + DATA_BEHIND, 1));
	int error;

	memcpy(stored, body.p, size);
	buffer_clear(&recoded->records);
	buffer_clear(&recoded->sites);
	error = data_open(decoder, header, stored);
	if (!error)
		error = describe_functions(decoder, describe, data);
	if (!error)
		error = data_begin(decoder);
	if (!error)
		error = take_records(recoded, decoder, header->first_sequence);
	data_release(decoder);
	free(decoder);
	free(stored);
	if (error == -ENOMEM)
		die("out of memory");
	return error;
}

/* ---- in ---- */

struct encoding {
	const struct recoded *from;
	recode_describe *describe;
	void *data;
};

static struct encode_function encode_describe(void *data, uint16_t id)
{
	struct encoding *encoding = data;
	struct list_function function = {.id = id};

	encoding->describe(encoding->data, &function);
	return (struct encode_function){.result_class = function.result_class,
					.arg_count = function.arg_count,
					.arg_classes = function.classes};
}

static struct encode_site site_of(void *data, uint64_t index)
{
	const struct encoding *encoding = data;
	const struct list_site *site =
		&((const struct list_site *)encoding->from->sites.bytes)[index];

	return (struct encode_site){site->module, site->offset};
}

static void put_body(const uint8_t *words, const uint8_t *bits, const struct encode_output *output,
		     struct chunk_header *header, struct buffer *body)
{
	struct deflater *deflater = need(aligned_alloc(16, deflater_size()));
	uint8_t *room;

	buffer_clear(body);
	room = buffer_room(body, signatures_body_bound(output->words_size, output->bits_size));
	if (!signatures_body(need(deflater_init(deflater)), words, bits, output, room, header))
		die("cannot compress");
	body->size = header->body_size;
	free(deflater);
}

int recode_in(struct recoded *recoded, struct chunk_header *header, recode_describe *describe,
	      void *data, struct buffer *body)
{
	struct buffer *records = &recoded->records;
	size_t size = records->size;
	struct encoding encoding = {recoded, describe, data};
	struct encode_input input = {.size = (uint32_t)size,
				     .count = header->count,
				     .t_base = header->t_base,
				     .unit = recoded->unit,
				     .phase = recoded->phase,
				     .summed = recoded->summed,
				     .mark_count =
					     (uint32_t)(recoded->marks.size / sizeof(uint64_t)),
				     .marks = (const uint64_t *)recoded->marks.bytes,
				     .data = &encoding,
				     .function = encode_describe,
				     .site = site_of};
	struct encode_output output;
	uint8_t *words = need(malloc(signatures_words_room(size)));
	uint8_t *bits = need(malloc(signatures_bits_room(size)));
	void *work = need(aligned_alloc(16, (signatures_work_size(size) + 15) & ~(size_t)15));
	int error;

	buffer_room(records, RECORDS_BEHIND);
	input.records = records->bytes;
	error = signatures_encode(&input, work, words, bits, &output);

	if (!error)
		put_body(words, bits, &output, header, body);
	free(words);
	free(bits);
	free(work);
	return error;
}

void recode_release(struct recoded *recoded)
{
	buffer_release(&recoded->records);
	buffer_release(&recoded->sites);
	buffer_release(&recoded->marks);
}
