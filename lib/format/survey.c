/* SPDX-License-Identifier: MIT */
/* survey.c - see survey.h */
#include "format/survey.h"

#include <string.h>

#include "format/signature_match.h"

/* What goes from record to record. */
struct state {
	struct signature_context context;
	uint64_t before;       /* T(tend) */
	uint64_t before_start; /* ticks */
	uint64_t next_mark;    /* ticks; the greatest number: none */
	uint64_t run;          /* records predicted since one was not */
	unsigned level;
	/* those predicted since then, from `begin` on; closed: they come around */
	struct signature_context begin;
	struct survey_step *cycle; /* PREDICTOR_CYCLE */
	uint32_t length, at;
	bool closed;
};

static void begin_cycle(struct state *state)
{
	state->begin = state->context;
	state->length = state->at = 0;
	state->closed = false;
}

static bool has_come_around(const struct state *state)
{
	return state->context.one == state->begin.one && state->context.two == state->begin.two &&
	       state->context.three == state->begin.three;
}

static bool is_word(const struct signature_special *special, unsigned operation)
{
	return special->form == FORM_WORD && special->operation == operation;
}

static struct survey_step step_of(struct signature *signature)
{
	struct survey_step step = {signature, signature->number, signature->after, false, 0, 0,
				   false};
	const struct signature_special *special = signature->specials;
	unsigned left = signature->special_count;

	for (; left > 0 && is_word(special, FIELD_ADD); left--, special++)
		step.adds++;
	for (; left > 0 && is_word(special, FIELD_EQUAL); left--, special++)
		step.equals++;
	step.rich = left > 0 || signature->repeat == 0;
	return step;
}

static void close_cycle(struct state *state)
{
	state->closed = true;
	for (uint32_t i = 0; i < state->length; i++) {
		const struct survey_step *before = &state->cycle[(i > 0 ? i : state->length) - 1];

		state->cycle[i].outer = state->cycle[i].signature->level < before->signature->level;
	}
}

static void add_to_cycle(struct state *state, struct signature *signature)
{
	state->cycle[state->length++] = step_of(signature);
	if (has_come_around(state))
		close_cycle(state);
	else if (state->length == PREDICTOR_CYCLE)
		begin_cycle(state);
}

/* ---- one that has to be looked for ---- */

/* The number of the record's signature, which is not the `guess` of its place; negative: there are too many. What was predicted there before that is tried first. */
static int other_signature(struct survey *survey, uint32_t place, uint16_t guess,
			   const struct raw_record *record, bool after)
{
	uint16_t *earlier = &survey->earlier[place & survey->earlier_mask];
	int number = (int)*earlier - 1;

	if (number < 0 ||
	    !signature_match(survey->table, survey->table->list[number], record, after))
		number = signature_find(survey->table, record, after);
	*earlier = guess;
	return number;
}

static __attribute__((noinline)) int not_predicted(struct survey *survey, struct state *state,
						   uint32_t place, uint16_t *guess,
						   const struct raw_record *record, bool after)
{
	int number = other_signature(survey, place, *guess, record, after);

	if (number < 0)
		return number;
	survey->runs[survey->run_count] = state->run;
	survey->ids[survey->run_count++] = (uint64_t)number;
	*guess = (uint16_t)(number + 1);
	state->run = 0;
	return number;
}

/* Of the next record, which is matched. */
static int next_signature(struct survey *survey, struct state *state,
			  const struct raw_record *record, bool after)
{
	uint32_t place = predictor_place(state->context);
	uint16_t *guess = guess_at(survey->predicted, place);
	int number = *guess - 1;
	struct signature *signature = survey->table->list[number < 0 ? 0 : number];
	bool right = number >= 0 && signature_match(survey->table, signature, record, after);

	if (right)
		state->run++;
	else
		number = not_predicted(survey, state, place, guess, record, after);
	if (number < 0)
		return number;
	signature = survey->table->list[number];
	state->context = predictor_after(state->context, (uint32_t)number + 1);
	if (right && !survey->summed)
		add_to_cycle(state, signature);
	else
		begin_cycle(state);
	return number;
}

/* ---- times ---- */

/* A record that began not after the chunk. Summed times need it to be carried if it began before, also where both are in one time unit. */
static __attribute__((noinline)) int note_early(struct survey *survey,
						const struct raw_record *record, uint32_t index,
						uint64_t before)
{
	if (before == 0)
		return survey->summed && record->tstart < survey->t_base ? -ERANGE : 0;
	if (survey->carried_count == CHUNK_MAX_CARRIED)
		return -E2BIG;
	survey->carried[survey->carried_count++] = (struct survey_carried){index, before};
	return 0;
}

/* Whether a record begins its time with the end of the one before, as it may enclose it. */
static inline bool is_after(const struct survey *survey, const struct state *state,
			    const struct raw_record *record, uint64_t start)
{
	if (survey->summed)
		return record->level < state->level && record->tstart <= state->before_start;
	return record->level < state->level || start < state->before;
}

/* The marks that lie before the end of record `index`. */
static __attribute__((noinline)) void pass_marks(struct survey *survey, struct state *state,
						 uint64_t end, uint32_t index)
{
	while (survey->marks_met < survey->mark_count && survey->marks[survey->marks_met] < end)
		survey->met_at[survey->marks_met++] = index;
	state->next_mark = survey->marks_met < survey->mark_count ? survey->marks[survey->marks_met]
								  : UINT64_MAX;
}

static void keep_times(struct survey *survey, struct state *state, uint32_t i, bool after,
		       uint64_t start, uint64_t end)
{
	survey->idle[i] = survey->summed ? start : (after ? end : start) - state->before;
	survey->duration[i] = survey->summed ? end : end - start;
	survey->first = start < survey->first ? start : survey->first;
	state->before = end;
}

/* Any record. A tend never lies before the one of the record before, whatever the clock did: the writer sees to that. */
static int take_one(struct survey *survey, struct state *state, const struct raw_record *record,
		    uint32_t i)
{
	uint64_t start = units_of(&survey->units, record->tstart);
	uint64_t end = units_of(&survey->units, record->tend);
	bool after = is_after(survey, state, record, start);
	int number = next_signature(survey, state, record, after), error;

	if (number < 0)
		return number;
	if (signature_count(survey->table, survey->table->list[number], record))
		return -E2BIG;
	if (start <= survey->base) {
		error = note_early(survey, record, i, survey->base - start);
		if (error)
			return error;
	}
	if (record->tend > state->next_mark)
		pass_marks(survey, state, record->tend, i);
	survey->signature[i] = (uint16_t)number;
	keep_times(survey, state, i, after, start, end);
	state->before_start = record->tstart;
	state->level = record->level;
	return 0;
}

/* ---- those that come around ---- */

/* The step before the one that comes next, or before that one. */
static const struct survey_step *step_before(const struct state *state, uint32_t back)
{
	return &state->cycle[(state->at + 3 * state->length - back) % state->length];
}

/* The numbers of so many records that have the signatures of the cycle: once around, and then what is there is copied behind itself. */
static void number_cycle(const struct state *state, uint16_t *numbers, uint32_t count)
{
	uint32_t done = 0;

	for (; done < count && done < state->length; done++)
		numbers[done] = state->cycle[(state->at + done) % state->length].number;
	while (done < count) {
		uint32_t more = done < count - done ? done : count - done;

		memcpy(numbers + done, numbers, more * sizeof(*numbers));
		done += more;
	}
}

/* So many records had the signatures of the cycle. Those of rich ones were counted one by one. */
static void count_cycle(struct state *state, uint32_t records)
{
	uint32_t around = records / state->length, rest = records % state->length;

	for (uint32_t i = 0; i < state->length; i++) {
		const struct survey_step *step = &state->cycle[(state->at + i) % state->length];
		uint32_t count = around + (i < rest);

		if (!step->rich) {
			step->signature->count += count;
			step->signature->calls += (uint64_t)count * step->signature->repeat;
		}
	}
	state->at = (state->at + rest) % state->length;
	state->run += records;
	state->level = step_before(state, 1)->signature->level;
	state->context = (struct signature_context){step_before(state, 1)->number + 1u,
						    step_before(state, 2)->number + 1u,
						    step_before(state, 3)->number + 1u};
}

static inline uint64_t word_at(const struct raw_record *record, unsigned at)
{
	return *(const uint64_t *)((const uint8_t *)record + at);
}

/* Whether the fields that go on by steps do so; if so they are where the record has them. */
static inline bool go_on(const struct survey_step *step, const struct raw_record *record)
{
	const struct signature_special *specials = step->signature->specials, *special = specials;

	for (unsigned i = step->adds; i > 0; i--, special++)
		if (word_at(record, special->at) - special->chain->last != special->operand)
			return false;
	for (unsigned i = step->equals; i > 0; i--, special++)
		if (word_at(record, special->at) != (uint64_t)record->result)
			return false;
	for (unsigned i = step->adds; i > 0; i--, specials++)
		specials->chain->last += specials->operand;
	return true;
}

/* Whether the record is the one that the step expects; if so what it leaves open is stored. */
static inline __attribute__((always_inline)) bool is_step(struct signature_table *table,
							  const struct survey_step *step,
							  const struct raw_record *record)
{
	if (!signature_match_words(step->signature, record))
		return false;
	if (__builtin_expect(step->rich, 0))
		return signature_match_specials(table, step->signature, record) &&
		       !signature_count(table, step->signature, record);
	return go_on(step, record);
}

/* When the time of a record begins that its step expects, given when it starts and the end of the one before it; UINT64_MAX: it is another record. */
static inline __attribute__((always_inline)) uint64_t begin_of_step(struct survey *survey,
								    const struct survey_step *step,
								    uint64_t start, uint64_t end,
								    uint64_t before)
{
	if (!step->after)
		return start < before ? UINT64_MAX : start;
	if ((!step->outer && start >= before) || start <= survey->base)
		return UINT64_MAX;
	/* it may have begun before all others */
	survey->first = start < survey->first ? start : survey->first;
	return end;
}

/*
 * Records from the i-th on, not the first one, that have the signatures of the cycle, one after the other; how many. The first that has another, or needs more, is the next one.
 */
static uint32_t follow_cycle(struct survey *survey, struct state *state, const uint8_t **next,
			     uint32_t i)
{
	const struct units units = survey->units;
	const struct survey_step *step = &state->cycle[state->at],
				 *behind = state->cycle + state->length;
	const uint8_t *bytes = *next;
	uint64_t *idle = survey->idle + i, *duration = survey->duration + i;
	uint64_t before = state->before;
	uint32_t left = survey->count - i, count;

	for (; left > 0; left--) {
		const struct raw_record *record = (const void *)bytes;
		uint64_t start = units_of(&units, record->tstart);
		uint64_t end = units_of(&units, record->tend);
		uint64_t begin = begin_of_step(survey, step, start, end, before);

		if (begin == UINT64_MAX || !is_step(survey->table, step, record))
			break;
		*idle++ = begin - before;
		*duration++ = end - start;
		before = end;
		bytes += record->size;
		if (++step == behind)
			step = state->cycle;
	}
	count = survey->count - i - left;
	number_cycle(state, survey->signature + i, count);
	count_cycle(state, count);
	state->before = before;
	*next = bytes;
	return count;
}

static int take_all(struct survey *survey, struct state *state)
{
	const uint8_t *next = survey->records;

	for (uint32_t i = 0; i < survey->count; i++) {
		const struct raw_record *record;
		int error;

		if (state->closed) {
			i += follow_cycle(survey, state, &next, i);
			begin_cycle(state);
			if (i == survey->count)
				break;
		}
		record = (const void *)next;
		error = take_one(survey, state, record, i);
		if (error)
			return error;
		next += record->size;
	}
	return 0;
}

int survey_take(struct survey *survey)
{
	struct state state = {.before = survey->base,
			      .next_mark = UINT64_MAX,
			      .cycle = survey->cycle};
	int error;

	survey->run_count = survey->carried_count = survey->marks_met = 0;
	survey->first = UINT64_MAX;
	if (survey->mark_count > 0)
		state.next_mark = survey->marks[0];
	error = take_all(survey, &state);
	survey->runs[survey->run_count] = state.run;
	survey->last = state.before;
	return error;
}

#ifdef UNIT_TEST
#include "unittest.h"

/* As many places as there are records, near each other so that they collide, are told apart in both tables. */
TEST_CASE(guesses_of_few_records_are_those_of_many)
{
	static struct guesses few, many;
	uint32_t state = 7;

	for (unsigned round = 0; round < 20; round++) {
		guesses_begin(&few, GUESSES_FEW);
		guesses_begin(&many, GUESSES_FEW + 1);
		for (unsigned i = 0; i < GUESSES_FEW; i++) {
			uint32_t place = (state = state * 1664525 + 1013904223) >> 18;

			place = round % 2 ? place : (place & 3) << 12 | i % 60;
			EXPECT_EQ(*guess_at(&few, place), *guess_at(&many, place));
			*guess_at(&few, place) = *guess_at(&many, place) = (uint16_t)(i + 1);
		}
	}
}
#endif
