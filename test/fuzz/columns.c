/* SPDX-License-Identifier: MIT */
/*
 * columns.c - fuzz target: any raw records that the runtime could make, encoded, compressed and
 * decoded again, are the same records.
 */
#include <stdio.h>
#include <stdlib.h>

#include "format/bytes.h"
#include "format/columns_decode.h"
#include "format/columns_encode.h"
#include "format/deflater.h"
#include "format/raw.h"
#include "mutate.h"
#include "read/body.h"

#define RECORDS_MAX 2000u
#define RAW_MAX (256u << 10)
#define ARGS_MAX 6u
#define SAME(condition)                                                                            \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: not the same: %s\n", __FILE__, __LINE__,           \
				#condition);                                                       \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

static const struct encode_function functions[] = {
	{CLASS_INT, 0, NULL},
	{CLASS_INT, 3, (const uint8_t[]){CLASS_PAIR, CLASS_INT, CLASS_INT}},
	{CLASS_PAIR, 3, (const uint8_t[]){CLASS_STRING, CLASS_INT, CLASS_INT}},
	{CLASS_DOUBLE, 2, (const uint8_t[]){CLASS_DOUBLE, CLASS_DOUBLE}},
	{CLASS_INT, 4, (const uint8_t[]){CLASS_ARRAY, CLASS_STRING, CLASS_ARRAY, CLASS_STRING}},
	{CLASS_INT, 6,
	 (const uint8_t[]){CLASS_INT, CLASS_INT, CLASS_INT, CLASS_INT, CLASS_PAIR, CLASS_DOUBLE}},
};
#define FUNCTIONS (sizeof(functions) / sizeof(functions[0]))

static struct encode_function function_of(void *data, uint16_t id)
{
	(void)data;
	return functions[id % FUNCTIONS];
}

static struct encode_site site_of(void *data, uint64_t address)
{
	(void)data;
	return (struct encode_site){(uint32_t)(address & 3), address >> 2};
}

/* What the input makes of records. */
static struct {
	_Alignas(8) uint8_t records[RAW_MAX + COLUMNS_RECORD_MAX];
	uint32_t size, count;
	uint64_t t_base, unit, phase;
} raw;

/* A number of up to 64 bits; mostly a small one. */
static uint64_t take_number(struct bytes *input)
{
	uint8_t width = bytes_u8(input);

	if (width < 0xe0)
		return width & 0x3f;
	if (width < 0xf0)
		return bytes_u16(input);
	return width < 0xf8 ? bytes_u32(input) : bytes_u64(input);
}

static uint64_t add_string(struct raw_record *record, struct bytes *input)
{
	struct string_block *block = (void *)((uint8_t *)record + record->size);
	size_t size = take_number(input) % 64;
	const uint8_t *p = bytes_take(input, size);
	uint32_t offset = record->size;

	if (!p)
		return BLOCK_UNREADABLE;
	block->stored = (uint32_t)size;
	block->original = block->stored + bytes_u8(input) % 3;
	memset(block->bytes, 0, size + 8);
	memcpy(block->bytes, p, size);
	record->size += (uint32_t)(sizeof(*block) + size + 7) & ~7u;
	return offset;
}

static uint64_t add_array(struct raw_record *record, struct bytes *input)
{
	struct array_block *block = (void *)((uint8_t *)record + record->size);
	uint32_t offset = record->size;
	uint64_t sum = 0;

	block->stored = bytes_u8(input) % 16;
	block->original = block->stored + bytes_u8(input) % 3;
	for (uint32_t i = 0; i < block->stored; i++)
		sum += (uint64_t)(block->elements[i] = (int64_t)take_number(input));
	block->sum = (int64_t)(block->original == block->stored ? sum : take_number(input));
	record->size += (uint32_t)sizeof(*block) + block->stored * 8;
	return offset;
}

static uint64_t take_argument(struct raw_record *record, unsigned class, struct bytes *input)
{
	uint64_t value = take_number(input);

	if ((class != CLASS_STRING && class != CLASS_ARRAY) || value <= BLOCK_UNREADABLE)
		return value;
	return class == CLASS_STRING ? add_string(record, input) : add_array(record, input);
}

/* Ends are in order, and nothing begins after its end: that much the runtime sees to. */
static void take_times(struct raw_record *record, uint64_t *now, struct bytes *input)
{
	uint64_t gap = take_number(input), duration = take_number(input);

	*now = gap > UINT64_MAX - *now ? *now : *now + gap;
	record->tend = *now;
	record->tstart = duration > *now ? 0 : *now - duration;
}

static void take_record(struct raw_record *record, uint64_t *now, struct bytes *input)
{
	struct encode_function function;

	memset(record, 0, sizeof(*record));
	record->function = (uint16_t)take_number(input);
	function = function_of(NULL, record->function);
	record->level = (uint16_t)take_number(input);
	record->flags = bytes_u8(input);
	take_times(record, now, input);
	record->result = (int64_t)take_number(input);
	record->callsite = take_number(input);
	record->err = (int32_t)take_number(input);
	record->repeat = (uint32_t)take_number(input);
	record->repeat += record->repeat == 0;
	record->stack = (uint32_t)take_number(input);
	record->arg_count =
		(uint8_t)(function.arg_count - bytes_u8(input) % (function.arg_count + 1u));
	record->size = (uint32_t)sizeof(*record) + record->arg_count * 8u;
	for (unsigned i = 0; i < record->arg_count; i++)
		record->args[i] = take_argument(record, function.arg_classes[i], input);
}

static void take_records(struct bytes *input)
{
	uint64_t now;

	raw.size = raw.count = 0;
	raw.unit = take_number(input);
	raw.unit += raw.unit == 0;
	raw.phase = take_number(input) % raw.unit;
	now = raw.t_base = take_number(input) + raw.phase;
	while (bytes_left(input) > 0 && raw.count < RECORDS_MAX && raw.size < RAW_MAX) {
		struct raw_record *record = (void *)(raw.records + raw.size);

		take_record(record, &now, input);
		raw.size += record->size;
		raw.count++;
	}
}

static uint64_t rounded(uint64_t ticks)
{
	return ticks < raw.phase ? raw.phase
				 : (ticks - raw.phase) / raw.unit * raw.unit + raw.phase;
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

static void compare(const struct raw_record *a, const struct raw_record *b)
{
	struct encode_function function = function_of(NULL, a->function);

	SAME(a->function == b->function && a->level == b->level && a->flags == b->flags);
	SAME(rounded(a->tstart) == b->tstart && rounded(a->tend) == b->tend);
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

static void decode(const struct chunk_header *header, const struct encode_output *output,
		   const uint8_t *plain, size_t size)
{
	static struct columns_function used[512];
	static struct columns_site sites[2048];
	static struct column column[512 * (2 + ARGS_MAX)];
	static _Alignas(8) uint8_t buffer[COLUMNS_RECORD_MAX];
	struct raw_record *record = (void *)buffer;
	uint64_t t_min = UINT64_MAX, t_max = 0;
	const uint8_t *next = raw.records;
	struct columns columns;

	SAME(columns_open(&columns, header, plain, size) == 0);
	SAME(columns.function_count <= 512 && columns.site_count <= 2048);
	SAME(columns_functions(&columns, used) == 0);
	for (uint32_t i = 0; i < columns.function_count; i++) {
		struct encode_function function = function_of(NULL, used[i].id);

		used[i].arg_count = function.arg_count;
		used[i].result_class = function.result_class;
		used[i].classes = function.arg_classes;
	}
	SAME(columns_begin(&columns, used, sites, column) == 0);
	for (uint32_t i = 0; i < raw.count; i++) {
		const struct raw_record *sample = (const void *)next;

		SAME(columns_next(&columns, record) > 0);
		compare(sample, record);
		t_min = record->tstart < t_min ? record->tstart : t_min;
		t_max = record->tend;
		next += sample->size;
	}
	SAME(columns_next(&columns, record) == 0);
	SAME(raw.count == 0 || (output->t_min == t_min && output->t_max == t_max));
}

/* What the compressor made must be what the reader takes. */
static void inflate_again(const uint8_t *plain, const struct encode_output *output)
{
	static uint8_t stored[2 * RAW_MAX + (1u << 17)];
	static void *memory;
	static struct deflater *deflater;
	static struct body body;
	size_t size;

	if (!memory) {
		memory = aligned_alloc(16, deflater_size());
		deflater = memory ? deflater_init(memory) : NULL;
		SAME(deflater);
		body.stored = stored;
	}
	size = deflater_run(deflater, plain, output->size, output->times_begin, output->times_end,
			    stored, deflater_bound(output->size));
	SAME(size > 0);
	SAME(body_inflate(&body, (uint32_t)size, output->size) == 0);
	SAME(memcmp(body.plain, plain, output->size) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static _Alignas(16) uint8_t work[1u << 18];
	static uint8_t plain[2 * RAW_MAX + (1u << 17)];
	struct bytes input = bytes_of(data, size);
	struct encode_output output;
	struct encode_input encode = {.records = raw.records,
				      .function = function_of,
				      .site = site_of};
	struct chunk_header header = {0};
	int error;

	take_records(&input);
	encode.size = raw.size;
	encode.count = raw.count;
	encode.t_base = raw.t_base;
	encode.unit = raw.unit;
	encode.phase = raw.phase;
	SAME(columns_work_size(raw.size) <= sizeof(work));
	SAME(columns_plain_bound(raw.size) <= sizeof(plain));
	error = columns_encode(&encode, work, plain, columns_plain_bound(raw.size), &output);
	if (error)
		return 0;
	SAME(output.size <= columns_plain_bound(raw.size));
	header.count = raw.count;
	header.carried = output.carried;
	header.t_base = output.t_base;
	decode(&header, &output, plain, output.size);
	inflate_again(plain, &output);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	(void)seed;
	return LLVMFuzzerMutate(data, size, max);
}
