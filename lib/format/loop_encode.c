/* SPDX-License-Identifier: MIT */
/* loop_encode.c - see loop_encode.h */
#include "format/loop_encode.h"

#include <errno.h>

#include "format/loop_contexts.h"

#define SPAN_MAX ((uint64_t)1 << 62) /* of time, so that no histogram has too large a sum */

static const struct raw_record *record_at(const uint8_t *block, uint32_t at)
{
	return (const struct raw_record *)(block + at);
}

size_t loop_memory(uint32_t block_size, uint32_t period)
{
	uint32_t contexts = period < LOOP_CONTEXTS ? period : LOOP_CONTEXTS;
	size_t each = 4 * sizeof(uint32_t) + 2 * sizeof(uint16_t) + sizeof(uint64_t) +
		      sizeof(struct encode_site) + LOOP_STEPS_EACH * sizeof(struct loop_step) +
		      2 * sizeof(struct loop_event) + 2 * sizeof(struct loop_time) +
		      sizeof(struct loop_part) + sizeof(struct loop_early) +
		      sizeof(struct loop_group);

	return 2 * (size_t)block_size + period * each +
	       4 * (size_t)contexts * sizeof(struct histogram_counts) +
	       LOOP_CONTEXTS * sizeof(uint64_t) + 22 * BUMP_ALIGNMENT;
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
	loop->steps = bump_take(bump, LOOP_STEPS_EACH * (size_t)period, sizeof(*loop->steps));
	loop->events = bump_take(bump, 2 * (size_t)period, sizeof(*loop->events));
	loop->times = bump_take(bump, 2 * (size_t)period, sizeof(*loop->times));
	loop->parts = bump_take(bump, period, sizeof(*loop->parts));
	loop->earlies = bump_take(bump, period, sizeof(*loop->earlies));
	loop->groups = bump_take(bump, period, sizeof(*loop->groups));
	loop->whole = bump_take_zeros(bump, 2 * (size_t)contexts, sizeof(*loop->whole));
	loop->current = loop->whole;
	if (loop->nested)
		loop->current = bump_take_zeros(bump, 2 * (size_t)contexts, sizeof(*loop->current));
	return loop->whole && loop->current;
}

/* Where in its part the ticks of each event are. */
static void set_times(struct loop *loop, const uint8_t *records)
{
	const struct loop_part *part = loop->parts;
	uint32_t *offset = loop->room, at = 0;

	for (uint32_t i = 0; i < loop->period; i++) {
		part += i == part->first + part->count;
		offset[i] = at - part->at;
		at += record_at(records, at)->size;
	}
	for (uint32_t i = 0; i < 2 * loop->period; i++) {
		const struct loop_event *event = &loop->events[i];

		loop->times[i] = (struct loop_time){
			.at = offset[event->record] +
			      (event->end ? offsetof(struct raw_record, tend)
					  : offsetof(struct raw_record, tstart)),
			.histogram = (uint16_t)(loop->context[event->record] +
						(event->end ? loop->context_count : 0))};
	}
}

/* ---- calls around parts ---- */

static void add_early(struct loop *loop, uint32_t event)
{
	uint32_t i = loop->early_count++, record = loop->events[event].record;

	/* in the order of records */
	for (; i > 0 && loop->earlies[i - 1].record > record; i--)
		loop->earlies[i] = loop->earlies[i - 1];
	loop->earlies[i] = (struct loop_early){.record = record,
					       .at = loop->times[event].at,
					       .histogram = loop->times[event].histogram,
					       .group = loop->group_count};
	loop->times[event].group = LOOP_EARLY;
}

/* Groups that are open while a part comes. */
static uint32_t open_groups(const struct loop *loop, const struct loop_part *part)
{
	uint32_t open = 0, last = UINT32_MAX;

	for (uint32_t i = 0; i < loop->early_count; i++) {
		const struct loop_early *early = &loop->earlies[i];

		open += early->record >= part->first && early->group != last;
		last = early->group;
	}
	return open;
}

/* Begins of calls that come with a part, but are known when the call has ended. False: there are too many. */
static bool find_early(struct loop *loop)
{
	uint32_t event = 0, ended = 0;

	for (uint32_t i = 0; i < loop->part_count; i++) {
		const struct loop_part *part = &loop->parts[i];
		uint32_t begun = 0;

		for (; event < part->until; event++) {
			const struct loop_event *own = &loop->events[event];

			ended = own->end ? own->record + 1 : ended;
			if (own->record - part->first >= part->count) {
				if (loop->early_count == LOOP_EARLIES)
					return false;
				add_early(loop, event);
				begun++;
			} else if (begun > 0) {
				loop->groups[loop->group_count] =
					(struct loop_group){.size = begun, .first = ended};
				loop->times[event].group = (uint16_t)++loop->group_count;
				begun = 0;
			}
		}
		if (open_groups(loop, part) > LOOP_OPEN)
			return false;
	}
	return true;
}

/* ---- steps ---- */

enum loop_word loop_word(const struct encode_function *function, const struct raw_record *record,
			 uint32_t word)
{
	uint32_t first = sizeof(*record) / 8, arg = word - first;
	unsigned class = 0;

	if (word == offsetof(struct raw_record, result) / 8)
		class = function->result_class;
	else if (word >= first && arg < record->arg_count && arg < function->arg_count)
		class = function->arg_classes[arg];
	else if (word >= first + record->arg_count &&
		 loop_array_field_at(record, function->arg_classes, function->arg_count, 8 * word)
				 .at > 0)
		class = CLASS_INT;
	if (class == CLASS_PAIR)
		return LOOP_PAIR;
	return class == CLASS_INT || class == CLASS_DOUBLE ? LOOP_NUMBER : LOOP_FIXED;
}

struct loop_step loop_step_of(const struct encode_function *function,
			      const struct raw_record *record, uint32_t number, uint32_t at,
			      uint32_t word, uint64_t step)
{
	uint32_t first = sizeof(*record) / 8;
	struct loop_field field = {.number = word < first ? LOOP_RESULT : 1 + word - first};

	if (word >= first + record->arg_count)
		field = loop_array_field_at(record, function->arg_classes, function->arg_count,
					    8 * word);
	return (struct loop_step){.at = at + word * 8,
				  .record = number,
				  .field = field.number,
				  .implied = field.implied,
				  .pair = loop_word(function, record, word) == LOOP_PAIR,
				  .step = step};
}

uint64_t loop_difference(uint64_t from, uint64_t to, bool pair)
{
	if (!pair)
		return to - from;
	return pair_make((int32_t)((uint32_t)to - (uint32_t)from), pair_id(to) - pair_id(from));
}

static int add_step(struct loop *loop, const struct loop_input *input, uint32_t record, uint32_t at,
		    uint32_t word)
{
	const uint64_t *from = (const uint64_t *)(input->records + at);
	const uint64_t *to = (const uint64_t *)(input->records + loop->block_size + at);
	const struct raw_record *raw = record_at(input->records, at);
	struct encode_function function = input->function(input->data, raw->function);
	enum loop_word kind = loop_word(&function, raw, word);

	if (kind == LOOP_FIXED || loop->step_count == LOOP_STEPS_EACH * loop->period)
		return -ENOENT;
	loop->steps[loop->step_count++] =
		loop_step_of(&function, raw, record, at, word,
			     loop_difference(from[word], to[word], kind == LOOP_PAIR));
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
		for (uint32_t word = LOOP_FIRST_COMPARED; word < words && !error; word++)
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

/* ---- what is to come ---- */

static void set_parts(struct loop *loop, const struct loop_turn *turn)
{
	loop->part_count = turn ? turn->part_count : 1;
	if (turn)
		memcpy(loop->parts, turn->parts, turn->part_count * sizeof(*loop->parts));
	else
		loop->parts[0] = (struct loop_part){.count = loop->period,
						    .size = loop->block_size,
						    .times = 1};
}

static int set_steps(struct loop *loop, const struct loop_input *input)
{
	const struct loop_turn *turn = input->turn;

	if (!turn)
		return find_steps(loop, input);
	if (turn->step_count > LOOP_STEPS_EACH * loop->period)
		return -E2BIG;
	memcpy(loop->steps, turn->steps, turn->step_count * sizeof(*loop->steps));
	loop->step_count = turn->step_count;
	return 0;
}

/* Steps of each part, what they are from the last time in an iteration to the first of the next. */
static void divide_steps(struct loop *loop)
{
	uint32_t step = 0;

	for (uint32_t i = 0; i < loop->part_count; i++) {
		struct loop_part *part = &loop->parts[i];

		loop->turn += part->count * part->times;
		for (; step < loop->step_count && loop->steps[step].at < part->at + part->size;
		     step++) {
			struct loop_step *own = &loop->steps[step];

			own->back = loop_sum(own->step, own->within, 1 - (uint64_t)part->times,
					     own->pair);
		}
		part->steps_until = step;
	}
}

/* Fields behind the arguments of a record come in the order in which they lie there. */
static int check_steps(struct loop *loop, const uint8_t *records)
{
	const struct loop_step *before = NULL;
	uint32_t record = 0, at = 0;

	for (uint32_t i = 0; i < loop->step_count; i++) {
		const struct loop_step *step = &loop->steps[i];

		for (; record < step->record; record++)
			at += record_at(records, at)->size;
		loop->arrays |= step->field > record_at(records, at)->arg_count;
		if (before && before->record == step->record && before->field >= step->field)
			return -ENOENT;
		before = step;
	}
	return 0;
}

/* Values of the iteration that is to come first. */
static void go_forward(struct loop *loop, uint64_t turns)
{
	for (uint32_t i = 0; i < loop->step_count; i++) {
		const struct loop_step *step = &loop->steps[i];
		uint64_t *value = (uint64_t *)(void *)(loop->next + step->at);

		*value = loop_sum(*value, step->step, turns, step->pair);
	}
}

static uint64_t ticks_at(const uint8_t *block, uint32_t at)
{
	return *(const uint64_t *)(const void *)(block + at);
}

/* What encloses all of a turn begins later than the record before it, but when is not known yet. */
static void set_start(struct loop *loop, const struct loop_input *input)
{
	loop->last_ticks =
		input->turn ? input->t_base : ticks_at(input->records, loop->times[0].at);
	loop->start = loop->last = units_of(&loop->units, loop->last_ticks);
	loop->turn_start = loop->start;
}

/* How records lie in each other, and whose times are of one kind. */
static int find_structure(struct loop *loop, const struct loop_input *input, uint64_t *hashes)
{
	int error;

	loop_find_inside(loop, input->records);
	set_parts(loop, input->turn);
	error = loop_find_contexts(loop, input, hashes);
	if (error)
		return error;
	if (!loop_order(loop->inside, loop->period, loop->room, loop->events) ||
	    !loop_order_parts(loop->events, loop->parts, loop->part_count))
		return -ENOENT;
	set_times(loop, input->records);
	return find_early(loop) ? 0 : -E2BIG;
}

static int begin(struct loop *loop, struct bump bump, const struct loop_input *input)
{
	uint64_t *hashes = bump_take(&bump, LOOP_CONTEXTS, sizeof(*hashes));
	int error;

	if (loop->block_size > LOOP_MAX_BLOCK || !hashes || !allocate(loop, &bump))
		return -E2BIG;
	error = find_structure(loop, input, hashes);
	if (!error)
		error = set_steps(loop, input);
	if (!error)
		error = check_steps(loop, input->records);
	if (error)
		return error;
	divide_steps(loop);
	memcpy(loop->next, input->records, loop->block_size);
	if (input->turn)
		go_forward(loop, input->turns);
	make_first(loop, input);
	set_start(loop, input);
	return loop->last_ticks < input->t_base ? -ENOENT : 0;
}

int loop_begin(struct loop *loop, struct bump bump, const struct loop_input *input)
{
	uint32_t size = loop_block_size(input->records, input->size, input->period);

	if (size == 0 || size > input->size / 2)
		return -ENOENT;
	*loop = (struct loop){.units = input->units, .period = input->period, .block_size = size};
	return begin(loop, bump, input);
}

int loop_begin_nested(struct loop *loop, struct bump bump, const struct loop_input *input)
{
	const struct loop_turn *turn = input->turn;
	struct loop_input block = *input;

	*loop = (struct loop){.units = input->units,
			      .period = turn->period,
			      .block_size = turn->size,
			      .nested = true};
	block.records = turn->block;
	return begin(loop, bump, &block);
}

/* ---- as it goes on ---- */

/* Whether a record is as expected, but for its number and times. */
static bool is_expected(const uint64_t *expected, const uint64_t *record, uint32_t words)
{
	uint64_t different = (expected[0] ^ record[0]) | (expected[1] ^ record[1]) >> 32;

	for (uint32_t i = LOOP_FIRST_COMPARED; i < words; i++)
		different |= expected[i] ^ record[i];
	return !different;
}

/* The calls that end in the part, and began in one before, began where they must: what began last ends first. */
static bool begins_fit(const struct loop *loop, const struct loop_part *part,
		       const uint8_t *records)
{
	uint64_t least = UINT64_MAX;
	uint32_t group = UINT32_MAX;

	for (uint32_t i = 0; i < loop->early_count; i++) {
		const struct loop_early *early = &loop->earlies[i];
		const struct loop_group *of = &loop->groups[early->group];
		uint64_t ticks;

		if (early->record - part->first >= part->count)
			continue;
		ticks = ticks_at(records, early->at);
		least = early->group == group ? least : of->after_ticks;
		if (ticks > least || ticks < of->before_ticks)
			return false;
		least = ticks;
		group = early->group;
	}
	return true;
}

static bool times_fit(const struct loop *loop, const struct loop_part *part, const uint8_t *records)
{
	uint32_t from = loop_events_from(part, loop->at.part, loop->at.time);
	const struct loop_time *end = loop->times + part->until;
	uint64_t last = loop->last_ticks;

	for (const struct loop_time *time = loop->times + from; time < end; time++) {
		uint64_t ticks;

		if (time->group == LOOP_EARLY)
			continue;
		ticks = ticks_at(records, time->at);
		if (ticks < last)
			return false;
		last = ticks;
	}
	return units_of(&loop->units, last) - loop->start <= SPAN_MAX;
}

static bool fits(const struct loop *loop, const struct loop_part *part, const uint8_t *records)
{
	const uint8_t *next = loop->next + part->at;

	for (uint32_t at = 0; at < part->size;) {
		uint32_t size = record_at(next, at)->size;

		if (!is_expected((const uint64_t *)(next + at), (const uint64_t *)(records + at),
				 size / 8))
			return false;
		at += size;
	}
	return times_fit(loop, part, records) &&
	       (loop->early_count == 0 || part->times > 1 || begins_fit(loop, part, records));
}

/* Gaps before and behind calls that began with a part before are known now. */
static void take_begins(struct loop *loop, const struct loop_part *part, const uint8_t *records)
{
	for (uint32_t i = 0; i < loop->early_count; i++) {
		const struct loop_early *early = &loop->earlies[i];
		struct loop_group *group = &loop->groups[early->group];
		uint64_t now;

		if (early->record - part->first >= part->count)
			continue;
		now = units_of(&loop->units, ticks_at(records, early->at));
		histogram_add(&loop->current[group->histogram], group->after - now);
		group->after = now;
		group->after_ticks = ticks_at(records, early->at);
		group->histogram = early->histogram;
		if (--group->left == 0)
			histogram_add(&loop->current[group->histogram], now - group->before);
	}
}

/* The first event behind begins that are not known yet opens their group. False: they are known, as the part came before in this iteration. */
static bool open_group(struct loop *loop, const struct loop_time *time, uint64_t ticks,
		       uint64_t now)
{
	struct loop_group *group = &loop->groups[time->group - 1];

	if (loop->at.time > 0)
		return false;
	group->left = group->size;
	group->before = loop->last;
	group->after = now;
	group->before_ticks = loop->last_ticks;
	group->after_ticks = ticks;
	group->histogram = time->histogram;
	return true;
}

static void take_times(struct loop *loop, const struct loop_part *part, const uint8_t *records)
{
	uint32_t from = loop_events_from(part, loop->at.part, loop->at.time);
	const struct loop_time *end = loop->times + part->until;

	for (const struct loop_time *time = loop->times + from; time < end; time++) {
		uint64_t ticks, now;

		if (time->group == LOOP_EARLY)
			continue;
		ticks = ticks_at(records, time->at);
		now = units_of(&loop->units, ticks);
		if (time->group == 0 || !open_group(loop, time, ticks, now))
			histogram_add(&loop->current[time->histogram], now - loop->last);
		loop->last = now;
		loop->last_ticks = ticks;
	}
}

static void take_steps(struct loop *loop, const struct loop_part *part)
{
	bool last = loop->at.time + 1 == part->times;
	const struct loop_step *step = loop->steps + (loop->at.part > 0 ? part[-1].steps_until : 0);
	const struct loop_step *end = loop->steps + part->steps_until;

	for (; step < end; step++) {
		uint64_t *value = (uint64_t *)(void *)(loop->next + step->at);

		*value = loop_sum(*value, last ? step->back : step->within, 1, step->pair);
	}
}

static void end_turn(struct loop *loop)
{
	loop->at.part = 0;
	loop->at.iterations++;
	loop->turn_start = loop->last;
	if (!loop->nested)
		return;
	for (uint32_t i = 0; i < 2 * loop->context_count; i++)
		histogram_move(&loop->whole[i], &loop->current[i]);
}

static void take(struct loop *loop, const struct loop_part *part, const uint8_t *records)
{
	take_times(loop, part, records);
	if (loop->early_count > 0 && part->times == 1)
		take_begins(loop, part, records);
	take_steps(loop, part);
	loop->records += part->count;
	if (++loop->at.time == part->times) {
		loop->at.time = 0;
		loop->at.part++;
	}
	if (loop->at.part == loop->part_count)
		end_turn(loop);
}

uint32_t loop_next_size(const struct loop *loop)
{
	return loop->parts[loop->at.part].size;
}

uint32_t loop_extend(struct loop *loop, const uint8_t *records, uint32_t size)
{
	uint64_t most = LOOP_MAX_RECORDS - loop->turn;
	const struct loop_part *part = &loop->parts[loop->at.part];
	uint32_t taken = 0;

	while (size - taken >= part->size && loop->records <= most &&
	       fits(loop, part, records + taken)) {
		take(loop, part, records + taken);
		taken += part->size;
		part = &loop->parts[loop->at.part];
	}
	return taken;
}

#ifdef UNIT_TEST
#include "unittest.h"

#include "format/loop_decode.h"
#include "format/loop_write.h"

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

/* What of it is over, which is all. */
static struct loop_piece loop_test_piece(void)
{
	struct loop_piece pieces[LOOP_PIECES];

	EXPECT_EQ(loop_pieces(&loop_test.loop, LOOP_TEST_BASE, pieces), 1);
	return pieces[0];
}

/* The size of the words. */
static size_t loop_test_write(uint32_t iterations)
{
	struct varints words = varints_in(loop_test.words, sizeof(loop_test.words));
	uint32_t size = iterations * LOOP_TEST_PERIOD * sizeof(struct loop_test_record);
	struct loop_piece piece;

	loop_test_fill();
	if (loop_test_begin(0) ||
	    loop_extend(&loop_test.loop, (const uint8_t *)loop_test.records, size) != size)
		return 0;
	piece = loop_test_piece();
	if (!loop_write(&loop_test.loop, &piece, &words))
		return 0;
	loop_test.header = (struct chunk_header){.type = CHUNK_DATA};
	loop_describe(&loop_test.loop, &piece, &loop_test.header);
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
