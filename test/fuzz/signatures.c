/* SPDX-License-Identifier: MIT */
/*
 * signatures.c - fuzz target: any raw records that the runtime could make, encoded, compressed and decoded again, are the same records, also as structures; with any hints, and
 * once more with those that came of it. Encoded without stamps, they are the same but for their times, whose sums by signature are the same. And so are loops of
 * some of them (loops.h).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "drawn.h"
#include "format/deflater.h"
#include "format/signatures_encode.h"
#include "loops.h"
#include "mutate.h"
#include "reread.h"
#include "same.h"
#include "structures.h"

static uint64_t rounded(uint64_t ticks)
{
	return ticks < drawn.phase ? drawn.phase
				   : (ticks - drawn.phase) / drawn.unit * drawn.unit + drawn.phase;
}

static void compare_block(const struct raw_record *a, uint64_t x, const struct raw_record *b,
			  uint64_t y, unsigned class)
{
	const struct string_block *s, *t;
	const struct array_block *v, *w;

	if (x <= BLOCK_UNREADABLE) {
		SAME(x == y);
		return;
	}
	if (class == CLASS_STRING) {
		s = raw_string(a, x);
		t = raw_string(b, y);
		SAME(s && t && s->stored == t->stored && s->original == t->original);
		SAME(memcmp(s->bytes, t->bytes, s->stored) == 0 && t->bytes[t->stored] == 0);
		return;
	}
	v = raw_array(a, x);
	w = raw_array(b, y);
	SAME(v && w && v->stored == w->stored && v->original == w->original && v->sum == w->sum);
	SAME(memcmp(v->elements, w->elements, v->stored * sizeof(v->elements[0])) == 0);
}

static void compare(const struct raw_record *a, const struct raw_record *b, bool summed)
{
	struct encode_function function = drawn_function(NULL, a->function);

	SAME(a->function == b->function && a->level == b->level && a->flags == b->flags);
	SAME(summed || (rounded(a->tstart) == b->tstart && rounded(a->tend) == b->tend));
	SAME(a->result == b->result && a->err == b->err && a->repeat == b->repeat);
	SAME(a->stack == b->stack && a->arg_count == b->arg_count);
	SAME((a->callsite & 3) == b->reserved1 && a->callsite >> 2 == b->callsite);
	for (unsigned i = 0; i < a->arg_count; i++) {
		unsigned class = function.arg_classes[i];

		if (class == CLASS_STRING || class == CLASS_ARRAY)
			compare_block(a, a->args[i], b, b->args[i], class);
		else
			SAME(a->args[i] == b->args[i]);
	}
}

static void compare_times(const struct raw_record *a, const struct raw_record *b)
{
	bool carried = rounded(a->tstart) < rounded(drawn.t_base);

	SAME(!carried || b->tstart == rounded(a->tstart));
	SAME(carried || b->tstart >= rounded(drawn.t_base));
	reread_time(b, rounded(a->tend) - rounded(a->tstart), b->tend - b->tstart);
}

static void decode(const uint8_t *stored, const struct chunk_header *header)
{
	bool summed = header->encoding == DATA_SUMMED;

	static _Alignas(8) uint8_t buffer[DATA_RECORD_MAX];
	static struct data_decoder decoder;
	struct raw_record *record = (void *)buffer;
	uint64_t t_min = UINT64_MAX, t_max = 0;
	const uint8_t *next = drawn.records;

	reread_times_begin();
	reread_open(&decoder, header, stored);
	for (uint32_t i = 0; i < drawn.count; i++) {
		const struct raw_record *sample = (const void *)next;

		SAME(data_next(&decoder, record) > 0);
		compare(sample, record, summed);
		if (summed)
			compare_times(sample, record);
		t_min = record->tstart < t_min ? record->tstart : t_min;
		t_max = record->tend;
		next += sample->size;
	}
	SAME(data_next(&decoder, record) == 0);
	if (summed)
		reread_times_end();
	SAME(drawn.count == 0 || (header->t_min == t_min && header->t_max == t_max));
}

/* What the compressor made, and the bits behind it, are what the reader takes. */
static void read_again(const uint8_t *words, const uint8_t *bits,
		       const struct encode_output *output)
{
	static void *memory;
	static struct deflater *deflater;
	struct chunk_header header = {.count = drawn.count};
	uint8_t *stored =
		malloc(signatures_body_bound(output->words_size, output->bits_size) + DATA_BEHIND);

	if (!memory) {
		memory = aligned_alloc(16, (deflater_size() + 15) & ~(size_t)15);
		deflater = memory ? deflater_init(memory) : NULL;
		SAME(deflater);
	}
	SAME(stored);
	SAME(signatures_body(deflater, words, bits, output, stored, &header));
	decode(stored, &header);
	structures_compare(&header, stored, reread_describe);
	free(stored);
}

static uint64_t calls_counted;

static void count_calls(uint16_t id, uint64_t calls)
{
	(void)id;
	calls_counted += calls;
}

static uint64_t calls_there(void)
{
	uint64_t calls = 0;

	for (uint32_t at = 0; at < drawn.size;) {
		const struct raw_record *record = (const void *)(drawn.records + at);

		calls += record->repeat;
		at += record->size;
	}
	return calls;
}

static void encode(const struct encode_input *input, void *work, uint8_t *words, uint8_t *bits)
{
	struct encode_output output;

	if (signatures_encode(input, work, words, bits, &output))
		return;
	calls_counted = 0;
	signatures_calls(work, count_calls);
	SAME(calls_counted == calls_there());
	read_again(words, bits, &output);
}

static void there_and_back(void)
{
	size_t work_size = (signatures_work_size(drawn.size) + 15) & ~(size_t)15;
	void *work = aligned_alloc(16, work_size);
	uint8_t *records = malloc(drawn.size + RECORDS_BEHIND);
	uint8_t *words = malloc(signatures_words_room(drawn.size));
	uint8_t *bits = malloc(signatures_bits_room(drawn.size));
	struct encode_input input = {.records = records,
				     .size = drawn.size,
				     .count = drawn.count,
				     .t_base = drawn.t_base,
				     .unit = drawn.unit,
				     .phase = drawn.phase,
				     .self = drawn.self,
				     .hints = drawn.hints,
				     .hint_count = DRAWN_HINTS,
				     .function = drawn_function,
				     .site = drawn_site};

	SAME(work && words && bits && records);
	memcpy(records, drawn.records, drawn.size + RECORDS_BEHIND);
	memset(work, 0xa5, work_size);
	encode(&input, work, words, bits);
	input.summed = true;
	if (drawn.count > 0)
		encode(&input, work, words, bits);
	free(work);
	free(records);
	free(words);
	free(bits);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes input = bytes_of(data, size);

	drawn_take(&input);
	there_and_back();
	there_and_back();
	loops_there_and_back();
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	(void)seed;
	return LLVMFuzzerMutate(data, size, max);
}
