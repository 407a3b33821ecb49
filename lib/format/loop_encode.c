/* SPDX-License-Identifier: MIT */
/* loop_encode.c - see loop_encode.h */
#include "format/loop_encode.h"

#include <errno.h>

#define SPAN_MAX ((uint64_t)1 << 62) /* of time, so that no histogram has too large a sum */
#define FIRST_COMPARED 4u            /* word of a record after its times */
#define STEPS_EACH 4u                /* fields that grow, by record, of all together */

static const struct raw_record *record_at(const uint8_t *block, uint32_t at)
{
	return (const struct raw_record *)(block + at);
}

size_t loop_memory(uint32_t block_size, uint32_t period)
{
	uint32_t contexts = period < LOOP_CONTEXTS ? period : LOOP_CONTEXTS;
	size_t each = 4 * sizeof(uint32_t) + 2 * sizeof(uint16_t) + sizeof(uint64_t) +
		      sizeof(struct encode_site) + STEPS_EACH * sizeof(struct loop_step) +
		      2 * sizeof(struct loop_event) + 2 * sizeof(struct loop_time);

	return 2 * (size_t)block_size + period * each +
	       2 * (size_t)contexts * sizeof(struct histogram_counts) +
	       LOOP_CONTEXTS * sizeof(uint64_t) + 17 * BUMP_ALIGNMENT;
}

uint32_t loop_block_size(const uint8_t *records, uint32_t size, uint32_t count)
{
	uint32_t at = 0;

	for (; count > 0 && at < size; count--)
		at += record_at(records, at)->size;
	return count == 0 ? at : 0;
}

uint32_t loop_align(const uint8_t *records, uint32_t period)
{
	uint16_t least = UINT16_MAX, last = 0;
	uint32_t first = 0, at = 0;

	for (uint32_t i = 0; i < period; i++, at += record_at(records, at)->size) {
		last = record_at(records, at)->level;
		if (last < least) {
			least = last;
			first = i + 1;
		}
	}
	return last == least ? 0 : first;
}

/* ---- what comes again ---- */

static bool allocate(struct loop *loop, struct bump *bump)
{
	uint32_t period = loop->period;
	uint32_t contexts = period < LOOP_CONTEXTS ? period : LOOP_CONTEXTS;

	loop->first = bump_take(bump, loop->block_size, 1);
	loop->next = bump_take(bump, loop->block_size, 1);
	loop->room = bump_take(bump, 3 * (size_t)period, sizeof(*loop->room));
	loop->inside = bump_take(bump, period, sizeof(*loop->inside));
	loop->context = bump_take(bump, period, sizeof(*loop->context));
	loop->functions = bump_take(bump, period, sizeof(*loop->functions));
	loop->sites = bump_take(bump, period, sizeof(*loop->sites));
	loop->places = bump_take(bump, period, sizeof(*loop->places));
	loop->steps = bump_take(bump, STEPS_EACH * (size_t)period, sizeof(*loop->steps));
	loop->events = bump_take(bump, 2 * (size_t)period, sizeof(*loop->events));
	loop->times = bump_take(bump, 2 * (size_t)period, sizeof(*loop->times));
	loop->histograms = bump_take_zeros(bump, 2 * (size_t)contexts, sizeof(*loop->histograms));
	return loop->histograms;
}

/* How many records right before each one lie in it. */
static void find_inside(struct loop *loop, const uint8_t *records)
{
	uint32_t at = 0;
	uint32_t *first = loop->room, *offset = first + loop->period;

	for (uint32_t i = 0; i < loop->period; i++) {
		const struct raw_record *record = record_at(records, at);
		uint32_t k = i;

		while (k > 0 && record_at(records, offset[k - 1])->level > record->level &&
		       record_at(records, offset[k - 1])->tstart >= record->tstart)
			k = first[k - 1];
		first[i] = k;
		offset[i] = at;
		loop->inside[i] = i - k;
		at += record->size;
	}
}

static void set_times(struct loop *loop, const uint8_t *records)
{
	uint32_t *offset = loop->room, at = 0;

	for (uint32_t i = 0; i < loop->period; i++) {
		offset[i] = at;
		at += record_at(records, at)->size;
	}
	for (uint32_t i = 0; i < 2 * loop->period; i++) {
		const struct loop_event *event = &loop->events[i];

		loop->times[i].at =
			offset[event->record] + (event->end ? offsetof(struct raw_record, tend)
							    : offsetof(struct raw_record, tstart));
		loop->times[i].histogram =
			loop->context[event->record] + (event->end ? loop->context_count : 0);
	}
}

/* ---- contexts ---- */

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
	return hash ^ hash >> 32;
}

/*
 * What is the same of records whose times are of one kind: all but numbers, which may say where in a file it was, or how far. `about`: with regard to files, names and the like.
 */
static uint64_t hash_kind(const struct loop_input *input, const struct raw_record *record,
			  bool about)
{
	struct encode_function function = input->function(input->data, record->function);
	const uint64_t *words = (const uint64_t *)record;
	uint64_t hash = mix(record->tail >> 32, about ? record->head : record->head >> 32);

	hash = mix(mix(mix(hash, record->callsite), record->outcome), record->stack_word);
	if (!about)
		return hash;
	for (unsigned i = 0; i < record->arg_count; i++) {
		unsigned class = i < function.arg_count ? function.arg_classes[i] : 0u;

		if (class != CLASS_INT && class != CLASS_DOUBLE)
			hash = mix(hash, record->args[i]);
	}
	for (uint32_t i = sizeof(*record) / 8 + record->arg_count; i < record->size / 8; i++)
		hash = mix(hash, words[i]);
	return hash;
}

static int find_context(struct loop *loop, uint64_t *hashes, uint32_t most, uint64_t hash)
{
	for (uint32_t i = 0; i < loop->context_count; i++)
		if (hashes[i] == hash)
			return (int)i;
	if (loop->context_count == most)
		return -E2BIG;
	hashes[loop->context_count] = hash;
	return (int)loop->context_count++;
}

/* Contexts get their numbers in the order of the records. */
static void number_contexts(struct loop *loop)
{
	uint16_t numbers[LOOP_CONTEXTS];
	uint32_t count = 0;

	memset(numbers, 0xff, sizeof(numbers));
	for (uint32_t i = 0; i < loop->period; i++) {
		uint16_t *number = &numbers[loop->context[i]];

		if (*number == UINT16_MAX)
			*number = (uint16_t)count++;
		loop->context[i] = *number;
	}
}

/* From the last record back: what encloses a record is known when it is met. */
static int find_contexts(struct loop *loop, const struct loop_input *input, uint64_t *hashes,
			 bool about)
{
	uint32_t at = 0, *parent = loop->room, *offset = parent + loop->period;

	loop->context_count = 0;
	for (uint32_t i = 0; i < loop->period; i++) {
		offset[i] = at;
		parent[i] = LOOP_CONTEXTS;
		at += record_at(input->records, at)->size;
	}
	for (uint32_t i = loop->period; i-- > 0;) {
		uint64_t hash = hash_kind(input, record_at(input->records, offset[i]), about);
		int context = find_context(loop, hashes, about ? LOOP_KINDS : LOOP_CONTEXTS,
					   mix(hash, parent[i]));

		if (context < 0)
			return context;
		loop->context[i] = (uint16_t)context;
		/* those that are deeper inside get theirs when it is their turn */
		for (uint32_t k = i, end = i - loop->inside[i]; k > end;
		     k -= 1 + loop->inside[k - 1])
			parent[k - 1] = (uint32_t)context;
	}
	number_contexts(loop);
	return 0;
}

/* ---- steps ---- */

/* How the word may differ from one iteration to the next: 1 it is a number, 2 a PAIR, 0 it must not. */
static unsigned step_kind(const struct encode_function *function, uint32_t word, unsigned arg_count)
{
	uint32_t arg = word - sizeof(struct raw_record) / 8;
	unsigned class = 0;

	if (word == offsetof(struct raw_record, result) / 8)
		class = function->result_class;
	else if (word >= sizeof(struct raw_record) / 8 && arg < arg_count &&
		 arg < function->arg_count)
		class = function->arg_classes[arg];
	if (class == CLASS_PAIR)
		return 2;
	return class == CLASS_INT || class == CLASS_DOUBLE;
}

/* Both halves of a PAIR by themselves. */
static uint64_t pair_sum(uint64_t a, uint64_t b)
{
	return pair_make((int32_t)((uint32_t)a + (uint32_t)b), pair_id(a) + pair_id(b));
}

static int add_step(struct loop *loop, const struct loop_input *input, uint32_t record, uint32_t at,
		    uint32_t word)
{
	const uint64_t *from = (const uint64_t *)(input->records + at);
	const uint64_t *to = (const uint64_t *)(input->records + loop->block_size + at);
	const struct raw_record *raw = record_at(input->records, at);
	struct encode_function function = input->function(input->data, raw->function);
	unsigned kind = step_kind(&function, word, raw->arg_count);
	struct loop_step *step = &loop->steps[loop->step_count];

	if (kind == 0 || loop->step_count == STEPS_EACH * loop->period)
		return -ENOENT;
	step->at = at + word * 8;
	step->record = record;
	step->field =
		word < sizeof(*raw) / 8 ? LOOP_RESULT : (uint8_t)(1 + word - sizeof(*raw) / 8);
	step->pair = kind == 2;
	step->step = step->pair ? pair_make((int32_t)((uint32_t)to[word] - (uint32_t)from[word]),
					    pair_id(to[word]) - pair_id(from[word]))
				: to[word] - from[word];
	loop->step_count++;
	return 0;
}

/* From the first iteration to the second. */
static int find_steps(struct loop *loop, const struct loop_input *input)
{
	int error = 0;

	for (uint32_t i = 0, at = 0; i < loop->period && !error; i++) {
		const uint64_t *from = (const uint64_t *)(input->records + at);
		const uint64_t *to = (const uint64_t *)(input->records + loop->block_size + at);
		uint32_t words = record_at(input->records, at)->size / 8;

		if (from[0] != to[0] || from[1] >> 32 != to[1] >> 32)
			return -ENOENT;
		for (uint32_t word = FIRST_COMPARED; word < words && !error; word++)
			if (from[word] != to[word])
				error = add_step(loop, input, i, at, word);
		at += words * 8;
	}
	return error;
}

/* ---- lists ---- */

static uint32_t site_number(struct loop *loop, const struct loop_input *input, uint64_t address)
{
	for (uint32_t i = loop->site_count; i-- > 0;)
		if (loop->sites[i] == address)
			return i;
	loop->sites[loop->site_count] = address;
	loop->places[loop->site_count] = input->site(input->data, address);
	return loop->site_count++;
}

static void list_function(struct loop *loop, uint16_t id)
{
	for (uint32_t i = 0; i < loop->function_count; i++)
		if (loop->functions[i] == id)
			return;
	loop->functions[loop->function_count++] = id;
}

/* The block as it is to be written. */
static void make_first(struct loop *loop, const struct loop_input *input)
{
	memcpy(loop->first, loop->next, loop->block_size);
	for (uint32_t at = 0; at < loop->block_size; at += record_at(loop->first, at)->size) {
		struct raw_record *record = (struct raw_record *)(loop->first + at);

		loop->repeats |= record->repeat > 1;
		record->sequence = 0;
		record->tstart = record->tend = 0;
		record->callsite = site_number(loop, input, record->callsite);
		list_function(loop, record->function);
	}
}

int loop_begin(struct loop *loop, struct bump bump, const struct loop_input *input)
{
	uint32_t size = loop_block_size(input->records, input->size, input->period);
	uint64_t *hashes, first;
	int error;

	if (size == 0 || size > input->size / 2)
		return -ENOENT;
	*loop = (struct loop){.units = input->units, .period = input->period, .block_size = size};
	hashes = bump_take(&bump, LOOP_CONTEXTS, sizeof(*hashes));
	if (size > LOOP_MAX_BLOCK || !hashes || !allocate(loop, &bump))
		return -E2BIG;
	find_inside(loop, input->records);
	error = find_contexts(loop, input, hashes, true);
	if (error == -E2BIG)
		error = find_contexts(loop, input, hashes, false);
	if (!error && !loop_order(loop->inside, loop->period, loop->room, loop->events))
		error = -ENOENT;
	if (!error)
		error = find_steps(loop, input);
	if (error)
		return error;
	set_times(loop, input->records);
	memcpy(loop->next, input->records, size);
	make_first(loop, input);
	memcpy(&first, input->records + loop->times[0].at, sizeof(first));
	loop->start = loop->last = units_of(&loop->units, first);
	loop->last_ticks = first;
	return first < input->t_base ? -ENOENT : 0;
}

/* ---- as it goes on ---- */

/* Whether a record is as expected, but for its number and times. */
static bool is_expected(const uint64_t *expected, const uint64_t *record, uint32_t words)
{
	uint64_t different = (expected[0] ^ record[0]) | (expected[1] ^ record[1]) >> 32;

	for (uint32_t i = FIRST_COMPARED; i < words; i++)
		different |= expected[i] ^ record[i];
	return !different;
}

static uint64_t ticks_at(const uint8_t *iteration, const struct loop_time *time)
{
	return *(const uint64_t *)(const void *)(iteration + time->at);
}

static bool fits(const struct loop *loop, const uint8_t *iteration)
{
	uint64_t last = loop->last_ticks;

	for (uint32_t at = 0; at < loop->block_size;) {
		uint32_t size = record_at(loop->next, at)->size;

		if (!is_expected((const uint64_t *)(loop->next + at),
				 (const uint64_t *)(iteration + at), size / 8))
			return false;
		at += size;
	}
	for (uint32_t i = 0; i < 2 * loop->period; i++) {
		uint64_t ticks = ticks_at(iteration, &loop->times[i]);

		if (ticks < last)
			return false;
		last = ticks;
	}
	return units_of(&loop->units, last) - loop->start <= SPAN_MAX;
}

static void take(struct loop *loop, const uint8_t *iteration)
{
	for (uint32_t i = 0; i < 2 * loop->period; i++) {
		uint64_t now = units_of(&loop->units, ticks_at(iteration, &loop->times[i]));

		histogram_add(&loop->histograms[loop->times[i].histogram], now - loop->last);
		loop->last = now;
	}
	loop->last_ticks = ticks_at(iteration, &loop->times[2 * loop->period - 1]);
	for (uint32_t i = 0; i < loop->step_count; i++) {
		const struct loop_step *step = &loop->steps[i];
		uint64_t *value = (uint64_t *)(void *)(loop->next + step->at);

		*value = step->pair ? pair_sum(*value, step->step) : *value + step->step;
	}
	loop->iterations++;
}

uint32_t loop_extend(struct loop *loop, const uint8_t *records, uint32_t size)
{
	uint32_t taken = 0;

	while (size - taken >= loop->block_size) {
		if ((loop->iterations + 1) * loop->period > LOOP_MAX_RECORDS ||
		    !fits(loop, records + taken))
			break;
		take(loop, records + taken);
		taken += loop->block_size;
	}
	return taken;
}

/* ---- writing ---- */

static void put_lists(const struct loop *loop, struct varints *words)
{
	varints_put(words, loop->units.unit);
	varints_put(words, loop->units.phase);
	varints_put(words, loop->function_count);
	for (uint32_t i = 0; i < loop->function_count; i++)
		varints_put(words, loop->functions[i]);
	varints_put(words, loop->site_count);
	for (uint32_t i = 0; i < loop->site_count; i++) {
		varints_put(words, loop->places[i].module);
		varints_put(words, loop->places[i].offset);
	}
}

static void put_steps(const struct loop *loop, struct varints *words)
{
	uint32_t before = 0;

	varints_put(words, loop->step_count);
	for (uint32_t i = 0; i < loop->step_count; i++) {
		const struct loop_step *step = &loop->steps[i];

		varints_put(words, step->record - before);
		varints_put(words, step->field);
		before = step->record;
		if (!step->pair) {
			varints_put_signed(words, (int64_t)step->step);
			continue;
		}
		varints_put_signed(words, pair_value(step->step));
		varints_put_signed(words, (int32_t)pair_id(step->step));
	}
}

bool loop_write(const struct loop *loop, struct varints *words)
{
	uint64_t buckets = 0;

	put_lists(loop, words);
	varints_put(words, loop->iterations);
	varints_put(words, loop->period);
	varints_bytes(words, loop->first, loop->block_size);
	put_steps(loop, words);
	for (uint32_t i = 0; i < loop->period; i++) {
		varints_put(words, loop->inside[i]);
		varints_put(words, loop->context[i]);
	}
	varints_put(words, loop->context_count);
	for (uint32_t i = 0; i < 2 * loop->context_count; i++)
		buckets += histogram_put(&loop->histograms[i], words);
	return !words->full &&
	       buckets * loop_windows(loop->iterations, loop->block_size) <= LOOP_MAX_SHARES;
}

static uint64_t ticks_of(const struct loop *loop, uint64_t units)
{
	return units * loop->units.unit + loop->units.phase;
}

void loop_describe(const struct loop *loop, uint64_t t_base, struct chunk_header *header)
{
	header->encoding = DATA_LOOPED;
	header->count = (uint32_t)(loop->iterations * loop->period);
	header->flags |= loop->repeats ? CHUNK_REPEATS : 0;
	header->carried = 0;
	header->t_base = ticks_of(loop, units_of(&loop->units, t_base));
	header->t_min = ticks_of(loop, loop->start);
	header->t_max = ticks_of(loop, loop->last);
}

void loop_calls(const struct loop *loop, uint64_t iterations,
		void (*each)(uint16_t id, uint64_t calls))
{
	for (uint32_t at = 0; at < loop->block_size; at += record_at(loop->first, at)->size) {
		const struct raw_record *record = record_at(loop->first, at);

		each(record->function, record->repeat * iterations);
	}
}

#ifdef UNIT_TEST
#include "unittest.h"

#include "format/loop_decode.h"

#define LOOP_TEST_PERIOD 5u
#define LOOP_TEST_ITERATIONS 20000u
#define LOOP_TEST_UNIT 7u
#define LOOP_TEST_BASE 1000u

/* Each iteration: two calls within a third one, and two by themselves. */
struct loop_test_record {
	struct raw_record record;
	uint64_t args[3];
	uint32_t stored, original;
	char text[8];
};

static const uint8_t loop_test_classes[] = {CLASS_INT, CLASS_PAIR, CLASS_STRING};

static struct {
	struct loop_test_record records[LOOP_TEST_ITERATIONS * LOOP_TEST_PERIOD];
	_Alignas(16) uint8_t memory[1 << 17], decoder_memory[8 << 20];
	uint8_t words[1 << 16];
	struct loop loop;
	struct looped looped;
	struct chunk_header header;
	uint64_t state;
} loop_test;

static struct encode_function loop_test_function(void *data, uint16_t id)
{
	(void)data;
	(void)id;
	return (struct encode_function){.result_class = CLASS_INT,
					.arg_count = 3,
					.arg_classes = loop_test_classes};
}

static struct encode_site loop_test_site(void *data, uint64_t address)
{
	(void)data;
	return (struct encode_site){7, address};
}

static uint64_t loop_test_random(uint64_t limit)
{
	loop_test.state = loop_test.state * 6364136223846793005u + 1442695040888963407u;
	return (loop_test.state >> 33) % limit;
}

static void loop_test_put(uint32_t index, uint32_t function, uint16_t level, uint64_t start,
			  uint64_t end)
{
	loop_test.records[index] =
		(struct loop_test_record){.record = {.size = sizeof(struct loop_test_record),
						     .function = (uint16_t)(300 + function),
						     .level = level,
						     .sequence = index,
						     .arg_count = 3,
						     .tstart = start,
						     .tend = end,
						     .result = function,
						     .callsite = 100 * function,
						     .repeat = 1},
					  .args = {index * 4096,
						   pair_make(-3, function == 2 ? index : 9),
						   offsetof(struct loop_test_record, stored)},
					  .stored = 8,
					  .original = 8,
					  .text = "the same"};
}

static void loop_test_fill(void)
{
	uint64_t now = LOOP_TEST_BASE, start, inner;

	loop_test.state = 1;
	for (uint32_t i = 0; i < LOOP_TEST_ITERATIONS * LOOP_TEST_PERIOD;) {
		start = now += loop_test_random(loop_test_random(50) == 0 ? 100000 : 40);
		for (uint32_t k = 0; k < 2; k++) {
			inner = now += loop_test_random(30);
			now += loop_test_random(90);
			loop_test_put(i++, k, 2, inner, now);
		}
		now += loop_test_random(9);
		loop_test_put(i++, 2, 1, start, now);
		for (uint32_t k = 3; k < 5; k++) {
			inner = now += loop_test_random(1000);
			now += loop_test_random(10);
			loop_test_put(i++, 3, 1, inner, now);
		}
	}
}

static int loop_test_begin(uint32_t first)
{
	const uint8_t *records = (const uint8_t *)&loop_test.records[first];
	size_t size = sizeof(loop_test.records) - first * sizeof(loop_test.records[0]);
	struct loop_input input = {.records = records,
				   .size = (uint32_t)size,
				   .period = LOOP_TEST_PERIOD,
				   .t_base = LOOP_TEST_BASE,
				   .units = units_make(LOOP_TEST_UNIT, 3),
				   .function = loop_test_function,
				   .site = loop_test_site};
	struct bump bump = {loop_test.memory, sizeof(loop_test.memory)};

	bump.left =
		loop_memory(LOOP_TEST_PERIOD * sizeof(struct loop_test_record), LOOP_TEST_PERIOD);
	EXPECT(bump.left <= sizeof(loop_test.memory));
	return loop_begin(&loop_test.loop, bump, &input);
}

/* The size of the words. */
static size_t loop_test_write(uint32_t iterations)
{
	struct varints words = varints_in(loop_test.words, sizeof(loop_test.words));
	uint32_t size = iterations * LOOP_TEST_PERIOD * sizeof(struct loop_test_record);

	loop_test_fill();
	if (loop_test_begin(0) ||
	    loop_extend(&loop_test.loop, (const uint8_t *)loop_test.records, size) != size ||
	    !loop_write(&loop_test.loop, &words))
		return 0;
	loop_test.header = (struct chunk_header){.type = CHUNK_DATA};
	loop_describe(&loop_test.loop, LOOP_TEST_BASE, &loop_test.header);
	return (size_t)(words.p - loop_test.words);
}

static int loop_test_open(size_t size)
{
	static struct list_function functions[8];
	struct looped *looped = &loop_test.looped;
	int error = looped_open(looped, &loop_test.header, loop_test.words, size);

	if (error || looped->lists.function_count > 8 || lists_functions(&looped->lists, functions))
		return -EBADMSG;
	for (uint32_t i = 0; i < looped->lists.function_count; i++) {
		functions[i].arg_count = 3;
		functions[i].result_class = CLASS_INT;
		functions[i].classes = loop_test_classes;
	}
	return looped_begin(looped, functions, loop_test.decoder_memory,
			    sizeof(loop_test.decoder_memory));
}

static uint64_t loop_test_units(uint64_t ticks)
{
	return units_of(&loop_test.loop.units, ticks);
}

/* All but times is as it was; sums of durations by function are, too. */
static void loop_test_compare(uint32_t count)
{
	struct loop_test_record record;
	uint64_t sums[4] = {0}, last = 0, begin = 0;
	unsigned wrong = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct raw_record *was = &loop_test.records[i].record, *is = &record.record;
		uint64_t *sum = &sums[was->function - 300];

		REQUIRE(looped_next(&loop_test.looped, &record.record) == sizeof(record));
		wrong += is->function != was->function || is->level != was->level;
		wrong += is->result != was->result || is->callsite != was->callsite;
		wrong += memcmp(record.args, loop_test.records[i].args,
				sizeof(record) - sizeof(record.record)) != 0;
		wrong += is->reserved1 != 7 || is->tend < last || is->tstart > is->tend;
		/* the first one of each iteration lies in the third */
		begin = i % LOOP_TEST_PERIOD == 0 ? is->tstart : begin;
		wrong += i % LOOP_TEST_PERIOD == 2 ? is->tstart > begin : is->tstart < last;
		last = is->tend;
		*sum += loop_test_units(was->tend) - loop_test_units(was->tstart);
		*sum -= loop_test_units(is->tend) - loop_test_units(is->tstart);
	}
	EXPECT_EQ(wrong, 0);
	for (unsigned i = 0; i < 4; i++)
		EXPECT_EQ(sums[i], 0);
	EXPECT_EQ(loop_test_units(last), loop_test_units(loop_test.records[count - 1].record.tend));
	EXPECT_EQ(looped_next(&loop_test.looped, &record.record), 0);
}

TEST_CASE(loop_round_trip)
{
	static const uint32_t iterations[] = {1, 2, 5000, LOOP_TEST_ITERATIONS};

	for (unsigned i = 0; i < 4; i++) {
		size_t size = loop_test_write(iterations[i]);

		REQUIRE(size > 0);
		REQUIRE(loop_test_open(size) == 0);
		loop_test_compare(iterations[i] * LOOP_TEST_PERIOD);
	}
}

/* Windows one by one give what all give. */
TEST_CASE(loop_windows_are_the_whole)
{
	static struct loop_test_record all[LOOP_TEST_ITERATIONS * LOOP_TEST_PERIOD];
	struct looped *looped = &loop_test.looped;
	size_t size = loop_test_write(LOOP_TEST_ITERATIONS);
	struct loop_test_record record;
	uint64_t start;

	REQUIRE(size > 0 && loop_test_open(size) == 0);
	EXPECT(looped->windows > 1);
	for (uint32_t i = 0; i < loop_test.header.count; i++)
		REQUIRE(looped_next(looped, &all[i].record) > 0);
	start = looped->start;
	for (uint32_t w = 0, done = 0; w < looped->windows; w++) {
		struct looped_window window = looped_window(looped, w);

		EXPECT_EQ(window.first, done);
		looped->start = start;
		looped->end = start += window.span;
		REQUIRE(looped_go(looped, w) == 0);
		for (uint32_t i = 0; i < window.count; i++, done++) {
			REQUIRE(looped_next(looped, &record.record) > 0);
			EXPECT_MEM(&record, &all[done], sizeof(record));
		}
		EXPECT_EQ(looped_next(looped, &record.record), 0);
	}
}

TEST_CASE(loop_ends_where_it_changes)
{
	uint32_t whole = LOOP_TEST_PERIOD * sizeof(struct loop_test_record);
	const uint8_t *records = (const uint8_t *)loop_test.records;

	loop_test_fill();
	EXPECT_EQ(loop_align(records, LOOP_TEST_PERIOD), 0);
	EXPECT_EQ(loop_align((const uint8_t *)&loop_test.records[1], LOOP_TEST_PERIOD), 2);
	loop_test.records[7 * LOOP_TEST_PERIOD + 3].record.err = 5;
	REQUIRE(loop_test_begin(0) == 0);
	EXPECT_EQ(loop_extend(&loop_test.loop, records, 100 * whole), 7 * whole);
	EXPECT_EQ(loop_extend(&loop_test.loop, records + 7 * whole, 100 * whole), 0);
	loop_test.records[7 * LOOP_TEST_PERIOD + 3].record.err = 0;
	EXPECT_EQ(loop_extend(&loop_test.loop, records + 7 * whole, whole + 8), whole);
	/* times that are no times of calls that lie so */
	loop_test.records[8 * LOOP_TEST_PERIOD].record.tstart =
		loop_test.records[8 * LOOP_TEST_PERIOD + 2].record.tstart - 1;
	EXPECT_EQ(loop_extend(&loop_test.loop, records + 8 * whole, 100 * whole), 0);
	/* from the midst of an iteration it goes once, and what comes once is none */
	EXPECT_EQ(loop_test_begin(1), 0);
	EXPECT_EQ(loop_extend(&loop_test.loop, (const uint8_t *)&loop_test.records[1], 100 * whole),
		  whole);
	loop_test.records[0].text[3] = 'x';
	EXPECT_EQ(loop_test_begin(0), -ENOENT);
}

TEST_CASE(loop_damage_is_bounded)
{
	size_t size = loop_test_write(LOOP_TEST_ITERATIONS);

	REQUIRE(size > 0);
	for (size_t cut = 0; cut < size; cut += 1 + size / 300)
		EXPECT_EQ(loop_test_open(cut), -EBADMSG);
	for (size_t i = 0; i < size; i += 1 + size / 700) {
		loop_test.words[i] ^= (uint8_t)(1 << i % 8);
		if (loop_test_open(size) == 0)
			for (unsigned k = 0; k < 1000; k++)
				if (looped_next(&loop_test.looped, (void *)loop_test.memory) <= 0)
					break;
		loop_test.words[i] ^= (uint8_t)(1 << i % 8);
	}
}
#endif
