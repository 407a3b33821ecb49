/* SPDX-License-Identifier: MIT */
/* watched_chunk.c - see watched_chunk.h */
#include "system/watched_chunk.h"

#include "format/deflater.h"
#include "format/raw.h"
#include "format/signatures_encode.h"

static struct encode_function function_of(void *data, uint16_t id)
{
	const struct watched_records *records = data;
	const struct watched_function *function = records->functions[id];

	return (struct encode_function){.result_class = function->result_class,
					.arg_count = function->arg_count,
					.arg_classes = function->arg_classes};
}

static struct encode_site site_of(void *data, uint64_t address)
{
	(void)data;
	return (struct encode_site){0, address};
}

/* The body lies in the work memory, or in the records as they are. */
static const uint8_t *encode(const struct watch_place *place, const struct watched_records *records,
			     struct chunk_header *header)
{
	struct watch_work *work = place->work;
	size_t size = records->raw.size;
	uint8_t *words = pile_anew(&work->words, signatures_words_room(size));
	uint8_t *bits = pile_anew(&work->bits, signatures_bits_room(size));
	uint8_t *memory = pile_anew(&work->encoder, signatures_work_size(size) + 16);
	struct encode_input input = {.records = records->raw.bytes,
				     .size = (uint32_t)size,
				     .count = records->count,
				     .t_base = records->t_base,
				     .unit = place->unit,
				     .data = (void *)(uintptr_t)records,
				     .function = function_of,
				     .site = site_of};
	struct encode_output output;
	uint8_t *body;

	if (!words || !bits || !memory)
		return NULL;
	memory += -(uintptr_t)memory % 16;
	if (signatures_encode(&input, memory, words, bits, &output))
		return NULL;
	body = pile_anew(&work->body, signatures_body_bound(output.words_size, output.bits_size));
	if (!body || !signatures_body(work->deflater, words, bits, &output, body, header))
		return NULL;
	return body;
}

const uint8_t *watched_chunk_body(const struct watch_place *place, struct watched_records *records,
				  struct chunk_header *header)
{
	const uint8_t *body = NULL;

	if (pile_room(&records->raw, RECORDS_BEHIND))
		body = encode(place, records, header);
	if (body)
		return body;
	raw_describe(header, records->raw.bytes, records->raw.size, records->t_base);
	return records->raw.bytes;
}
