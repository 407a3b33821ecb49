/* SPDX-License-Identifier: MIT */
/* hold.c - see hold.h */
#include "record/hold.h"

#include <stddef.h>
#include <string.h>

#include "format/chunk.h"
#include "format/loop_encode.h"
#include "record/config.h"
#include "record/mainspan.h"
#include "record/overhead.h"
#include "record/ring.h"
#include "record/sys.h"
#include "record/testpoint.h"
#include "record/workdir.h"

#define BLOCK_SHARE 3u   /* of a place: a block, as much for a tail, and the rest */
#define APPEND_AFTER 64u /* times config.flush */
#define APPEND_DOUBLINGS 20u
#define MORE_ROOM (256u << 10)
#define PAGE 4096u

/* Lies at the begin of memory of its own, with the loop's behind it. */
struct hold {
	size_t size; /* of the memory */
	struct loop loop;
	uint64_t first_sequence, t_base; /* of the chunk */
	uint64_t iterations;             /* that hold_chunk() gave */
	uint64_t number;                 /* of the place that was written last */
	uint64_t append_at;              /* ticks */
	uint32_t taken; /* bytes of the ring that the loop has, though no place does */
	bool active;
};

bool hold_is_active(const struct thread *thread)
{
	return thread->hold && thread->hold->active;
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
				    size_t size)
{
	struct chunk_header chunk = {.type = CHUNK_DATA,
				     .thread = thread->index,
				     .first_sequence = hold->first_sequence,
				     .anchor = clock_anchor()};

	loop_describe(&hold->loop, hold->t_base, &chunk);
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
	uint32_t count = (uint32_t)(hold->first_sequence - thread->sequence_base +
				    hold->loop.iterations * hold->loop.period);

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

/* Loop and tail as they are now. False: they are too large for a place. */
static bool write_place(const struct thread *thread, struct hold *hold)
{
	struct batch tail = tail_of(thread, hold);
	uint8_t *at = place_of(thread, hold->number + 1), *end = at + place_size(thread);
	uint8_t *body = at + sizeof(struct held_place) + sizeof(struct chunk_header);
	struct varints words = varints_in(body, (size_t)(end - body));
	struct held_place place = {.magic = HELD_MAGIC, .number = hold->number + 1};
	struct packer packer = packer_of(at + sizeof(place), place_size(thread) - sizeof(place));
	struct chunk_header chunk;

	memset(at, 0, sizeof(place));
	compiler_barrier();
	if (!loop_write(&hold->loop, &words))
		return false;
	chunk = describe(thread, hold, (size_t)(words.p - body));
	put_chunk(&packer, &chunk, body);
	if (tail.count > 0)
		put_tail(&packer, thread->index, &tail, &chunk.anchor);
	if (packer.overflow)
		return false;
	place.size = (uint32_t)(packer.p - at - sizeof(place));
	place.crc = format_crc(&place, offsetof(struct held_place, crc));
	test_point("holding");
	atomic_thread_fence(memory_order_release);
	memcpy(at, &place, sizeof(place));
	atomic_thread_fence(memory_order_release);
	hold->number++;
	test_point("held");
	return true;
}

/* With the place written, the ring needs only what follows. */
static void recycle(struct thread *thread, struct hold *hold)
{
	struct batch tail = tail_of(thread, hold);

	overhead_records((uint32_t)(tail.first_sequence - thread->sequence_base));
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
	    thread->head - hold->taken >= hold->loop.block_size || !write_place(thread, hold))
		return false;
	recycle(thread, hold);
	return true;
}

/* ---- beginning ---- */

/* Memory for a loop of such a block. Nothing that a forked child has. */
static struct hold *allocate(struct thread *thread, uint32_t block_size, uint32_t period)
{
	size_t size = (sizeof(struct hold) + 16 + loop_memory(block_size, period) + PAGE - 1) &
		      ~(size_t)(PAGE - 1);
	struct hold *hold = thread->hold;

	if (hold && hold->size >= size)
		return hold;
	if (hold)
		sys_munmap(hold, hold->size);
	thread->hold = NULL;
	hold = sys_mmap(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
			-1);
	if (sys_is_error((long)hold))
		return NULL;
	if (sys_madvise(hold, size, MADV_DONTFORK)) {
		sys_munmap(hold, size);
		return NULL;
	}
	hold->size = size;
	return thread->hold = hold;
}

static struct bump memory_of(struct hold *hold)
{
	size_t used = (sizeof(*hold) + 15) & ~(size_t)15;

	return (struct bump){(uint8_t *)hold + used, hold->size - used};
}

/* The loop with its first iterations, behind the records of `before`. */
static bool begin_loop(struct thread *thread, const struct anchor *now, const struct batch *before)
{
	struct batch_classes classes;
	uint32_t size = thread->head - before->size;
	const uint8_t *records = thread->data + before->size;
	struct loop_input input = {.records = records,
				   .size = size,
				   .period = thread->period,
				   .t_base = thread->ring->t_base,
				   .data = &classes,
				   .function = batch_function,
				   .site = batch_site};
	uint64_t unit = batch_unit(now);
	uint32_t block = loop_block_size(records, size, thread->period);
	struct hold *hold;

	if (block == 0 || block > block_room(thread) || size / block < LOOP_MIN_TIMES)
		return false;
	for (uint32_t at = 0; at < before->size;) {
		const struct raw_record *record = (const void *)(before->records + at);

		input.t_base = record->tend;
		at += record->size;
	}
	hold = allocate(thread, block, thread->period);
	if (!hold)
		return false;
	input.units = units_make(unit, ((const struct raw_record *)thread->data)->tstart % unit);
	hold->first_sequence = thread->sequence_base + before->count;
	hold->t_base = input.t_base;
	hold->taken = before->size;
	if (loop_begin(&hold->loop, memory_of(hold), &input))
		return false;
	hold->taken += loop_extend(&hold->loop, records, size);
	return hold->loop.iterations >= LOOP_MIN_TIMES && thread->head - hold->taken < block;
}

bool hold_find(struct thread *thread, const struct anchor *now, struct batch *before)
{
	uint32_t passed;

	*before = batch_from(thread, 0, 0, thread->ring->t_base);
	if (thread->period == 0 || thread->period > hold_longest(thread) ||
	    thread_mode(thread) != THREAD_ACTIVE || !may_take(thread) ||
	    before->count / LOOP_MIN_TIMES < thread->period || batch_on_alternate_stack())
		return false;
	passed = loop_align(thread->data, thread->period);
	before->size = loop_block_size(thread->data, thread->head, passed);
	before->count = passed;
	if (begin_loop(thread, now, before))
		return true;
	thread->period = 0;
	return false;
}

bool hold_start(struct thread *thread, const struct anchor *now)
{
	struct hold *hold = thread->hold;
	uint64_t wait = config.flush > INT64_MAX >> (APPEND_DOUBLINGS + 6)
				? (uint64_t)INT64_MAX
				: (config.flush * APPEND_AFTER) << thread->hold_appended;

	hold->append_at = now->ticks + batch_ticks((int64_t)wait, now);
	hold->iterations = 0;
	if (!write_place(thread, hold))
		return false;
	hold->active = true;
	recycle(thread, hold);
	return true;
}

/* ---- ending ---- */

size_t hold_room(const struct thread *thread)
{
	return place_size(thread) + MORE_ROOM;
}

/* The chunk as it is in its place, without what of the ring was added since. */
static const uint8_t *chunk_in_place(struct thread *thread, struct chunk_header *chunk)
{
	const uint8_t *at = place_of(thread, thread->hold->number) + sizeof(struct held_place);

	thread->hold->taken = 0;
	memcpy(chunk, at, sizeof(*chunk));
	return at + sizeof(*chunk);
}

const uint8_t *hold_chunk(struct thread *thread, uint8_t *room, size_t size,
			  struct chunk_header *chunk)
{
	struct hold *hold = thread->hold;
	struct varints words = varints_in(room, size);
	const uint8_t *body = room;

	if (size > 0 && loop_write(&hold->loop, &words))
		*chunk = describe(thread, hold, (size_t)(words.p - room));
	else
		body = chunk_in_place(thread, chunk);
	hold->iterations = chunk->count / hold->loop.period;
	return body;
}

struct batch hold_rest(const struct thread *thread)
{
	const struct hold *hold = thread->hold;

	return hold->taken > 0 ? tail_of(thread, hold)
			       : batch_from(thread, 0, 0, thread->ring->t_base);
}

uint64_t hold_base(const struct thread *thread)
{
	return thread->hold->t_base;
}

void hold_calls(const struct thread *thread, void (*each)(uint16_t id, uint64_t calls))
{
	loop_calls(&thread->hold->loop, thread->hold->iterations, each);
}

void hold_end(struct thread *thread)
{
	struct hold *hold = thread->hold;

	/* the valid one last */
	memset(place_of(thread, hold->number + 1), 0, sizeof(struct held_place));
	test_point("releasing");
	atomic_thread_fence(memory_order_release);
	memset(place_of(thread, hold->number), 0, sizeof(struct held_place));
	hold->active = false;
}
