/* SPDX-License-Identifier: MIT */
/* drawn.c - see drawn.h */
#include "drawn.h"

#include <string.h>

#define RECORDS_MAX 2000u

#define CLASSES(...) ((const uint8_t[]){__VA_ARGS__})

static const struct encode_function functions[] = {
	{.result_class = CLASS_INT},
	{.result_class = CLASS_INT,
	 .arg_count = 3,
	 .arg_classes = CLASSES(CLASS_PAIR, CLASS_INT, CLASS_INT),
	 .descriptors = 1},
	{.result_class = CLASS_PAIR,
	 .arg_count = 3,
	 .arg_classes = CLASSES(CLASS_STRING, CLASS_INT, CLASS_INT),
	 .result_descriptor = true},
	{.result_class = CLASS_DOUBLE,
	 .arg_count = 2,
	 .arg_classes = CLASSES(CLASS_DOUBLE, CLASS_DOUBLE)},
	{.result_class = CLASS_INT,
	 .arg_count = 4,
	 .arg_classes = CLASSES(CLASS_ARRAY, CLASS_STRING, CLASS_ARRAY, CLASS_STRING)},
	{.result_class = CLASS_INT,
	 .arg_count = 6,
	 .arg_classes =
		 CLASSES(CLASS_INT, CLASS_INT, CLASS_INT, CLASS_INT, CLASS_PAIR, CLASS_DOUBLE),
	 .ranks = 1 | 4},
	{.result_class = CLASS_PAIR,
	 .arg_count = 3,
	 .arg_classes = CLASSES(CLASS_PAIR, CLASS_PAIR, CLASS_PAIR),
	 .descriptors = 1 | 2,
	 .result_descriptor = true},
};
#define FUNCTIONS (sizeof(functions) / sizeof(functions[0]))

struct encode_function drawn_function(void *data, uint16_t id)
{
	(void)data;
	return functions[id % FUNCTIONS];
}

struct encode_site drawn_site(void *data, uint64_t address)
{
	(void)data;
	return (struct encode_site){(uint32_t)(address & 3), address >> 2};
}

struct drawn drawn;

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
	function = drawn_function(NULL, record->function);
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

/* ---- patterns ---- */

static uint64_t noise(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* Ends in a number of up to four digits. */
static void count_on(struct raw_record *record, uint64_t offset, unsigned number)
{
	struct string_block *block = (void *)((uint8_t *)record + offset);

	for (uint32_t i = block->stored; i > 0 && block->stored - i < 4; i--, number /= 10)
		block->bytes[i - 1] = (uint8_t)('0' + number % 10);
}

static void vary_array(struct raw_record *record, uint64_t offset, uint64_t step)
{
	struct array_block *block = (void *)((uint8_t *)record + offset);

	if (block->stored == 0)
		return;
	block->elements[0] = (int64_t)((uint64_t)block->elements[0] + step);
	block->sum = (int64_t)((uint64_t)block->sum + step);
}

static uint64_t vary_number(uint64_t value, const struct raw_record *record, uint8_t how,
			    uint64_t step, unsigned number, uint64_t *state)
{
	switch (how >> 3 & 7) {
	case 0:
		return value + step;
	case 1:
		return noise(state) * step;
	case 2:
		return (uint64_t)record->result;
	case 3: /* a descriptor and its file */
		return (number % 7 + 3) * 0x100000001u;
	case 4:
		return number % 2 ? value + step : value - step;
	case 5:
		return (uint64_t)record->result + 1;
	case 6: /* one of two descriptors, another file each time */
		return noise(state) % (step | 1) << 32 | (3 + number % 2);
	default:
		return value;
	}
}

/* One of its arguments is otherwise each time: that is what makes modes change. */
static void vary(struct raw_record *record, uint8_t how, uint64_t step, unsigned number,
		 uint64_t *state)
{
	struct encode_function function = drawn_function(NULL, record->function);
	unsigned which = record->arg_count ? how % record->arg_count : 0, class;

	if (how & 0x80)
		record->result = (int64_t)vary_number((uint64_t)record->result, record, how, step,
						      number, state);
	if (!record->arg_count)
		return;
	class = function.arg_classes[which];
	if (class != CLASS_STRING && class != CLASS_ARRAY)
		record->args[which] =
			vary_number(record->args[which], record, how, step, number, state);
	else if (record->args[which] > BLOCK_UNREADABLE && class == CLASS_STRING)
		count_on(record, record->args[which], number);
	else if (record->args[which] > BLOCK_UNREADABLE)
		vary_array(record, record->args[which], step);
}

static struct raw_record *next_record(void)
{
	return (struct raw_record *)(drawn.records + drawn.size);
}

static bool is_room(void)
{
	return drawn.count < RECORDS_MAX && drawn.size < DRAWN_BYTES;
}

static void keep_record(const struct raw_record *record)
{
	drawn.size += record->size;
	drawn.count++;
}

/* A record, and what a loop would make of it. */
static void take_loop(uint64_t *now, struct bytes *input)
{
	struct raw_record *record = next_record();
	uint8_t times, how[2];
	uint64_t step, spread, state = 1;

	take_record(record, now, input);
	keep_record(record);
	times = bytes_u8(input);
	if (times < 128)
		return;
	how[0] = bytes_u8(input);
	how[1] = bytes_u8(input);
	step = take_number(input);
	spread = take_number(input) | 1;
	for (unsigned i = 0; i < (times - 127u) * 4 && is_room(); i++) {
		struct raw_record *copy = next_record();
		uint64_t idle = noise(&state) % spread, duration = noise(&state) % spread;

		memcpy(copy, record, record->size);
		vary(copy, how[0], step, i, &state);
		vary(copy, how[1], step, i, &state);
		*now = idle + duration > UINT64_MAX - *now ? *now : *now + idle + duration;
		copy->tend = *now;
		copy->tstart = duration > *now ? 0 : *now - duration;
		keep_record(copy);
		record = copy;
	}
}

void drawn_take(struct bytes *input)
{
	uint64_t now;

	drawn.size = drawn.count = 0;
	drawn.unit = take_number(input);
	drawn.unit += drawn.unit == 0;
	drawn.phase = take_number(input) % drawn.unit;
	now = drawn.t_base = take_number(input) + drawn.phase;
	drawn.self = take_number(input);
	memset(drawn.hints, 0, sizeof(drawn.hints));
	for (unsigned i = bytes_u8(input) % 16; i > 0; i--)
		drawn.hints[i] = take_number(input);
	while (bytes_left(input) > 0 && is_room())
		take_loop(&now, input);
}
