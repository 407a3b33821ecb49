/* SPDX-License-Identifier: MIT */
/* loop_turn.c - see loop_turn.h */
#include "format/loop_turn.h"

#include "format/loop_steps.h"

static const struct raw_record *record_at(const uint8_t *block, uint32_t at)
{
	return (const struct raw_record *)(const void *)(block + at);
}

static const uint64_t *words_at(const uint8_t *block, uint32_t at)
{
	return (const uint64_t *)(const void *)(block + at);
}

/* What one record of the turn is, or the same in the turn after it. */
struct learn_pair {
	const struct learn_token *token, *other; /* the first turn's, the second one's */
	bool second;                             /* the block has that of the second one */
};

/* Steps of the record of a token at byte `at` of it, which is added to the block. False: it differs by more than numbers, or there are too many of them. */
static bool add_steps(struct loop_learner *learner, const struct learn_pair *pair, uint32_t at,
		      uint32_t record)
{
	struct loop_turn *turn = &learner->turn;
	const struct learn_token *token = pair->token;
	const uint64_t *from = words_at(learner->log, token->at + at);
	const uint64_t *to = words_at(learner->log, pair->other->at + at);
	const struct raw_record *raw = (const void *)from;
	struct encode_function function = learner->function(learner->data, raw->function);
	uint32_t words = raw->size / 8;

	if (from[0] != to[0] || from[1] >> 32 != to[1] >> 32)
		return false;
	for (uint32_t word = LOOP_FIRST_COMPARED; word < words; word++) {
		enum loop_word kind = loop_word(&function, raw, word);
		uint64_t within = 0,
			 step = loop_difference(from[word], to[word], kind == LOOP_PAIR);

		for (uint32_t i = 0; i < token->step_count; i++)
			if (learner->steps[token->step_at + i].at == at + 8 * word)
				within = learner->steps[token->step_at + i].step;
		if (!step && !within)
			continue;
		if (kind == LOOP_FIXED || turn->step_count == LEARN_STEPS)
			return false;
		learner->turn_steps[turn->step_count] =
			loop_step_of(&function, raw, record, turn->size, word, step);
		learner->turn_steps[turn->step_count++].within = within;
	}
	return true;
}

/* A part of the turn: the records of a token from byte `from` on, up to byte `end`. */
static bool add_part(struct loop_learner *learner, const struct learn_pair *pair, uint32_t from,
		     uint32_t end)
{
	const struct learn_token *token = pair->second ? pair->other : pair->token;
	struct loop_turn *turn = &learner->turn;
	struct loop_part *part = &learner->turn_parts[turn->part_count];

	if (from == end)
		return true;
	if (end - from > learner->room - turn->size || turn->part_count > LEARN_TOKENS)
		return false;
	*part = (struct loop_part){.first = turn->period, .at = turn->size, .times = token->times};
	for (uint32_t at = from; at < end;) {
		const struct raw_record *record = record_at(learner->log, token->at + at);

		if (!add_steps(learner, pair, at, turn->period))
			return false;
		memcpy(learner->block + turn->size, record, record->size);
		turn->size += record->size;
		turn->period++;
		at += record->size;
	}
	part->count = turn->period - part->first;
	part->size = turn->size - part->at;
	turn->part_count++;
	return true;
}

/* Where a turn begins: no call is under way there that is not all the time. */
struct learn_border {
	uint32_t token; /* of the turn */
	uint32_t at;    /* byte of it; 0: at its begin */
};

static uint16_t least_level(const struct loop_learner *learner, const struct learn_token *tokens,
			    uint32_t count)
{
	uint16_t least = UINT16_MAX;

	for (uint32_t i = 0; i < count; i++)
		for (uint32_t at = 0; at < tokens[i].size;) {
			const struct raw_record *record =
				record_at(learner->log, tokens[i].at + at);

			least = record->level < least ? record->level : least;
			at += record->size;
		}
	return least;
}

/* Right behind a record of the least level, of a run behind the last one. The last token is looked at first. */
static struct learn_border find_border(const struct loop_learner *learner,
				       const struct learn_token *tokens, uint32_t count)
{
	uint16_t least = least_level(learner, tokens, count);

	for (uint32_t k = 0; k < count; k++) {
		uint32_t i = (k + count - 1) % count;
		const struct learn_token *token = &tokens[i];
		uint32_t behind = 0;

		for (uint32_t at = 0; at < token->size;) {
			const struct raw_record *record = record_at(learner->log, token->at + at);

			at += record->size;
			if (record->level == least && (at == token->size || token->times == 1))
				behind = at;
		}
		if (behind == token->size)
			return (struct learn_border){(i + 1) % count, 0};
		if (behind > 0)
			return (struct learn_border){i, behind};
	}
	return (struct learn_border){0, 0};
}

static bool fill_turn(struct loop_learner *learner, const struct learn_token *tokens,
		      uint32_t count, struct learn_border border)
{
	bool fits = true;

	for (uint32_t k = 0; k <= count && fits; k++) {
		uint32_t i = (border.token + k) % count;
		struct learn_pair pair = {&tokens[i], &tokens[i + count],
					  border.token + k >= count};
		uint32_t from = k == 0 ? border.at : 0;
		uint32_t end = k == count ? border.at : tokens[i].size;

		fits = add_part(learner, &pair, from, end);
	}
	return fits;
}

/* Bytes and records of a turn, with how often its parts come. */
static bool turn_is_small(struct loop_turn *turn)
{
	uint64_t bytes = 0, records = 0;

	for (uint32_t i = 0; i < turn->part_count; i++) {
		bytes += (uint64_t)turn->parts[i].size * turn->parts[i].times;
		records += (uint64_t)turn->parts[i].count * turn->parts[i].times;
	}
	turn->records = (uint32_t)records;
	return records <= LOOP_MAX_TURN && bytes <= LOOP_MAX_TURN_BYTES;
}

static uint32_t records_before(const struct loop_learner *learner, const struct learn_token *token,
			       uint32_t end)
{
	uint32_t count = 0;

	for (uint32_t at = 0; at < end; count++)
		at += record_at(learner->log, token->at + at)->size;
	return count;
}

static bool make_turn(struct loop_learner *learner, uint32_t count)
{
	const struct learn_token *tokens = &learner->tokens[learner->token_count - 2 * count];
	struct learn_border border = find_border(learner, tokens, count);

	learner->turn = (struct loop_turn){.block = learner->block,
					   .parts = learner->turn_parts,
					   .steps = learner->turn_steps};
	learner->turn_first = tokens[border.token].first +
			      records_before(learner, &tokens[border.token], border.at);
	if (fill_turn(learner, tokens, count, border) && turn_is_small(&learner->turn) &&
	    learner->turn.records == tokens[count].first - tokens[0].first)
		return true;
	learner->turn.period = 0;
	return false;
}

/* Whether each of `count` tokens that end at `end` is as that `distance` before it. */
static bool are_alike(const struct learn_token *end, uint32_t count, uint32_t distance)
{
	const struct learn_token *token = end - count;

	while (token < end && token->shape == token[-(int)distance].shape)
		token++;
	return token == end;
}

/* Whether the tokens are fewer ones several times: what these were found for, and left. */
static bool are_turns(const struct learn_token *end, uint32_t count)
{
	for (uint32_t part = 1; part <= count / 2; part++)
		if (count % part == 0 && are_alike(end, count - part, part))
			return true;
	return false;
}

/* Whether the last tokens, `count` of them, are a turn that counts: it has enough records, or has come so often by now that it is not part of something longer. */
static bool is_enough(const struct loop_learner *learner, const struct learn_token *end,
		      uint32_t count)
{
	if (end[-(int)count].first - end[-(int)(2 * count)].first >= learner->least)
		return true;
	return learner->token_count >= LEARN_OFTEN * count &&
	       are_alike(end, (LEARN_OFTEN - 1) * count, count);
}

bool loop_find_turn(struct loop_learner *learner)
{
	const struct learn_token *end = &learner->tokens[learner->token_count];

	for (uint32_t count = 1; 2 * count <= learner->token_count; count++)
		if (are_alike(end, count, count) && is_enough(learner, end, count) &&
		    !are_turns(end, count) && make_turn(learner, count))
			return true;
	return false;
}
