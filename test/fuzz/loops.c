/* SPDX-License-Identifier: MIT */
/* loops.c - see loops.h */
#include "loops.h"

#include "drawn.h"
#include "format/loop_begin.h"
#include "format/loop_learn.h"
#include "format/loop_write.h"
#include "reread.h"
#include "same.h"

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
		struct encode_function function = drawn_function(NULL, record->function);
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
	uint64_t now = 1000 + drawn.phase;
	uint32_t most = (uint32_t)(2 + drawn.self % 100);

	again.period = 1 + (uint32_t)(drawn.self / 7 % LOOP_MAX);
	again.size = again.count = 0;
	again.block = loop_block_size(drawn.records, drawn.size, again.period);
	if (again.block == 0 || again.block > LOOP_ROOM / 8)
		return false;
	for (uint32_t n = 0; n < most && again.size + again.block <= LOOP_ROOM; n++)
		put_iteration(drawn.records, n, drawn.self, &now);
	nest();
	return true;
}

static uint64_t duration(const struct raw_record *record)
{
	return units_of(&again.loop.units, record->tend) -
	       units_of(&again.loop.units, record->tstart);
}

static void compare_looped(const struct raw_record *a, const struct raw_record *b)
{
	SAME(a->head == b->head && a->arg_count == b->arg_count && a->flags == b->flags);
	SAME(a->result == b->result && a->outcome == b->outcome && a->stack == b->stack);
	SAME((a->callsite & 3) == b->reserved1 && a->callsite >> 2 == b->callsite);
	SAME(memcmp(a->args, b->args, a->size - sizeof(*a)) == 0);
	reread_time(b, duration(a), duration(b));
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

	reread_times_begin();
	reread_open(&again.decoder, header, again.words);
	compare_next(next, header->count);
	reread_times_end();
	reread_times_begin();
	end = looped->end;
	for (uint32_t i = 0; i < looped->windows; i++) {
		struct looped_window window = looped_window(looped, i);

		looped->end = looped->start + window.span;
		SAME(looped_go(looped, i) == 0);
		next = compare_next(next, window.count);
		looped->start = looped->end;
	}
	SAME(looped->end == end);
	reread_times_end();
	return next;
}

/* What is a loop may be refused if calls do not lie one in the other. */
static void one_there_and_back(void)
{
	struct loop_input input = {.records = again.records,
				   .size = again.size,
				   .period = again.period,
				   .t_base = 900,
				   .units = units_make(drawn.unit, drawn.phase),
				   .function = drawn_function,
				   .site = drawn_site};
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
		put_iteration(drawn.records, n * (uint32_t)(drawn.self % 3) + i, drawn.self, now);
	again.block = turns.rest;
	put_iteration(drawn.records + turns.run, n, drawn.self, now);
	if (drawn.self % 2)
		put_around(begin);
}

/* False: there are too few records, or they are too large. */
static bool make_turns(void)
{
	uint32_t run = 1 + (uint32_t)(drawn.self / 5 % 3),
		 rest = 1 + (uint32_t)(drawn.self / 11 % 5);
	uint64_t now = 1000 + drawn.phase;

	turns.times = 64 + (uint32_t)(drawn.self % 9);
	turns.run = loop_block_size(drawn.records, drawn.size, run);
	turns.rest = loop_block_size(drawn.records + turns.run, drawn.size - turns.run, rest);
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
	uint32_t each = 1 + (uint32_t)(drawn.self % 50), size;

	loop_learner_init(learner, TURN_ROOM);
	learner->function = drawn_function;
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
				   .units = units_make(drawn.unit, drawn.phase),
				   .function = drawn_function,
				   .site = drawn_site,
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

void loops_there_and_back(void)
{
	if (make_loop())
		one_there_and_back();
	if (make_turns() && learn_turns((void *)turns.learner))
		turns_there_and_back((void *)turns.learner);
}
