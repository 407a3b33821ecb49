/* SPDX-License-Identifier: MIT */
/* loop_write.c - see loop_write.h */
#include "format/loop_write.h"

static const struct raw_record *record_at(const uint8_t *block, uint32_t at)
{
	return (const struct raw_record *)(block + at);
}

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

/* What of the loop a chunk has: its first parts, of an iteration that has so many bytes, so many times. */
struct extent {
	uint64_t iterations, turn_size;
	uint32_t part_count, period, block_size, step_count, context_count;
};

static struct extent extent_of(const struct loop *loop, enum loop_piece piece)
{
	struct extent extent = {.iterations = piece == LOOP_WHOLE ? loop->at.iterations : 1};

	for (uint32_t i = 0; i < loop->part_count; i++) {
		const struct loop_part *part = &loop->parts[i];
		uint32_t times = loop_times(loop, piece, &loop->at, i);

		if (times == 0)
			break;
		extent.part_count = i + 1;
		extent.period = part->first + part->count;
		extent.block_size = part->at + part->size;
		extent.turn_size += (uint64_t)part->size * times;
		extent.step_count = part[0].steps_until;
	}
	for (uint32_t i = 0; i < extent.period; i++)
		if (loop->context[i] >= extent.context_count)
			extent.context_count = loop->context[i] + 1u;
	return extent;
}

static void put_parts(const struct loop *loop, enum loop_piece piece, const struct extent *extent,
		      struct varints *words)
{
	if (!loop->nested) {
		varints_put(words, extent->period);
		return;
	}
	varints_put(words, extent->part_count);
	for (uint32_t i = 0; i < extent->part_count; i++) {
		varints_put(words, loop->parts[i].count);
		varints_put(words, loop_times(loop, piece, &loop->at, i));
	}
}

/* As it comes first in the piece. */
static void put_block(const struct loop *loop, enum loop_piece piece, const struct extent *extent,
		      struct varints *words)
{
	uint64_t iterations = piece == LOOP_WHOLE ? 0 : loop->at.iterations;
	uint8_t *block = words->p;

	varints_bytes(words, loop->first, extent->block_size);
	for (uint32_t i = 0; i < extent->step_count && !words->full && iterations > 0; i++) {
		const struct loop_step *step = &loop->steps[i];
		uint64_t value;

		memcpy(&value, block + step->at, sizeof(value));
		value = loop_sum(value, step->step, iterations, step->pair);
		memcpy(block + step->at, &value, sizeof(value));
	}
}

static void put_step(uint64_t step, bool pair, struct varints *words)
{
	if (!pair) {
		varints_put_signed(words, (int64_t)step);
		return;
	}
	varints_put_signed(words, pair_value(step));
	varints_put_signed(words, (int32_t)pair_id(step));
}

static void put_steps(const struct loop *loop, uint32_t count, struct varints *words)
{
	uint32_t before = 0;

	varints_put(words, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct loop_step *step = &loop->steps[i];

		varints_put(words, step->record - before);
		varints_put(words, step->field);
		before = step->record;
		if (loop->nested)
			put_step(step->within, step->pair, words);
		put_step(step->step, step->pair, words);
	}
}

/* Returns how many buckets they have. */
static uint64_t put_histograms(const struct loop *loop, enum loop_piece piece, uint32_t count,
			       struct varints *words)
{
	const struct histogram_counts *begins = piece == LOOP_WHOLE ? loop->whole : loop->current;
	const struct histogram_counts *ends = begins + loop->context_count;
	uint64_t buckets = 0;

	varints_put(words, count);
	for (uint32_t i = 0; i < count; i++)
		buckets += histogram_put(&begins[i], words);
	for (uint32_t i = 0; i < count; i++)
		buckets += histogram_put(&ends[i], words);
	return buckets;
}

/* Calls that have not ended are not in the chunk: what comes after their begins comes after what is before them, or does not any more. */
static void close_groups(const struct loop *loop, bool closed)
{
	for (uint32_t i = 0; i < loop->group_count; i++) {
		const struct loop_group *group = &loop->groups[i];
		uint64_t gap = group->after - group->before;

		if (group->left > 0 && closed)
			histogram_add(&loop->current[group->histogram], gap);
		else if (group->left > 0)
			histogram_take_back(&loop->current[group->histogram], gap);
	}
}

bool loop_write(const struct loop *loop, enum loop_piece piece, struct varints *words)
{
	struct extent extent = extent_of(loop, piece);
	uint64_t buckets;

	put_lists(loop, words);
	varints_put(words, extent.iterations);
	put_parts(loop, piece, &extent, words);
	put_block(loop, piece, &extent, words);
	put_steps(loop, extent.step_count, words);
	for (uint32_t i = 0; i < extent.period; i++) {
		varints_put(words, loop->inside[i]);
		varints_put(words, loop->context[i]);
	}
	if (piece == LOOP_UNDER_WAY)
		close_groups(loop, true);
	buckets = put_histograms(loop, piece, extent.context_count, words);
	if (piece == LOOP_UNDER_WAY)
		close_groups(loop, false);
	return !words->full && extent.turn_size <= LOOP_MAX_TURN_BYTES &&
	       buckets * loop_windows(extent.iterations, (uint32_t)extent.turn_size) <=
		       LOOP_MAX_SHARES;
}

static uint64_t ticks_of(const struct loop *loop, uint64_t units)
{
	return units * loop->units.unit + loop->units.phase;
}

void loop_describe(const struct loop *loop, enum loop_piece piece, uint64_t t_base,
		   struct chunk_header *header)
{
	bool first = piece == LOOP_WHOLE || loop->at.iterations == 0;
	uint64_t base = first ? units_of(&loop->units, t_base) : loop->turn_start;

	header->encoding = loop->nested ? DATA_NESTED : DATA_LOOPED;
	header->count = (uint32_t)loop_records(loop, piece);
	header->flags |= loop->repeats ? CHUNK_REPEATS : 0;
	header->carried = 0;
	header->t_base = ticks_of(loop, base);
	header->t_min = ticks_of(loop, first ? loop->start : loop->turn_start);
	header->t_max = ticks_of(loop, piece == LOOP_WHOLE ? loop->turn_start : loop->last);
}

void loop_calls(const struct loop *loop, enum loop_piece piece, const struct loop_position *at,
		void (*each)(uint16_t id, uint64_t calls))
{
	uint64_t iterations = piece == LOOP_WHOLE ? at->iterations : 1;

	for (uint32_t i = 0; i < loop->part_count; i++) {
		const struct loop_part *part = &loop->parts[i];
		uint64_t times = iterations * loop_times(loop, piece, at, i);

		for (uint32_t k = 0, byte = part->at; k < part->count; k++) {
			const struct raw_record *record = record_at(loop->first, byte);

			each(record->function, record->repeat * times);
			byte += record->size;
		}
	}
}
