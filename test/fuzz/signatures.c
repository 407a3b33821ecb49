/* SPDX-License-Identifier: MIT */
/*
 * signatures.c - fuzz target: any raw records that the runtime could make, encoded, compressed and decoded again, are the same records, also as structures; with any hints, and
 * once more with those that came of it. Encoded without stamps, they are the same but for their times, whose sums by signature are the same. And a loop of
 * some of them, with numbers that grow, is the same again, also window by window, and a loop that has loops inside from where it is found out on.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "format/bytes.h"
#include "format/data_decode.h"
#include "format/deflater.h"
#include "format/loop_begin.h"
#include "format/loop_learn.h"
#include "format/loop_write.h"
#include "format/raw.h"
#include "format/signatures_encode.h"
#include "mutate.h"
#include "same.h"
#include "structures.h"

#define RECORDS_MAX 2000u
#define RAW_MAX (256u << 10)
#define HINTS 64u

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
	_Alignas(8) uint8_t records[RAW_MAX + 2 * DECODED_RECORD_MAX + RECORDS_BEHIND];
	uint32_t size, count;
	uint64_t t_base, unit, phase, self;
	uint64_t hints[HINTS];
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
	struct encode_function function = function_of(NULL, record->function);
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
	return (struct raw_record *)(raw.records + raw.size);
}

static bool is_room(void)
{
	return raw.count < RECORDS_MAX && raw.size < RAW_MAX;
}

static void keep_record(const struct raw_record *record)
{
	raw.size += record->size;
	raw.count++;
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

static void take_records(struct bytes *input)
{
	uint64_t now;

	raw.size = raw.count = 0;
	raw.unit = take_number(input);
	raw.unit += raw.unit == 0;
	raw.phase = take_number(input) % raw.unit;
	now = raw.t_base = take_number(input) + raw.phase;
	raw.self = take_number(input);
	memset(raw.hints, 0, sizeof(raw.hints));
	for (unsigned i = bytes_u8(input) % 16; i > 0; i--)
		raw.hints[i] = take_number(input);
	while (bytes_left(input) > 0 && is_room())
		take_loop(&now, input);
}

/* ---- there and back ---- */

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

static void compare(const struct raw_record *a, const struct raw_record *b, bool summed)
{
	struct encode_function function = function_of(NULL, a->function);

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

static void describe(struct list_function *function)
{
	struct encode_function known = function_of(NULL, function->id);

	function->arg_count = known.arg_count;
	function->result_class = known.result_class;
	function->classes = known.arg_classes;
}

static void open_chunk(struct data_decoder *decoder, const struct chunk_header *header,
		       const uint8_t *stored)
{
	SAME(data_open(decoder, header, stored) == 0);
	SAME(data_lists(decoder)->function_count <= TABLE_FUNCTIONS);
	for (uint32_t i = 0; i < data_lists(decoder)->function_count; i++)
		describe(&decoder->functions[i]);
	SAME(data_begin(decoder) == 0);
}

/* What made-up times have in common with those that were: ends in order, calls one in the other, sums. */
static struct {
	uint64_t before;              /* tend of the record before */
	uint64_t durations[1u << 16]; /* by function: what was there less what was made of it */
} sums;

static void compare_times(const struct raw_record *a, const struct raw_record *b)
{
	bool carried = rounded(a->tstart) < rounded(raw.t_base);

	SAME(b->tstart <= b->tend && b->tend >= sums.before);
	SAME(!carried || b->tstart == rounded(a->tstart));
	SAME(carried || b->tstart >= rounded(raw.t_base));
	sums.before = b->tend;
	sums.durations[a->function] += rounded(a->tend) - rounded(a->tstart);
	sums.durations[a->function] -= b->tend - b->tstart;
}

static void compare_sums(void)
{
	for (unsigned i = 0; i < 1u << 16; i++)
		SAME(sums.durations[i] == 0);
}

static void decode(const uint8_t *stored, const struct chunk_header *header)
{
	bool summed = header->encoding == DATA_SUMMED;

	static _Alignas(8) uint8_t buffer[DATA_RECORD_MAX];
	static struct data_decoder decoder;
	struct raw_record *record = (void *)buffer;
	uint64_t t_min = UINT64_MAX, t_max = 0;
	const uint8_t *next = raw.records;

	memset(&sums, 0, sizeof(sums));
	open_chunk(&decoder, header, stored);
	for (uint32_t i = 0; i < raw.count; i++) {
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
		compare_sums();
	SAME(raw.count == 0 || (header->t_min == t_min && header->t_max == t_max));
}

/* What the compressor made, and the bits behind it, are what the reader takes. */
static void read_again(const uint8_t *words, const uint8_t *bits,
		       const struct encode_output *output)
{
	static void *memory;
	static struct deflater *deflater;
	struct chunk_header header = {.count = raw.count};
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
	structures_compare(&header, stored, describe);
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

	for (uint32_t at = 0; at < raw.size;) {
		const struct raw_record *record = (const void *)(raw.records + at);

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
	size_t work_size = (signatures_work_size(raw.size) + 15) & ~(size_t)15;
	void *work = aligned_alloc(16, work_size);
	uint8_t *records = malloc(raw.size + RECORDS_BEHIND);
	uint8_t *words = malloc(signatures_words_room(raw.size));
	uint8_t *bits = malloc(signatures_bits_room(raw.size));
	struct encode_input input = {.records = records,
				     .size = raw.size,
				     .count = raw.count,
				     .t_base = raw.t_base,
				     .unit = raw.unit,
				     .phase = raw.phase,
				     .self = raw.self,
				     .hints = raw.hints,
				     .hint_count = HINTS,
				     .function = function_of,
				     .site = site_of};

	SAME(work && words && bits && records);
	memcpy(records, raw.records, raw.size + RECORDS_BEHIND);
	memset(work, 0xa5, work_size);
	encode(&input, work, words, bits);
	input.summed = true;
	if (raw.count > 0)
		encode(&input, work, words, bits);
	free(work);
	free(records);
	free(words);
	free(bits);
}

/* ---- loops ---- */

#define LOOP_MAX 8u
#define LOOP_ROOM (512u << 10)

static struct {
	_Alignas(8) uint8_t records[LOOP_ROOM + DATA_RECORD_MAX];
	_Alignas(16) uint8_t memory[1u << 20];
	uint8_t words[1u << 20];
	struct loop loop;
	struct data_decoder decoder;
	uint64_t state;
	uint32_t period, block, size, count;
} again;

static uint64_t chance(uint64_t limit)
{
	again.state = again.state * 6364136223846793005u + 1442695040888963407u;
	return (again.state >> 33) % limit;
}

/* Those of the array behind the argument, and its sum. */
static void grow_elements(struct raw_record *record, unsigned argument, uint64_t more)
{
	uint64_t offset = record->args[argument];
	struct array_block *array = (void *)((uint8_t *)record + offset);

	if (offset <= BLOCK_UNREADABLE)
		return;
	for (uint32_t i = 0; i < array->stored; i += 2) {
		array->elements[i] = (int64_t)((uint64_t)array->elements[i] + more);
		if (array->stored == array->original)
			array->sum = (int64_t)((uint64_t)array->sum + more);
	}
	if (array->stored < array->original)
		array->sum = (int64_t)((uint64_t)array->sum + 3 * more);
}

/* The next so many bytes of records from `from` on, as they come the n-th time: numbers are larger by the same each time. */
static void put_iteration(const uint8_t *from, uint32_t n, uint64_t seed, uint64_t *now)
{
	again.state = seed;
	memcpy(again.records + again.size, from, again.block);
	for (uint32_t at = 0; at < again.block;) {
		struct raw_record *record = (void *)(again.records + again.size + at);
		struct encode_function function = function_of(NULL, record->function);
		uint64_t step = chance(3) ? 0 : chance(5000);

		if (function.result_class != CLASS_PAIR)
			record->result = (int64_t)((uint64_t)record->result + n * step);
		for (unsigned i = 0; i < record->arg_count; i++)
			if (function.arg_classes[i] == CLASS_INT && chance(2))
				record->args[i] += n * step;
			else if (function.arg_classes[i] == CLASS_PAIR)
				record->args[i] = pair_make((int32_t)((uint32_t)record->args[i] +
								      n * (uint32_t)step),
							    pair_id(record->args[i]));
			else if (function.arg_classes[i] == CLASS_ARRAY && chance(2))
				grow_elements(record, i, n * step);
		record->sequence = again.count++;
		at += record->size;
	}
	again.state ^= n * 0x9E3779B97F4A7C15u;
	for (uint32_t at = 0; at < again.block;) {
		struct raw_record *record = (void *)(again.records + again.size + at);
		uint64_t first = *now + chance(50);

		*now = record->tstart = first;
		*now += chance(100) == 0 ? chance(1u << 30) : chance(300);
		record->tend = *now;
		at += record->size;
	}
	again.size += again.block;
}

/* Calls of the block that are less deep than all before it began before those. */
static void nest(void)
{
	for (uint32_t begin = 0; begin < again.size; begin += again.block) {
		const struct raw_record *first = (const void *)(again.records + begin);
		uint16_t level = first->level;

		for (uint32_t at = first->size; at < again.block;) {
			struct raw_record *record = (void *)(again.records + begin + at);

			if (record->level < level)
				record->tstart = first->tstart;
			level = record->level < level ? record->level : level;
			at += record->size;
		}
	}
}

/* False: there are too few records, or they are too large. */
static bool make_loop(void)
{
	uint64_t now = 1000 + raw.phase;
	uint32_t most = (uint32_t)(2 + raw.self % 100);

	again.period = 1 + (uint32_t)(raw.self / 7 % LOOP_MAX);
	again.size = again.count = 0;
	again.block = loop_block_size(raw.records, raw.size, again.period);
	if (again.block == 0 || again.block > LOOP_ROOM / 8)
		return false;
	for (uint32_t n = 0; n < most && again.size + again.block <= LOOP_ROOM; n++)
		put_iteration(raw.records, n, raw.self, &now);
	nest();
	return true;
}

static void compare_looped(const struct raw_record *a, const struct raw_record *b)
{
	SAME(a->head == b->head && a->arg_count == b->arg_count && a->flags == b->flags);
	SAME(a->result == b->result && a->outcome == b->outcome && a->stack == b->stack);
	SAME((a->callsite & 3) == b->reserved1 && a->callsite >> 2 == b->callsite);
	SAME(memcmp(a->args, b->args, a->size - sizeof(*a)) == 0);
	SAME(b->tstart <= b->tend && b->tend >= sums.before);
	sums.before = b->tend;
	sums.durations[a->function] +=
		units_of(&again.loop.units, a->tend) - units_of(&again.loop.units, a->tstart);
	sums.durations[a->function] -=
		units_of(&again.loop.units, b->tend) - units_of(&again.loop.units, b->tstart);
}

/* The next `count` records, of all or of a window. */
static const uint8_t *compare_next(const uint8_t *next, uint32_t count)
{
	static _Alignas(8) uint8_t buffer[DATA_RECORD_MAX];

	for (uint32_t i = 0; i < count; i++) {
		const struct raw_record *sample = (const void *)next;

		SAME(data_next(&again.decoder, (void *)buffer) > 0);
		compare_looped(sample, (const void *)buffer);
		next += sample->size;
	}
	SAME(data_next(&again.decoder, (void *)buffer) == 0);
	return next;
}

/* Returns what comes behind the records. */
static const uint8_t *read_loop(const struct chunk_header *header, const uint8_t *next)
{
	struct looped *looped = &again.decoder.looped;
	uint64_t end;

	memset(&sums, 0, sizeof(sums));
	open_chunk(&again.decoder, header, again.words);
	compare_next(next, header->count);
	compare_sums();
	sums.before = 0;
	end = looped->end;
	for (uint32_t i = 0; i < looped->windows; i++) {
		struct looped_window window = looped_window(looped, i);

		looped->end = looped->start + window.span;
		SAME(looped_go(looped, i) == 0);
		next = compare_next(next, window.count);
		looped->start = looped->end;
	}
	SAME(looped->end == end);
	compare_sums();
	return next;
}

/* What is a loop may be refused if calls do not lie one in the other. */
static void loop_there_and_back(void)
{
	struct loop_input input = {.records = again.records,
				   .size = again.size,
				   .period = again.period,
				   .t_base = 900,
				   .units = units_make(raw.unit, raw.phase),
				   .function = function_of,
				   .site = site_of};
	struct bump bump = {again.memory, sizeof(again.memory)};
	struct chunk_header header = {.type = CHUNK_DATA};
	struct varints words = varints_in(again.words, sizeof(again.words) - DATA_BEHIND);
	struct loop_piece pieces[LOOP_PIECES];

	SAME(loop_memory(again.block, again.period) <= sizeof(again.memory));
	bump.left = loop_memory(again.block, again.period);
	if (loop_begin(&again.loop, bump, &input) ||
	    !loop_extend(&again.loop, again.records, again.size) ||
	    !loop_pieces(&again.loop, input.t_base, pieces) ||
	    !loop_write(&again.loop, pieces, &words))
		return;
	loop_describe(&again.loop, pieces, &header);
	header.body_size = header.plain_size = (uint32_t)(words.p - again.words);
	read_loop(&header, again.records);
}

/* ---- loops within loops ---- */

#define TURN_ROOM (64u << 10)
#define TURNS 6u

static struct {
	_Alignas(16) uint8_t learner[1u << 20];
	uint32_t run,
		rest; /* bytes of what comes several times in a turn, and of what comes once */
	uint32_t times;
} turns;

/* A call around all of the turn that begins at byte `begin`, if it has another one behind the first. */
static void put_around(uint32_t begin)
{
	const struct raw_record *first = (const void *)(again.records + begin);
	struct raw_record *record = (void *)(again.records + begin);

	for (uint32_t at = begin; at < again.size; at += record->size) {
		record = (void *)(again.records + at);
		record->level = 1;
	}
	record->level = 0;
	record->tstart = first->tstart;
}

static void put_turn(uint32_t n, uint64_t *now)
{
	uint32_t begin = again.size;

	again.block = turns.run;
	for (uint32_t i = 0; i < turns.times; i++)
		put_iteration(raw.records, n * (uint32_t)(raw.self % 3) + i, raw.self, now);
	again.block = turns.rest;
	put_iteration(raw.records + turns.run, n, raw.self, now);
	if (raw.self % 2)
		put_around(begin);
}

/* False: there are too few records, or they are too large. */
static bool make_turns(void)
{
	uint32_t run = 1 + (uint32_t)(raw.self / 5 % 3), rest = 1 + (uint32_t)(raw.self / 11 % 5);
	uint64_t now = 1000 + raw.phase;

	turns.times = 64 + (uint32_t)(raw.self % 9);
	turns.run = loop_block_size(raw.records, raw.size, run);
	turns.rest = loop_block_size(raw.records + turns.run, raw.size - turns.run, rest);
	again.size = again.count = 0;
	if (turns.run == 0 || turns.rest == 0 ||
	    TURNS * (turns.run * turns.times + turns.rest) > LOOP_ROOM)
		return false;
	for (uint32_t n = 0; n < TURNS; n++)
		put_turn(n, &now);
	return true;
}

/* Some at a time. False: no turn is found. */
static bool learn_turns(struct loop_learner *learner)
{
	uint32_t each = 1 + (uint32_t)(raw.self % 50), size;

	loop_learner_init(learner, TURN_ROOM);
	learner->function = function_of;
	loop_learner_begin(learner, 0, 0);
	for (uint32_t at = 0; at < again.size; at += size) {
		size = loop_block_size(again.records + at, again.size - at, each);
		size = size > 0 ? size : again.size - at;
		switch (loop_learn(learner, again.records + at, size)) {
		case LEARN_DONE:
			return true;
		case LEARN_NONE:
			return false;
		case LEARN_MORE:
			break;
		}
	}
	return false;
}

static const uint8_t *read_piece(const struct loop_piece *piece, const uint8_t *next)
{
	struct chunk_header header = {.type = CHUNK_DATA};
	struct varints words = varints_in(again.words, sizeof(again.words) - DATA_BEHIND);

	SAME(loop_write(&again.loop, piece, &words));
	loop_describe(&again.loop, piece, &header);
	header.body_size = header.plain_size = (uint32_t)(words.p - again.words);
	return read_loop(&header, next);
}

/* From where a turn begins on. */
static void turns_there_and_back(const struct loop_learner *learner)
{
	struct loop_input input = {.t_base = 900,
				   .units = units_make(raw.unit, raw.phase),
				   .function = function_of,
				   .site = site_of,
				   .turn = &learner->turn};
	struct bump bump = {again.memory, sizeof(again.memory)};
	uint64_t first = loop_learner_next(learner, learner->sequence, &input.turns);
	const uint8_t *next = again.records, *end;
	struct loop_piece pieces[LOOP_PIECES];
	uint32_t left = again.size;
	unsigned count;

	if (first >= again.count)
		return;
	for (; first > 0; first--) {
		const struct raw_record *record = (const void *)next;

		input.t_base = record->tend;
		left -= record->size;
		next += record->size;
	}
	bump.left = loop_memory(learner->turn.size, learner->turn.period);
	SAME(bump.left <= sizeof(again.memory));
	if (loop_begin_nested(&again.loop, bump, &input))
		return;
	left = loop_extend(&again.loop, next, left);
	end = next + left;
	count = loop_pieces(&again.loop, input.t_base, pieces);
	for (unsigned i = 0; i < count; i++)
		next = read_piece(&pieces[i], next);
	SAME(next == end);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes input = bytes_of(data, size);

	take_records(&input);
	there_and_back();
	there_and_back();
	if (make_loop())
		loop_there_and_back();
	if (make_turns() && learn_turns((void *)turns.learner))
		turns_there_and_back((void *)turns.learner);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	(void)seed;
	return LLVMFuzzerMutate(data, size, max);
}
