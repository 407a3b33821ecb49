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

/* ---- pieces ---- */

/* How often a part comes in an iteration of the piece. */
static uint32_t times_of(const struct loop *loop, const struct loop_piece *piece, uint32_t part)
{
	if (!piece->under_way || part < piece->at.part)
		return loop->parts[part].times;
	return part == piece->at.part ? piece->at.time : 0;
}

/* Records of the part that are in the piece, from the first one on; none: *count is 0. */
static uint32_t overlap(const struct loop_part *part, const struct loop_piece *piece,
			uint32_t *count)
{
	uint32_t first = part->first > piece->first ? part->first : piece->first;
	uint32_t end = part->first + part->count;

	end = end < piece->end ? end : piece->end;
	*count = end > first ? end - first : 0;
	return first;
}

static uint64_t count_records(const struct loop *loop, const struct loop_piece *piece)
{
	uint64_t records = 0;
	uint32_t count;

	for (uint32_t i = 0; i < loop->part_count; i++) {
		overlap(&loop->parts[i], piece, &count);
		records += (uint64_t)count * times_of(loop, piece, i);
	}
	return records * piece->iterations;
}

/* Records of the block that have come in the iteration under way. */
static uint32_t come(const struct loop *loop)
{
	const struct loop_part *part = &loop->parts[loop->at.part];

	return part->first + (loop->at.time > 0 ? part->count : 0);
}

static struct loop_piece whole_of(const struct loop *loop, uint64_t t_base)
{
	return (struct loop_piece){.at = loop->at,
				   .iterations = loop->at.iterations,
				   .end = loop->period,
				   .t_base = t_base,
				   .t_min = loop->start,
				   .t_max = loop->turn_start};
}

static unsigned add_piece(const struct loop *loop, struct loop_piece *pieces, unsigned count,
			  struct loop_piece piece)
{
	piece.records = count_records(loop, &piece);
	if (piece.records == 0)
		return count;
	piece.before = count > 0 ? pieces[count - 1].before + pieces[count - 1].records : 0;
	pieces[count] = piece;
	return count + 1;
}

unsigned loop_pieces(const struct loop *loop, uint64_t ticks, struct loop_piece *pieces)
{
	uint64_t t_base = units_of(&loop->units, ticks);
	unsigned count = add_piece(loop, pieces, 0, whole_of(loop, t_base));
	struct loop_piece piece = {.at = loop->at,
				   .under_way = true,
				   .iterations = 1,
				   .t_base = count > 0 ? loop->turn_start : t_base,
				   .t_min = loop->turn_start};

	for (uint32_t i = 0; i < loop->group_count; i++) {
		const struct loop_group *group = &loop->groups[i];

		if (group->left == 0)
			continue;
		piece.end = group->first;
		piece.t_max = group->before;
		count = add_piece(loop, pieces, count, piece);
		piece.first = group->first;
		piece.t_base = group->before;
		piece.t_min = group->after;
		piece.group = group;
	}
	piece.end = come(loop);
	piece.t_max = loop->last;
	return add_piece(loop, pieces, count, piece);
}

/* ---- what of the loop a piece has ---- */

struct extent {
	uint64_t turn_size;
	uint32_t at, size;         /* bytes of the block */
	uint32_t part_count, part; /* how many, and the first one */
	uint32_t step, step_end;   /* of the loop, in order of records */
	uint32_t step_count;       /* that are written */
	uint32_t context_count;
	uint32_t *contexts; /* in the order in which they are met */
	uint32_t *numbers;  /* of those, theirs */
};

static uint32_t byte_of(const struct loop *loop, const struct loop_part *part, uint32_t record)
{
	return part->at + loop_block_size(loop->first + part->at, part->size, record - part->first);
}

static void extend(const struct loop *loop, const struct loop_piece *piece, uint32_t number,
		   struct extent *extent)
{
	const struct loop_part *part = &loop->parts[number];
	uint32_t count, first = overlap(part, piece, &count), at, end;

	if (count == 0)
		return;
	at = byte_of(loop, part, first);
	end = byte_of(loop, part, first + count);
	if (extent->part_count++ == 0) {
		extent->part = number;
		extent->at = at;
	}
	extent->size = end - extent->at;
	extent->turn_size += (uint64_t)(end - at) * times_of(loop, piece, number);
}

static void count_contexts(const struct loop *loop, const struct loop_piece *piece,
			   struct extent *extent)
{
	extent->contexts = loop->room; /* not on the stack, which may be that of a signal */
	extent->numbers = loop->room + loop->context_count;
	memset(extent->numbers, 0xff, loop->context_count * sizeof(*extent->numbers));
	for (uint32_t i = piece->first; i < piece->end; i++) {
		uint32_t context = loop->context[i];

		if (extent->numbers[context] != UINT32_MAX)
			continue;
		extent->contexts[extent->context_count] = context;
		extent->numbers[context] = extent->context_count++;
	}
}

static uint8_t encoding_of(const struct loop *loop)
{
	return loop->nested || loop->arrays ? DATA_NESTED : DATA_LOOPED;
}

static void find_extent(const struct loop *loop, const struct loop_piece *piece,
			struct extent *extent)
{
	*extent = (struct extent){0};
	for (uint32_t i = 0; i < loop->part_count; i++)
		extend(loop, piece, i, extent);
	while (extent->step < loop->step_count && loop->steps[extent->step].record < piece->first)
		extent->step++;
	extent->step_end = extent->step;
	while (extent->step_end < loop->step_count &&
	       loop->steps[extent->step_end].record < piece->end)
		extent->step_count += !loop->steps[extent->step_end++].implied;
	count_contexts(loop, piece, extent);
}

/* ---- words ---- */

static void put_parts(const struct loop *loop, const struct loop_piece *piece,
		      const struct extent *extent, struct varints *words)
{
	if (encoding_of(loop) == DATA_LOOPED) {
		varints_put(words, loop->period);
		return;
	}
	varints_put(words, extent->part_count);
	for (uint32_t i = extent->part; i < extent->part + extent->part_count; i++) {
		uint32_t count;

		overlap(&loop->parts[i], piece, &count);
		varints_put(words, count);
		varints_put(words, times_of(loop, piece, i));
	}
}

/* As it comes first in the piece. */
static void put_block(const struct loop *loop, const struct loop_piece *piece,
		      const struct extent *extent, struct varints *words)
{
	uint64_t passed = piece->under_way ? piece->at.iterations : 0;
	uint8_t *block = words->p;

	varints_bytes(words, loop->first + extent->at, extent->size);
	for (uint32_t i = extent->step; i < extent->step_end && !words->full && passed > 0; i++) {
		const struct loop_step *step = &loop->steps[i];
		uint8_t *at = block + (step->at - extent->at);
		uint64_t value;

		memcpy(&value, at, sizeof(value));
		value = loop_sum(value, step->step, passed, step->pair);
		memcpy(at, &value, sizeof(value));
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

static void put_steps(const struct loop *loop, const struct loop_piece *piece,
		      const struct extent *extent, struct varints *words)
{
	uint32_t before = piece->first;

	varints_put(words, extent->step_count);
	for (uint32_t i = extent->step; i < extent->step_end; i++) {
		const struct loop_step *step = &loop->steps[i];

		if (step->implied)
			continue;
		varints_put(words, step->record - before);
		varints_put(words, step->field);
		before = step->record;
		if (encoding_of(loop) == DATA_NESTED)
			put_step(step->within, step->pair, words);
		put_step(step->step, step->pair, words);
	}
}

/* Returns how many buckets they have. */
static uint64_t put_histograms(const struct loop *loop, const struct loop_piece *piece,
			       const struct extent *extent, struct varints *words)
{
	const struct histogram_counts *begins = piece->under_way ? loop->current : loop->whole;
	const struct histogram_counts *ends = begins + loop->context_count;
	uint64_t buckets = 0;

	varints_put(words, extent->context_count);
	for (uint32_t i = 0; i < extent->context_count; i++)
		buckets += histogram_put(&begins[extent->contexts[i]], words);
	for (uint32_t i = 0; i < extent->context_count; i++)
		buckets += histogram_put(&ends[extent->contexts[i]], words);
	return buckets;
}

bool loop_write(const struct loop *loop, const struct loop_piece *piece, struct varints *words)
{
	struct extent extent;
	uint64_t buckets;

	find_extent(loop, piece, &extent);
	put_lists(loop, words);
	varints_put(words, piece->iterations);
	put_parts(loop, piece, &extent, words);
	put_block(loop, piece, &extent, words);
	put_steps(loop, piece, &extent, words);
	for (uint32_t i = piece->first; i < piece->end; i++) {
		varints_put(words, loop->inside[i]);
		varints_put(words, extent.numbers[loop->context[i]]);
	}
	/* its first event is where it begins; the gap before that is not in the loop yet */
	if (piece->group)
		histogram_add(&loop->current[piece->group->histogram], 0);
	buckets = put_histograms(loop, piece, &extent, words);
	if (piece->group)
		histogram_take_back(&loop->current[piece->group->histogram], 0);
	return !words->full && extent.turn_size <= LOOP_MAX_TURN_BYTES &&
	       buckets * loop_windows(piece->iterations, (uint32_t)extent.turn_size) <=
		       LOOP_MAX_SHARES;
}

static uint64_t ticks_of(const struct loop *loop, uint64_t units)
{
	return units * loop->units.unit + loop->units.phase;
}

void loop_describe(const struct loop *loop, const struct loop_piece *piece,
		   struct chunk_header *header)
{
	header->encoding = encoding_of(loop);
	header->count = (uint32_t)piece->records;
	header->flags |= loop->repeats ? CHUNK_REPEATS : 0;
	header->carried = 0;
	header->t_base = ticks_of(loop, piece->t_base);
	header->t_min = ticks_of(loop, piece->t_min);
	header->t_max = ticks_of(loop, piece->t_max);
}

void loop_calls(const struct loop *loop, const struct loop_piece *piece,
		void (*each)(uint16_t id, uint64_t calls))
{
	for (uint32_t i = 0; i < loop->part_count; i++) {
		const struct loop_part *part = &loop->parts[i];
		uint64_t times = piece->iterations * times_of(loop, piece, i);
		uint32_t count, first = overlap(part, piece, &count);

		for (uint32_t at = count > 0 ? byte_of(loop, part, first) : 0; count > 0; count--) {
			const struct raw_record *record = record_at(loop->first, at);

			each(record->function, record->repeat * times);
			at += record->size;
		}
	}
}
