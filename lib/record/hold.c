/* SPDX-License-Identifier: MIT */
/* hold.c - see hold.h */
#include "record/hold.h"

#include <stddef.h>
#include <string.h>

#include "format/chunk.h"
#include "format/loop_begin.h"
#include "format/loop_write.h"
#include "record/config.h"
#include "record/longloop.h"
#include "record/mainspan.h"
#include "record/overhead.h"
#include "record/ring.h"
#include "record/sys.h"
#include "record/testpoint.h"
#include "record/wipe.h"
#include "record/workdir.h"

#define BLOCK_SHARE 3u   /* of a place: a block, as much for a tail, and the rest */
#define APPEND_AFTER 64u /* times config.flush */
#define APPEND_DOUBLINGS 20u
#define MORE_ROOM (256u << 10)
#define TURN_SHARE                                                                                 \
	4u /* of a place: a block of a loop with loops inside, of which there are two pieces */

/* Lies at the begin of memory of its own, with the loop's behind it. */
struct hold {
	size_t size; /* of the memory */
	struct loop loop;
	uint64_t first_sequence, t_base;       /* of the chunk */
	struct loop_piece placed[LOOP_PIECES]; /* what the place has of it */
	unsigned placed_count;
	/* room, which the stack may not have: that of a signal */
	struct loop_piece pieces[LOOP_PIECES];
	struct hold_chunk chunks[LOOP_PIECES];
	uint64_t number;    /* of the place that was written last */
	uint64_t append_at; /* ticks */
	uint32_t taken;     /* bytes of the ring that the loop has, though no place does */
	bool active;
};

bool hold_is_active(const struct thread *thread)
{
	return thread->hold && thread->hold->active;
}

static bool hold_is_nested(const struct thread *thread)
{
	return hold_is_active(thread) && thread->hold->loop.nested;
}

static uint32_t place_size(const struct thread *thread)
{
	uint32_t size;

	return ring_held(thread, &size) ? size / 2 : 0;
}

/* Bytes of the largest block. */
static uint32_t block_room(const struct thread *thread)
{
	return place_size(thread) / BLOCK_SHARE;
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

/* ---- places ---- */

static uint8_t *place_of(const struct thread *thread, uint64_t number)
{
	uint32_t size;
	uint8_t *area = ring_held(thread, &size);

	return area + (number & 1) * (size / 2);
}

static struct chunk_header describe(const struct thread *thread, const struct hold *hold,
				    const struct loop_piece *piece, size_t size)
{
	struct chunk_header chunk = {.type = CHUNK_DATA,
				     .thread = thread->index,
				     .first_sequence = hold->first_sequence + piece->before,
				     .anchor = clock_anchor()};

	loop_describe(&hold->loop, piece, &chunk);
	chunk.body_size = chunk.plain_size = (uint32_t)size;
	return chunk;
}

static void put_chunk(struct packer *packer, struct chunk_header *chunk, const void *body)
{
	chunk_header_seal(chunk, body);
	pack_bytes(packer, chunk, sizeof(*chunk));
	if (packer->p != body)
		pack_bytes(packer, body, chunk->body_size);
	else
		packer->p += chunk->body_size;
}

static struct batch tail_of(const struct thread *thread, const struct hold *hold)
{
	uint32_t count =
		(uint32_t)(hold->first_sequence - thread->sequence_base + hold->loop.records);

	return batch_from(thread, hold->taken, count, hold->loop.last_ticks);
}

static bool has_repeats(const struct batch *batch)
{
	bool found = false;

	for (uint32_t at = 0; at < batch->size && !found;) {
		const struct raw_record *record = (const void *)(batch->records + at);

		found = record->repeat > 1;
		at += record->size;
	}
	return found;
}

static void put_tail(struct packer *packer, uint32_t thread, const struct batch *tail,
		     const struct anchor *anchor)
{
	struct chunk_header chunk = {.type = CHUNK_DATA,
				     .flags = has_repeats(tail) ? CHUNK_REPEATS : 0,
				     .thread = thread,
				     .count = tail->count,
				     .first_sequence = tail->first_sequence,
				     .anchor = *anchor};

	batch_describe_raw(tail, &chunk);
	put_chunk(packer, &chunk, tail->records);
}

/* False: there is no room. */
static bool put_piece(struct packer *packer, const struct thread *thread, const struct hold *hold,
		      const struct loop_piece *piece)
{
	uint8_t *body = packer->p + sizeof(struct chunk_header);
	struct varints words;
	struct chunk_header chunk;

	if (packer->end - packer->p < (ptrdiff_t)sizeof(chunk))
		return false;
	words = varints_in(body, (size_t)(packer->end - body));
	if (!loop_write(&hold->loop, piece, &words))
		return false;
	chunk = describe(thread, hold, piece, (size_t)(words.p - body));
	put_chunk(packer, &chunk, body);
	return true;
}

/* Loop and tail as they are now. False: they are too large for a place. */
static bool write_place(const struct thread *thread, struct hold *hold)
{
	struct batch tail = tail_of(thread, hold);
	uint8_t *at = place_of(thread, hold->number + 1);
	struct held_place place = {.magic = HELD_MAGIC, .number = hold->number + 1};
	struct packer packer = packer_of(at + sizeof(place), place_size(thread) - sizeof(place));
	struct anchor now = clock_anchor();
	unsigned count;

	memset(at, 0, sizeof(place));
	compiler_barrier();
	count = loop_pieces(&hold->loop, hold->t_base, hold->pieces);
	for (unsigned i = 0; i < count; i++)
		if (!put_piece(&packer, thread, hold, &hold->pieces[i]))
			return false;
	if (tail.count > 0)
		put_tail(&packer, thread->index, &tail, &now);
	if (packer.overflow)
		return false;
	place.size = (uint32_t)(packer.p - at - sizeof(place));
	place.crc = format_crc(&place, offsetof(struct held_place, crc));
	test_point("holding");
	atomic_thread_fence(memory_order_release);
	memcpy(at, &place, sizeof(place));
	atomic_thread_fence(memory_order_release);
	hold->number++;
	hold->placed_count = count;
	memcpy(hold->placed, hold->pieces, count * sizeof(*hold->pieces));
	test_point("held");
	return true;
}

/* With the place written, the ring needs only what follows. */
static void recycle(struct thread *thread, struct hold *hold)
{
	struct batch tail = tail_of(thread, hold);
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
	    thread->head - hold->taken >= loop_next_size(&hold->loop) || !write_place(thread, hold))
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
	input->units = units_make(unit, ((const struct raw_record *)thread->data)->tstart % unit);
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
		longloop_look(thread, place_size(thread) / TURN_SHARE);
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
	if (!write_place(thread, hold)) {
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

size_t hold_room(const struct thread *thread)
{
	return place_size(thread) + MORE_ROOM;
}

/* The chunks as they are in their place, without what of the ring was added since. */
static unsigned chunks_in_place(struct thread *thread)
{
	struct hold *hold = thread->hold;
	const uint8_t *at = place_of(thread, hold->number) + sizeof(struct held_place);

	hold->taken = 0;
	for (unsigned i = 0; i < hold->placed_count; i++) {
		struct hold_chunk *chunk = &hold->chunks[i];

		memcpy(&chunk->header, at, sizeof(chunk->header));
		chunk->body = at + sizeof(chunk->header);
		chunk->piece = hold->placed[i];
		at = chunk->body + chunk->header.body_size;
	}
	return hold->placed_count;
}

struct hold_chunk *hold_chunks(struct thread *thread, uint8_t *room, size_t size, unsigned *count)
{
	struct hold *hold = thread->hold;
	struct varints words = varints_in(room, size);
	bool fits = size > 0;

	*count = fits ? loop_pieces(&hold->loop, hold->t_base, hold->pieces) : 0;
	for (unsigned i = 0; i < *count && fits; i++) {
		struct hold_chunk *chunk = &hold->chunks[i];

		chunk->body = words.p;
		chunk->piece = hold->pieces[i];
		fits = loop_write(&hold->loop, &chunk->piece, &words);
		chunk->header =
			describe(thread, hold, &chunk->piece, (size_t)(words.p - chunk->body));
	}
	if (!fits)
		*count = chunks_in_place(thread);
	return hold->chunks;
}

struct batch hold_rest(const struct thread *thread)
{
	const struct hold *hold = thread->hold;

	return hold->taken > 0 ? tail_of(thread, hold)
			       : batch_from(thread, 0, 0, thread->ring->t_base);
}

void hold_calls(const struct thread *thread, const struct hold_chunk *chunk,
		void (*each)(uint16_t id, uint64_t calls))
{
	loop_calls(&thread->hold->loop, &chunk->piece, each);
}

void hold_end(struct thread *thread)
{
	struct hold *hold = thread->hold;
	bool goes_on = thread->head - hold->taken < loop_next_size(&hold->loop);

	/* the valid one last */
	memset(place_of(thread, hold->number + 1), 0, sizeof(struct held_place));
	test_point("releasing");
	atomic_thread_fence(memory_order_release);
	memset(place_of(thread, hold->number), 0, sizeof(struct held_place));
	hold->active = false;
	if (hold->loop.nested)
		longloop_ended(thread, hold->loop.records, goes_on);
}
