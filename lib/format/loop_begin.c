/* SPDX-License-Identifier: MIT */
/* loop_begin.c - see loop_begin.h */
#include "format/loop_begin.h"

#include <errno.h>

#include "format/loop_contexts.h"
#include "format/loop_steps.h"

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

/* What encloses all of a turn begins later than the record before it, but when is not known yet. */
static void set_start(struct loop *loop, const struct loop_input *input)
{
	loop->last_ticks =
		input->turn ? input->t_base : loop_ticks_at(input->records, loop->times[0].at);
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
		error = loop_set_steps(loop, input);
	if (error)
		return error;
	memcpy(loop->next, input->records, loop->block_size);
	if (input->turn)
		loop_grow(loop->next, loop->steps, loop->step_count, input->turns);
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
