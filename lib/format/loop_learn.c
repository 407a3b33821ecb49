/* SPDX-License-Identifier: MIT */
/* loop_learn.c - see loop_learn.h */
#include "format/loop_learn.h"

#include "format/loop_steps.h"
#include "format/loop_turn.h"

#define RUN_TIMES 4u
#define RUN_RECORDS 64u
#define ALIGNMENT 16u

static struct raw_record *record_at(uint8_t *block, uint32_t at)
{
	return (struct raw_record *)(void *)(block + at);
}

static const uint64_t *words_at(const uint8_t *block, uint32_t at)
{
	return (const uint64_t *)(const void *)(block + at);
}

static size_t aligned(size_t size)
{
	return (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

size_t loop_learner_size(uint32_t room)
{
	return aligned(sizeof(struct loop_learner)) + (LEARN_TURNS + 2) * aligned(room);
}

void loop_learner_init(struct loop_learner *learner, uint32_t room)
{
	uint8_t *memory = (uint8_t *)learner + aligned(sizeof(*learner));

	learner->room = room;
	learner->log_room = LEARN_TURNS * (uint32_t)aligned(room);
	learner->log = memory;
	learner->next = memory + learner->log_room;
	learner->block = learner->next + aligned(room);
}

/* ---- the row: records that are in no token yet ---- */

static void begin_row(struct loop_learner *learner)
{
	struct learn_row *row = &learner->row;

	row->at = learner->log_size;
	row->count = row->distance = row->matches = 0;
	row->offsets[0] = 0;
	memset(row->places, 0, sizeof(row->places));
}

void loop_learner_begin(struct loop_learner *learner, uint64_t sequence, uint64_t least)
{
	learner->least = least;
	learner->sequence = learner->begin = learner->row.first = sequence;
	learner->log_size = learner->token_count = learner->step_count = 0;
	learner->run.count = 0;
	learner->turn.period = 0;
	begin_row(learner);
}

/* How far before the last record its kind came, and for how many in a row it was as far. */
static void follow(struct learn_row *row)
{
	uint32_t last = row->count - 1;
	uint64_t kind = row->kinds[last];
	uint16_t *place = &row->places[kind % LEARN_PLACES];

	if (row->distance > 0 && row->kinds[last - row->distance] == kind) {
		row->matches++;
	} else {
		uint32_t before = *place;

		row->distance = 0;
		if (before > 0 && row->kinds[before - 1] == kind &&
		    last - (before - 1) <= LEARN_LONGEST)
			row->distance = last - (before - 1);
		row->matches = row->distance > 0;
	}
	*place = (uint16_t)(last + 1);
}

/* Equal of records that are the same but for their times, and for numbers. */
static uint64_t kind_of(const struct loop_learner *learner, const struct raw_record *record)
{
	struct encode_function function = learner->function(learner->data, record->function);
	const uint64_t *words = (const uint64_t *)record;
	uint64_t kind = loop_mix(words[1] >> 32, words[0]);

	for (uint32_t word = LOOP_FIRST_COMPARED; word < record->size / 8; word++)
		if (loop_word(&function, record, word) == LOOP_FIXED)
			kind = loop_mix(kind, words[word]);
	return kind;
}

/* False: there is no room. */
static bool add_to_row(struct loop_learner *learner, const struct raw_record *record)
{
	struct learn_row *row = &learner->row;

	if (row->count == LEARN_RECORDS || record->size > learner->log_room - learner->log_size)
		return false;
	memcpy(learner->log + learner->log_size, record, record->size);
	learner->log_size += record->size;
	row->kinds[row->count++] = kind_of(learner, record);
	row->offsets[row->count] = learner->log_size - row->at;
	follow(row);
	return true;
}

/* ---- tokens ---- */

static struct learn_token *add_token(struct loop_learner *learner, uint32_t at, uint32_t size,
				     uint32_t count, uint64_t first)
{
	struct learn_token *token = &learner->tokens[learner->token_count];

	if (learner->token_count == LEARN_TOKENS)
		return NULL;
	*token = (struct learn_token){.first = first,
				      .at = at,
				      .size = size,
				      .count = count,
				      .times = 1,
				      .step_at = learner->step_count};
	learner->token_count++;
	return token;
}

static uint64_t shape_of(const struct learn_row *row, uint32_t from, uint32_t count)
{
	uint64_t shape = count;

	for (uint32_t i = from; i < from + count; i++)
		shape = loop_mix(shape, row->kinds[i]);
	return shape;
}

/* ---- runs ---- */

static bool is_next(const struct loop_learner *learner, const struct raw_record *record)
{
	return loop_is_expected(words_at(learner->next, learner->run.at), (const uint64_t *)record);
}

static void grow(struct loop_learner *learner, const struct learn_token *token)
{
	loop_grow(learner->next, &learner->steps[token->step_at], token->step_count, 1);
}

/* What it is all but the times. */
static void take_next(struct loop_learner *learner, struct learn_token *token,
		      const struct raw_record *record)
{
	struct learn_run *run = &learner->run;
	struct raw_record *next = record_at(learner->next, run->at);

	next->tstart = record->tstart;
	next->tend = record->tend;
	run->at += record->size;
	if (++run->index < run->count)
		return;
	run->index = run->at = 0;
	token->times++;
	grow(learner, token);
}

/* Steps from one time to the next. False: they differ by more than numbers, or there are too many. */
static bool find_steps(struct loop_learner *learner, struct learn_token *token)
{
	for (uint32_t at = 0; at < token->size;) {
		const struct raw_record *from = record_at(learner->log, token->at + at);
		struct encode_function function = learner->function(learner->data, from->function);
		uint32_t used = token->step_at + token->step_count;
		int count = loop_record_steps(&function, from,
					      words_at(learner->log, token->at + token->size + at),
					      0, at, &learner->steps[used], LEARN_STEPS - used);

		if (count < 0)
			return false;
		token->step_count += (uint32_t)count;
		at += from->size;
	}
	return true;
}

/* Whether the rest of the row is what the run lets expect; it is taken if it is. */
static bool take_rest(struct loop_learner *learner, struct learn_token *token)
{
	struct learn_run *run = &learner->run;

	memcpy(learner->next, learner->log + token->at, token->size);
	*run = (struct learn_run){.count = token->count, .size = token->size};
	grow(learner, token);
	for (uint32_t at = token->at + token->size; at < learner->log_size;) {
		const struct raw_record *record = record_at(learner->log, at);

		if (!is_next(learner, record))
			return false;
		take_next(learner, token, record);
		at += record->size;
	}
	return true;
}

/* The last `count` records of the row come again every `period`. False: they do not, or there is no room. */
static bool begin_run(struct loop_learner *learner, uint32_t count, uint32_t period)
{
	struct learn_row *row = &learner->row;
	uint32_t first = row->count - count, at;
	struct learn_token run = {.count = period, .times = 1, .step_at = learner->step_count},
			   *token;

	first += loop_align(learner->log + row->at + row->offsets[first], period);
	at = row->at + row->offsets[first];
	run.at = at;
	run.size = row->offsets[first + period] - row->offsets[first];
	run.first = row->first + first;
	if (run.size > learner->room || !find_steps(learner, &run) || !take_rest(learner, &run)) {
		learner->run.count = 0;
		return false;
	}
	if (first > 0) {
		token = add_token(learner, row->at, at - row->at, first, row->first);
		if (token)
			token->shape = shape_of(row, 0, first);
	}
	token = add_token(learner, 0, 0, 0, 0);
	if (!token) {
		learner->run.count = 0;
		return false;
	}
	run.shape = shape_of(row, first, period);
	*token = run;
	learner->step_count += run.step_count;
	learner->log_size = at + run.size;
	return true;
}

static void end_run(struct loop_learner *learner)
{
	struct learn_token *token = &learner->tokens[learner->token_count - 1];

	token->shape = loop_mix(token->shape, token->times);
	for (uint32_t i = 0; i < token->step_count; i++)
		token->shape =
			loop_mix(loop_mix(token->shape, learner->steps[token->step_at + i].at),
				 learner->steps[token->step_at + i].step);
	learner->row.first = token->first + (uint64_t)token->times * token->count;
	begin_row(learner);
}

/* Records of a time that was not complete begin the next row. */
static bool leave_run(struct loop_learner *learner)
{
	uint32_t left = learner->run.at;
	bool fits = true;

	end_run(learner);
	learner->run.count = 0;
	for (uint32_t at = 0; at < left && fits;) {
		const struct raw_record *record = record_at(learner->next, at);

		fits = add_to_row(learner, record);
		at += record->size;
	}
	return fits;
}

/* ---- */

static uint32_t least_run(uint32_t period)
{
	uint32_t times = (RUN_RECORDS + period - 1) / period;

	return (times > RUN_TIMES ? times : RUN_TIMES) * period;
}

/* A record that belongs to no run. */
static enum learned take_single(struct loop_learner *learner, const struct raw_record *record)
{
	struct learn_row *row = &learner->row;
	uint32_t before = learner->token_count, count;
	bool found;

	if (!add_to_row(learner, record))
		return LEARN_NONE;
	count = row->distance > 0 ? least_run(row->distance) : 0;
	if (count == 0 || row->matches + row->distance < count || row->matches % row->distance != 0)
		return LEARN_MORE;
	if (!begin_run(learner, count, row->distance))
		return learner->token_count == LEARN_TOKENS ? LEARN_NONE : LEARN_MORE;
	/* the run itself is not complete */
	if (learner->token_count - before < 2)
		return LEARN_MORE;
	learner->token_count--;
	found = loop_find_turn(learner);
	learner->token_count++;
	return found ? LEARN_DONE : LEARN_MORE;
}

static enum learned take_record(struct loop_learner *learner, const struct raw_record *record)
{
	if (++learner->sequence - learner->begin > LEARN_ALL)
		return LEARN_NONE;
	if (learner->run.count > 0) {
		struct learn_token *token = &learner->tokens[learner->token_count - 1];

		if (is_next(learner, record)) {
			take_next(learner, token, record);
			return token->times * token->count < LEARN_RUN ? LEARN_MORE : LEARN_NONE;
		}
		if (!leave_run(learner))
			return LEARN_NONE;
		if (loop_find_turn(learner))
			return LEARN_DONE;
	}
	return take_single(learner, record);
}

enum learned loop_learn(struct loop_learner *learner, const uint8_t *records, uint32_t size)
{
	enum learned result = LEARN_MORE;

	for (uint32_t at = 0; at < size && result == LEARN_MORE;) {
		const struct raw_record *record = (const void *)(records + at);

		result = take_record(learner, record);
		at += record->size;
	}
	return result;
}

uint64_t loop_learner_next(const struct loop_learner *learner, uint64_t sequence, uint64_t *turns)
{
	uint32_t records = learner->turn.records;

	*turns = sequence > learner->turn_first
			 ? (sequence - learner->turn_first + records - 1) / records
			 : 0;
	return learner->turn_first + *turns * records;
}

#ifdef UNIT_TEST
#include "unittest.h"

#include "format/loop_begin.h"
#include "format/loop_decode.h"
#include "format/loop_write.h"

/* Each turn: a call around one that opens, 900 that write, one that closes, and 300 times a call around another one; behind it, one by itself. */
#define LEARN_TEST_TURN 1504u
#define LEARN_TEST_TURNS 9u
#define LEARN_TEST_RECORDS (LEARN_TEST_TURN * LEARN_TEST_TURNS)
#define LEARN_TEST_ROOM 8192u
#define LEARN_TEST_BASE 50u

struct learn_test_record {
	struct raw_record record;
	uint64_t args[2];
};

static const uint8_t learn_test_classes[] = {CLASS_INT, CLASS_PAIR};

static struct {
	struct learn_test_record records[LEARN_TEST_RECORDS];
	_Alignas(16) uint8_t learner[1 << 20], memory[1 << 20], decoder_memory[8 << 20];
	uint8_t words[1 << 16];
	struct loop loop;
	struct looped looped;
	uint64_t state, now;
	uint32_t count, pieces_around;
} learn_test;

static struct encode_function learn_test_function(void *data, uint16_t id)
{
	(void)data;
	(void)id;
	return (struct encode_function){.result_class = CLASS_INT,
					.arg_count = 2,
					.arg_classes = learn_test_classes};
}

static struct encode_site learn_test_site(void *data, uint64_t address)
{
	(void)data;
	return (struct encode_site){0, address};
}

static uint64_t learn_test_pause(void)
{
	learn_test.state = learn_test.state * 6364136223846793005u + 1442695040888963407u;
	return learn_test.now += (learn_test.state >> 33) % 90;
}

static void learn_test_put(uint16_t function, uint16_t level, uint64_t start, uint64_t value,
			   uint32_t id)
{
	learn_test.records[learn_test.count] =
		(struct learn_test_record){.record = {.size = sizeof(struct learn_test_record),
						      .function = function,
						      .level = level,
						      .sequence = learn_test.count,
						      .arg_count = 2,
						      .tstart = start,
						      .tend = learn_test_pause(),
						      .callsite = function,
						      .repeat = 1},
					   .args = {value, pair_make(3, id)}};
	learn_test.count++;
}

static void learn_test_turn(uint32_t turn)
{
	uint64_t outer = learn_test_pause(), start;

	learn_test_put(1, 1, learn_test_pause(), 0, turn);
	for (uint32_t i = 0; i < 900; i++)
		learn_test_put(2, 1, learn_test_pause(), 8 * i, turn);
	learn_test_put(3, 1, learn_test_pause(), turn, turn);
	for (uint32_t i = 0; i < 300; i++) {
		start = learn_test_pause();
		learn_test_put(4, 2, learn_test_pause(), 7, i);
		learn_test_put(5, 1, start, 300 * turn + i, 1);
	}
	learn_test_put(6, 0, outer, 1, 1);
	learn_test_put(7, 0, learn_test_pause(), 1, 1);
}

static void learn_test_fill(void)
{
	learn_test.count = 0;
	learn_test.state = 7;
	learn_test.now = LEARN_TEST_BASE;
	for (uint32_t i = 0; i < LEARN_TEST_TURNS; i++)
		learn_test_turn(i);
}

/* From record `first` on, so many at a time. How many it took to learn a turn of at least `least`; 0: it was not. */
static uint32_t learn_test_least(uint32_t first, uint32_t each, uint32_t least)
{
	struct loop_learner *learner = (void *)learn_test.learner;
	uint32_t at = first;

	loop_learner_init(learner, LEARN_TEST_ROOM);
	learner->function = learn_test_function;
	loop_learner_begin(learner, first, least);
	for (; at < LEARN_TEST_RECORDS; at += each) {
		uint32_t count = LEARN_TEST_RECORDS - at < each ? LEARN_TEST_RECORDS - at : each;

		if (loop_learn(learner, (const uint8_t *)&learn_test.records[at],
			       count * (uint32_t)sizeof(learn_test.records[0])) == LEARN_DONE)
			return (uint32_t)learner->sequence - first;
	}
	return 0;
}

static uint32_t learn_test_learn(uint32_t first, uint32_t each)
{
	return learn_test_least(first, each, 0);
}

TEST_CASE(learn_finds_turns)
{
	struct loop_learner *learner = (void *)learn_test.learner;
	uint64_t turns;

	REQUIRE(loop_learner_size(LEARN_TEST_ROOM) <= sizeof(learn_test.learner));
	learn_test_fill();
	for (uint32_t first = 0; first < LEARN_TEST_TURN + 100; first += 97) {
		uint32_t taken = learn_test_learn(first, 1 + first * 7);

		REQUIRE(taken > 0 && taken < 4 * LEARN_TEST_TURN);
		EXPECT_EQ(learner->turn.records, LEARN_TEST_TURN);
		/* it begins where nothing is under way */
		EXPECT(learner->turn_first % LEARN_TEST_TURN == 0 ||
		       learner->turn_first % LEARN_TEST_TURN == LEARN_TEST_TURN - 1);
		EXPECT_EQ((loop_learner_next(learner, 9000, &turns) - learner->turn_first) %
				  LEARN_TEST_TURN,
			  0);
	}
}

/* Every fourth turn is another one. What is found first is part of something longer, but not twice of it. */
TEST_CASE(learn_finds_longer_turns)
{
	const struct loop_learner *learner = (void *)learn_test.learner;

	learn_test_fill();
	for (uint32_t i = 0; i < LEARN_TEST_RECORDS; i += 4 * LEARN_TEST_TURN)
		learn_test.records[i].record.err = 5;
	REQUIRE(learn_test_learn(0, 1000) > 0);
	EXPECT_EQ(learner->turn.records, LEARN_TEST_TURN);
	REQUIRE(learn_test_least(0, 1000, LEARN_TEST_TURN + 1) > 0);
	EXPECT_EQ(learner->turn.records, 4 * LEARN_TEST_TURN);
	EXPECT_EQ(learn_test_least(0, 1000, 4 * LEARN_TEST_TURN + 1), 0);
}

TEST_CASE(learn_refuses_what_differs)
{
	learn_test_fill();
	for (uint32_t i = 0; i < LEARN_TEST_RECORDS; i += LEARN_TEST_TURN)
		learn_test.records[i].args[0] = i * i;
	/* the last ones of three have no step in common, but that is for others to see */
	EXPECT(learn_test_learn(0, 1000) > 0);
	for (uint32_t i = 0; i < LEARN_TEST_RECORDS; i += LEARN_TEST_TURN)
		learn_test.records[i].record.err = (int32_t)i;
	EXPECT_EQ(learn_test_learn(0, 1000), 0);
	/* nothing that comes again at all */
	learn_test_fill();
	for (uint32_t i = 0; i < LEARN_TEST_RECORDS; i++)
		learn_test.records[i].record.err = (int32_t)i;
	EXPECT_EQ(learn_test_learn(0, 1000), 0);
}

/* Decodes a piece; all but times must be as they were, from record *first on, which is set to that behind them. Adds durations. */
static void learn_test_read(const struct loop_piece *piece, uint32_t *first, uint64_t *sums)
{
	static struct list_function functions[8];
	struct looped *looped = &learn_test.looped;
	struct varints words = varints_in(learn_test.words, sizeof(learn_test.words));
	struct chunk_header header = {.type = CHUNK_DATA};
	struct learn_test_record record;

	REQUIRE(loop_write(&learn_test.loop, piece, &words));
	loop_describe(&learn_test.loop, piece, &header);
	REQUIRE(looped_open(looped, &header, learn_test.words,
			    (size_t)(words.p - learn_test.words)) == 0);
	REQUIRE(lists_functions(&looped->lists, functions) == 0);
	for (uint32_t i = 0; i < looped->lists.function_count; i++) {
		functions[i].arg_count = 2;
		functions[i].result_class = CLASS_INT;
		functions[i].classes = learn_test_classes;
	}
	REQUIRE(looped_begin(looped, functions, learn_test.decoder_memory,
			     sizeof(learn_test.decoder_memory)) == 0);
	for (uint32_t i = 0; i < header.count; i++) {
		const struct learn_test_record *was = &learn_test.records[*first + i];

		REQUIRE(looped_next(looped, &record.record) == sizeof(record));
		EXPECT_EQ(record.record.head, was->record.head);
		EXPECT_MEM(record.args, was->args, sizeof(record.args));
		sums[was->record.function] += was->record.tend - was->record.tstart;
		sums[was->record.function] -= record.record.tend - record.record.tstart;
	}
	EXPECT_EQ(looped_next(looped, &record.record), 0);
	*first += header.count;
}

/* A piece behind the begin of a call in flight lies inside of it, and what is before does not. */
static void learn_test_around(const struct loop_piece *piece, uint32_t first)
{
	uint64_t begin;

	while (learn_test.records[first].record.function != 6)
		first++;
	begin = learn_test.records[first].record.tstart;
	EXPECT(piece->t_base <= begin && begin <= piece->t_min);
	learn_test.pieces_around++;
}

/* From where the turn is known on, up to `records` later. */
static void learn_test_nested(uint32_t records)
{
	struct loop_learner *learner = (void *)learn_test.learner;
	struct loop_input input = {.units = units_make(1, 0),
				   .function = learn_test_function,
				   .site = learn_test_site,
				   .turn = &learner->turn};
	struct bump bump = {learn_test.memory, sizeof(learn_test.memory)};
	uint32_t begin = (uint32_t)loop_learner_next(learner, learner->sequence, &input.turns);
	uint32_t size = records * (uint32_t)sizeof(learn_test.records[0]), taken;
	uint64_t sums[8] = {0};
	struct loop_piece pieces[LOOP_PIECES];
	unsigned count;

	uint32_t first = begin;

	input.t_base = learn_test.records[begin - 1].record.tend;
	bump.left = loop_memory(learner->turn.size, learner->turn.period);
	REQUIRE(bump.left <= sizeof(learn_test.memory));
	REQUIRE(loop_begin_nested(&learn_test.loop, bump, &input) == 0);
	taken = loop_extend(&learn_test.loop, (const uint8_t *)&learn_test.records[begin], size);
	EXPECT(size - taken < loop_next_size(&learn_test.loop));
	taken /= (uint32_t)sizeof(learn_test.records[0]);
	count = loop_pieces(&learn_test.loop, input.t_base, pieces);
	for (unsigned i = 0; i < count; i++) {
		EXPECT_EQ(pieces[i].before, first - begin);
		if (pieces[i].group)
			learn_test_around(&pieces[i], first);
		learn_test_read(&pieces[i], &first, sums);
	}
	EXPECT_EQ(first, begin + taken);
	for (unsigned i = 0; i < 8; i++)
		EXPECT_EQ(sums[i], 0);
}

TEST_CASE(learn_goes_on)
{
	learn_test_fill();
	for (uint32_t first = 0; first < LEARN_TEST_TURN; first += 333) {
		REQUIRE(learn_test_learn(first, 500) > 0);
		for (uint32_t records = 2; records < 2 * LEARN_TEST_TURN + 9; records += 151)
			learn_test_nested(records);
		learn_test_nested(LEARN_TEST_TURN);
		learn_test_nested(2 * LEARN_TEST_TURN);
	}
	EXPECT(learn_test.pieces_around > 50);
}
#endif
