/* SPDX-License-Identifier: MIT */
/* recode.c - see recode.h */
#include "recode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "format/columns_decode.h"
#include "format/deflater.h"
#include "format/signatures_decode.h"
#include "format/signatures_encode.h"
#include "message.h"

#define DECODING_FIRST ((size_t)1 << 20)
#define DECODING_MAX ((size_t)1 << 30)

static void *need(void *memory)
{
	if (!memory)
		die("out of memory");
	return memory;
}

/* The words of a body; *rest is what follows them. NULL: they are damaged. To be freed. */
static uint8_t *inflate_words(const struct chunk_header *header, struct bytes body,
			      struct bytes *rest)
{
	uint8_t *words = need(malloc((size_t)header->plain_size + 1));
	uLongf size = header->plain_size;
	uLong used = bytes_left(&body);

	if (uncompress2(words, &size, body.p, &used) == Z_OK && size == header->plain_size) {
		*rest = bytes_of(body.p + used, bytes_left(&body) - used);
		return words;
	}
	free(words);
	return NULL;
}

/* ---- out ---- */

/* Where records go while a chunk is decoded. */
struct decoding {
	struct recoded *to;
	const struct chunk_header *header;
	recode_describe *describe;
	void *data;
	struct list_function *functions;
};

static int take_functions(struct decoding *decoding, const struct lists *lists)
{
	decoding->functions = need(calloc(lists->function_count + 1, sizeof(*decoding->functions)));
	if (lists_functions(lists, decoding->functions))
		return -EBADMSG;
	for (uint32_t i = 0; i < lists->function_count; i++)
		if (!decoding->describe(decoding->data, &decoding->functions[i]))
			return -EBADMSG;
	decoding->to->unit = lists->unit;
	decoding->to->phase = lists->phase;
	return 0;
}

/* Its call site becomes an index. Sites of a chunk are few, and those of neighbours the same. */
static void keep_record(struct decoding *decoding, struct raw_record *record, uint32_t number)
{
	struct recoded *to = decoding->to;
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
	record->sequence = (uint32_t)(decoding->header->first_sequence + number);
	to->records.size += record->size;
}

static int out_of_columns(struct decoding *decoding, struct bytes words)
{
	struct columns columns;
	struct list_site *sites = NULL;
	struct column *column = NULL;
	ssize_t size = -EBADMSG;
	uint32_t number = 0;

	if (columns_open(&columns, decoding->header, words.p, bytes_left(&words)) ||
	    take_functions(decoding, &columns.lists))
		return -EBADMSG;
	sites = need(calloc(columns.lists.site_count + 1, sizeof(*sites)));
	column = need(calloc(columns_needed(&columns, decoding->functions) + 1, sizeof(*column)));
	if (columns_begin(&columns, decoding->functions, sites, column) == 0)
		do {
			void *room = buffer_room(&decoding->to->records, DECODED_RECORD_MAX);

			size = columns_next(&columns, room);
			if (size > 0)
				keep_record(decoding, room, number++);
		} while (size > 0);
	free(sites);
	free(column);
	return (int)size;
}

/* The decoder's memory; NULL: the chunk is malformed. */
static void *begin_signatures(struct signatures *signatures, struct list_function *functions)
{
	for (size_t size = DECODING_FIRST; size <= DECODING_MAX; size *= 2) {
		void *memory = need(malloc(size));
		int error = signatures_begin(signatures, functions, memory, size);

		if (error == 0)
			return memory;
		free(memory);
		if (error != -ENOBUFS)
			break;
	}
	return NULL;
}

static int out_of_signatures(struct decoding *decoding, struct bytes words, struct bytes bits)
{
	size_t bits_size = bytes_left(&bits);
	uint8_t *copy = need(calloc(bits_size + SIGNATURES_BEHIND, 1));
	struct signatures *signatures = need(malloc(sizeof(*signatures)));
	void *memory = NULL;
	ssize_t size = -EBADMSG;
	uint32_t number = 0;

	memcpy(copy, bits.p, bits_size);
	if (signatures_open(signatures, decoding->header, words.p, bytes_left(&words), copy,
			    bits_size) == 0 &&
	    take_functions(decoding, &signatures->lists) == 0)
		memory = begin_signatures(signatures, decoding->functions);
	if (memory)
		do {
			void *room = buffer_room(&decoding->to->records, SIGNATURES_RECORD_MAX);

			size = signatures_next(signatures, room);
			if (size > 0)
				keep_record(decoding, room, number++);
		} while (size > 0);
	free(memory);
	free(signatures);
	free(copy);
	return (int)size;
}

int recode_out(struct recoded *recoded, const struct chunk_header *header, struct bytes body,
	       recode_describe *describe, void *data)
{
	struct decoding decoding = {recoded, header, describe, data, NULL};
	struct bytes rest;
	uint8_t *plain = inflate_words(header, body, &rest);
	struct bytes words = bytes_of(plain, header->plain_size);
	int error = -EBADMSG;

	buffer_clear(&recoded->records);
	buffer_clear(&recoded->sites);
	if (!plain)
		return -EBADMSG;
	if (header->encoding == DATA_SIGNATURES)
		error = out_of_signatures(&decoding, words, rest);
	else if (bytes_left(&rest) == 0)
		error = out_of_columns(&decoding, words);
	free(decoding.functions);
	free(plain);
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

/* Deflates the words and puts the bits behind them. */
static void put_body(const uint8_t *words, const uint8_t *bits, const struct encode_output *output,
		     struct chunk_header *header, struct buffer *body)
{
	struct deflater *deflater = need(aligned_alloc(16, deflater_size()));
	size_t room = deflater_bound(output->words_size);

	buffer_clear(body);
	body->size = deflater_run(need(deflater_init(deflater)), words, output->words_size,
				  buffer_room(body, room), room);
	free(deflater);
	if (body->size == 0)
		die("cannot compress");
	buffer_add(body, bits, output->bits_size);
	header->encoding = DATA_SIGNATURES;
	header->plain_size = output->words_size;
	header->carried = output->carried;
	header->t_base = output->t_base;
	header->t_min = output->t_min;
	header->t_max = output->t_max;
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
}
