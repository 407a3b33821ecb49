/* SPDX-License-Identifier: MIT */
/* pack_records.c - see pack_records.h */
#include "pack_records.h"

#include <errno.h>
#include <zlib.h>

/* The functions of a chunk, with classes. -EBADMSG: one is not known. */
static int list_functions(struct part_maker *maker, const struct lists *lists)
{
	if (lists_functions(lists, maker->list))
		return -EBADMSG;
	for (uint32_t i = 0; i < lists->function_count; i++) {
		const struct known_function *function = maker->functions[maker->list[i].id];

		if (!function || !function->known)
			return -EBADMSG;
		maker->list[i].arg_count = function->arg_count;
		maker->list[i].result_class = function->result_class;
		maker->list[i].classes = function->classes;
	}
	return 0;
}

static int find_spans(struct part_maker *maker, const struct chunk_header *header,
		      struct bytes bits, struct signature_spans *spans)
{
	struct bytes words = bytes_of(maker->plain.bytes, maker->plain.size);
	struct span end = {header->plain_size, header->plain_size};
	struct lists lists;
	int error;

	if (header->encoding == DATA_COLUMNS) { /* times are all over it */
		*spans = (struct signature_spans){{0, end.end}, end, end, end, {0, 0}};
		return bytes_left(&bits) > 0 ? -EBADMSG : 0;
	}
	error = lists_open(&lists, header, &words);
	if (!error)
		error = list_functions(maker, &lists);
	if (!error)
		error = signature_spans_find(&lists, maker->list, maker->plain.bytes, words,
					     header->encoding == DATA_SUMMED, spans);
	return error || spans->bits.end > bytes_left(&bits) ? -EBADMSG : 0;
}

/* What of the words and the bits belongs to one source, in turns with the others. */
static void put_turn(struct buffer *cuts, uint32_t own, uint32_t times, uint32_t names)
{
	buffer_add_varint(cuts, own);
	buffer_add_varint(cuts, times);
	buffer_add_varint(cuts, names);
}

static uint32_t span_size(struct span span)
{
	return span.end - span.begin;
}

static void put_cuts(const struct signature_spans *spans, uint32_t words, uint32_t bits,
		     struct buffer *cuts)
{
	buffer_add_varint(cuts, 4);
	put_turn(cuts, spans->phase.begin, span_size(spans->phase), 0);
	put_turn(cuts, spans->carried.begin - spans->phase.end, span_size(spans->carried),
		 span_size(spans->names));
	put_turn(cuts, spans->times.begin - spans->names.end, span_size(spans->times), 0);
	put_turn(cuts, words - spans->times.end, 0, 0);
	buffer_add_varint(cuts, 2);
	put_turn(cuts, spans->bits.begin, span_size(spans->bits), 0);
	put_turn(cuts, bits - spans->bits.end, 0, 0);
}

static void add_range(struct buffer *to, const uint8_t *bytes, uint32_t begin, uint32_t end)
{
	buffer_add(to, bytes + begin, end - begin);
}

/* The blob: what of the words and the bits is neither about time nor names. */
static void cut_own(struct part_maker *maker, const struct signature_spans *spans,
		    struct bytes bits)
{
	const uint8_t *words = maker->plain.bytes;
	struct buffer *own = &maker->own;

	buffer_clear(own);
	add_range(own, words, 0, spans->phase.begin);
	add_range(own, words, spans->phase.end, spans->carried.begin);
	add_range(own, words, spans->names.end, spans->times.begin);
	add_range(own, words, spans->times.end, (uint32_t)maker->plain.size);
	add_range(own, bits.p, 0, spans->bits.begin);
	add_range(own, bits.p, spans->bits.end, (uint32_t)bytes_left(&bits));
}

/* Where all belongs, and then what of the words is about time. */
static void cut_times(struct part_maker *maker, const struct signature_spans *spans,
		      struct bytes bits)
{
	const uint8_t *words = maker->plain.bytes;
	struct buffer *times = &maker->times, *cuts = &maker->again;

	buffer_clear(cuts);
	put_cuts(spans, (uint32_t)maker->plain.size, (uint32_t)bytes_left(&bits), cuts);
	buffer_clear(times);
	buffer_add_varint(times, cuts->size);
	buffer_add(times, cuts->bytes, cuts->size);
	add_range(times, words, spans->phase.begin, spans->phase.end);
	add_range(times, words, spans->carried.begin, spans->carried.end);
	add_range(times, words, spans->times.begin, spans->times.end);
}

static void put_blobs(struct part_maker *maker, const struct signature_spans *spans)
{
	const struct part_sink *sink = &maker->sink;
	uint32_t like = 2 * maker->chunks++;

	shape_blob(&maker->shape, sink->words(sink->self, like, maker->own.bytes, maker->own.size));
	shape_blob(&maker->shape,
		   sink->words(sink->self, like + 1, maker->plain.bytes + spans->names.begin,
			       span_size(spans->names)));
}

int pack_records_put(struct part_maker *maker, const struct chunk_header *header, struct bytes body)
{
	struct part_shape *shape = &maker->shape;
	struct signature_spans spans;
	const struct buffer *stored;
	struct bytes bits;
	uint32_t crc;

	if (part_inflate_exactly(maker, header, body, &bits) ||
	    find_spans(maker, header, bits, &spans))
		return -EBADMSG;
	cut_own(maker, &spans, bits);
	cut_times(maker, &spans, bits);
	crc = format_crc(maker->plain.bytes, maker->plain.size);
	crc = (uint32_t)crc32_z(crc, bits.p, bytes_left(&bits));
	stored = part_deflated(maker, maker->times.bytes, maker->times.size);
	part_put_header(maker, PACK_OP_RECORDS, header);
	put_blobs(maker, &spans);
	shape_time(shape, PACK_SIZE, header->body_size);
	shape_time(shape, PACK_SIZE, header->plain_size);
	shape_time(shape, PACK_SIZE, maker->times.size);
	shape_time(shape, PACK_SIZE, stored->size);
	shape_time(shape, PACK_SIZE, span_size(spans.bits));
	part_put_data(maker, &crc, sizeof(crc));
	part_put_data(maker, stored->bytes, stored->size);
	part_put_data(maker, bits.p + spans.bits.begin, span_size(spans.bits));
	return 0;
}
