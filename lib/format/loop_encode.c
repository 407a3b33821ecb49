/* SPDX-License-Identifier: MIT */
/* loop_encode.c - see loop_encode.h */
#include "format/loop_encode.h"

#define SPAN_MAX ((uint64_t)1 << 62) /* of time, so that no histogram has too large a sum */

static const struct raw_record *record_at(const uint8_t *block, uint32_t at)
{
	return (const struct raw_record *)(block + at);
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
		ticks = loop_ticks_at(records, early->at);
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
		ticks = loop_ticks_at(records, time->at);
		if (ticks < last)
			return false;
		last = ticks;
	}
	return units_of(&loop->units, last) - loop->start <= SPAN_MAX;
}

static bool fits(const struct loop *loop, const struct loop_part *part, const uint8_t *records)
{
	const uint8_t *next = loop->next + part->at;

	for (uint32_t at = 0; at < part->size; at += record_at(next, at)->size)
		if (!loop_is_expected((const uint64_t *)(next + at),
				      (const uint64_t *)(records + at)))
			return false;
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
		now = units_of(&loop->units, loop_ticks_at(records, early->at));
		histogram_add(&loop->current[group->histogram], group->after - now);
		group->after = now;
		group->after_ticks = loop_ticks_at(records, early->at);
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
		ticks = loop_ticks_at(records, time->at);
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

#include <errno.h>

#include "format/loop_begin.h"
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
