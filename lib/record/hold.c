/* SPDX-License-Identifier: MIT */
/* hold.c - see hold.h */
#include "record/hold.h"

#include "format/loop_begin.h"
#include "record/config.h"
#include "record/hold_chunks.h"
#include "record/longloop.h"
#include "record/mainspan.h"
#include "record/overhead.h"
#include "record/ring.h"
#include "record/sys.h"
#include "record/wipe.h"
#include "record/workdir.h"

#define BLOCK_SHARE 3u   /* of a place: a block, as much for a tail, and the rest */
#define APPEND_AFTER 64u /* times config.flush */
#define APPEND_DOUBLINGS 20u
#define TURN_SHARE                                                                                 \
	4u /* of a place: a block of a loop with loops inside, of which there are two pieces */

bool hold_is_active(const struct thread *thread)
{
	return thread->hold && thread->hold->active;
}

static bool hold_is_nested(const struct thread *thread)
{
	return hold_is_active(thread) && thread->hold->loop.nested;
}

/* Bytes of the largest block. */
static uint32_t block_room(const struct thread *thread)
{
	return hold_place_size(thread) / BLOCK_SHARE;
}

uint32_t hold_longest(const struct thread *thread)
{
	bool segments = config.flight || config.rotate_size || config.rotate_time;

	return segments ? 0 : block_room(thread) / (uint32_t)sizeof(struct raw_record);
}

/* Whether `ticks` lie between the records of the ring: made-up times have to stay on their side of it. */
static bool is_within(const struct thread *thread, uint64_t ticks)
{
	return ticks > thread->ring->t_base && ticks < thread->last_end;
}

/* Whether the records of the ring may lose their times, and none are to be accounted for. */
static bool may_take(const struct thread *thread)
{
	return loss_pending(thread).records == 0 && workdir_last_change() < thread->ring->t_base &&
	       !is_within(thread, mainspan_first()) && !is_within(thread, mainspan_last());
}

/* With the place written, the ring needs only what follows. */
static void recycle(struct thread *thread, struct hold *hold)
{
	struct batch tail = hold_tail(thread, hold);
	bool begins = hold->first_sequence > thread->sequence_base;

	overhead_records((uint32_t)(tail.first_sequence -
				    (begins ? hold->first_sequence : thread->sequence_base)),
			 thread->last_end - thread->ring->t_base);
	thread->sequence_base = tail.first_sequence;
	ring_keep(thread, hold->taken, hold->loop.last_ticks);
	hold->taken = 0;
}

/* ---- going on ---- */

void hold_take(struct thread *thread)
{
	struct hold *hold = thread->hold;

	if (may_take(thread))
		hold->taken += loop_extend(&hold->loop, thread->data + hold->taken,
					   thread->head - hold->taken);
}

bool hold_go_on(struct thread *thread, const struct anchor *now)
{
	struct hold *hold = thread->hold;

	hold_take(thread);
	if (now->ticks >= hold->append_at) {
		thread->hold_appended += thread->hold_appended < APPEND_DOUBLINGS;
		return false;
	}
	if (thread_mode(thread) != THREAD_ACTIVE || !may_take(thread) ||
	    thread->head - hold->taken >= loop_next_size(&hold->loop) ||
	    !hold_place_write(thread, hold))
		return false;
	recycle(thread, hold);
	return true;
}

/* ---- beginning ---- */

/* Memory for a loop of such a block. Nothing that a forked child has. */
static struct hold *allocate(struct thread *thread, uint32_t block_size, uint32_t period)
{
	size_t size = sizeof(struct hold) + 16 + loop_memory(block_size, period);
	struct hold *hold = thread->hold;

	if (hold && hold->size >= size)
		return hold;
	if (hold)
		sys_munmap(hold, hold->size);
	thread->hold = hold = wipe_alloc_unforked(size);
	if (hold)
		hold->size = size;
	return hold;
}

static struct bump memory_of(struct hold *hold)
{
	size_t used = (sizeof(*hold) + 15) & ~(size_t)15;

	return (struct bump){(uint8_t *)hold + used, hold->size - used};
}

/* Byte of the ring behind the records of `before`. */
static uint32_t end_of(const struct thread *thread, const struct batch *before)
{
	return (uint32_t)(before->records - thread->data) + before->size;
}

static uint64_t end_time(const struct batch *before)
{
	uint64_t end = before->t_base;

	for (uint32_t at = 0; at < before->size;) {
		const struct raw_record *record = (const void *)(before->records + at);

		end = record->tend;
		at += record->size;
	}
	return end;
}

/* The loop with its first records, behind those of `before`. */
static bool begin_loop(struct thread *thread, const struct anchor *now, const struct batch *before,
		       uint32_t block, struct loop_input *input)
{
	uint32_t from = end_of(thread, before);
	uint32_t period = input->turn ? input->turn->period : input->period;
	uint64_t unit = batch_unit(now);
	struct hold *hold = allocate(thread, block, period);
	struct batch_classes classes;
	int error;

	if (!hold)
		return false;
	input->t_base = end_time(before);
	input->data = &classes;
	input->function = batch_function;
	input->site = batch_site;
	input->units =
		units_make(unit,
			   batch_phase(unit, ((const struct raw_record *)thread->data)->tstart));
	hold->first_sequence = before->first_sequence + before->count;
	hold->t_base = input->t_base;
	error = input->turn ? loop_begin_nested(&hold->loop, memory_of(hold), input)
			    : loop_begin(&hold->loop, memory_of(hold), input);
	if (error)
		return false;
	hold->taken = from + loop_extend(&hold->loop, thread->data + from, thread->head - from);
	return thread->head - hold->taken < loop_next_size(&hold->loop);
}

static bool begin_block(struct thread *thread, const struct anchor *now, const struct batch *before)
{
	uint32_t from = end_of(thread, before);
	struct loop_input input = {.records = thread->data + from,
				   .size = thread->head - from,
				   .period = thread->period};
	uint32_t block = loop_block_size(input.records, input.size, input.period);

	return block > 0 && block <= block_room(thread) && input.size / block >= LOOP_MIN_TIMES &&
	       begin_loop(thread, now, before, block, &input) &&
	       thread->hold->loop.at.iterations >= LOOP_MIN_TIMES;
}

static bool may_begin(const struct thread *thread)
{
	return thread_mode(thread) == THREAD_ACTIVE && may_take(thread) &&
	       !batch_on_alternate_stack();
}

bool hold_is_due(const struct thread *thread, const struct batch *batch)
{
	uint64_t sequence = batch->first_sequence, turns;
	const struct loop_turn *turn = longloop_next(thread, &sequence, &turns);

	/* a loop that is held may be all of it */
	if (!turn || (hold_is_active(thread) && thread->hold->loop.turn >= turn->records))
		return false;
	return sequence < batch->first_sequence + batch->count;
}

/* A long block may have loops inside, with which it is much less: that is to be tried first. */
static bool is_short(const struct thread *thread)
{
	return thread->period <= LEARN_LONGEST || !longloop_may_come(thread);
}

bool hold_find(struct thread *thread, const struct anchor *now, struct batch *before)
{
	uint32_t passed;

	if (before->records != thread->data || hold_is_due(thread, before))
		return false;
	if (thread->period == 0 || thread->period > hold_longest(thread) || !is_short(thread) ||
	    before->count / LOOP_MIN_TIMES < thread->period || !may_begin(thread))
		return false;
	passed = loop_align(thread->data, thread->period);
	before->size = loop_block_size(thread->data, thread->head, passed);
	before->count = passed;
	if (begin_block(thread, now, before))
		return true;
	thread->period = 0;
	return false;
}

/* ---- loops with loops inside ---- */

void hold_look(struct thread *thread)
{
	if (hold_longest(thread) > 0 && !hold_is_nested(thread))
		longloop_look(thread, hold_place_size(thread) / TURN_SHARE);
}

void hold_missed(struct thread *thread)
{
	if (hold_longest(thread) > 0)
		longloop_missed(thread);
}

/* The records of the batch before the one with this number. */
static void cut(struct batch *batch, uint64_t sequence)
{
	batch->count = (uint32_t)(sequence - batch->first_sequence);
	batch->size = loop_block_size(batch->records, batch->size, batch->count);
}

bool hold_find_turn(struct thread *thread, const struct anchor *now, struct batch *before)
{
	uint64_t sequence = before->first_sequence;
	struct loop_input input = {0};

	if (!hold_is_due(thread, before) || !may_begin(thread))
		return false;
	input.turn = longloop_next(thread, &sequence, &input.turns);
	cut(before, sequence);
	if (begin_loop(thread, now, before, input.turn->size, &input) &&
	    thread->hold->taken > end_of(thread, before))
		return true;
	longloop_ended(thread, 0, false);
	return false;
}

bool hold_start(struct thread *thread, const struct anchor *now)
{
	struct hold *hold = thread->hold;
	uint64_t wait = config.flush > INT64_MAX >> (APPEND_DOUBLINGS + 6)
				? (uint64_t)INT64_MAX
				: (config.flush * APPEND_AFTER) << thread->hold_appended;

	hold->append_at = now->ticks + batch_ticks((int64_t)wait, now);
	if (!hold_place_write(thread, hold)) {
		if (hold->loop.nested)
			longloop_ended(thread, 0, false);
		return false;
	}
	hold->active = true;
	recycle(thread, hold);
	if (hold->loop.nested)
		longloop_held(thread);
	return true;
}

/* ---- ending ---- */

void hold_end(struct thread *thread)
{
	struct hold *hold = thread->hold;
	bool goes_on = thread->head - hold->taken < loop_next_size(&hold->loop);

	hold_place_release(thread);
	hold->active = false;
	if (hold->loop.nested)
		longloop_ended(thread, hold->loop.records, goes_on);
}
