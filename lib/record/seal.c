/* SPDX-License-Identifier: MIT */
/* seal.c - sealing rings. */
#include "record/seal.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "format/deflater.h"
#include "format/signatures_encode.h"
#include "record/arena.h"
#include "record/batch.h"
#include "record/batch_encode.h"
#include "record/budget.h"
#include "record/call_counts.h"
#include "record/clock.h"
#include "record/config.h"
#include "record/critical.h"
#include "record/hold.h"
#include "record/hold_chunks.h"
#include "record/loss.h"
#include "record/open_chunk.h"
#include "record/overhead.h"
#include "record/ring.h"
#include "record/sandbox.h"
#include "record/scratch.h"
#include "record/segment.h"
#include "record/stream.h"
#include "record/testpoint.h"
#include "record/threaddef.h"

#define DIVIDE_FROM 64u      /* records: fewer are stored as they are if they cannot be encoded */
#define LOOK_EVERY 100000000 /* ns: at the control word */
/* A full ring doubles until it is this large, however long it took: what chunks repeat is little beside more records. */
#define LARGE_RING (512u << 10)
/* A larger one only when it was full soon some times: the memory has to be worth its pages. */
#define GROW_WITHIN 100000000 /* ns */
#define LARGE_RING_FILLS 4u

/* a chunk was written when there was no memory for the definitions before it */
static atomic_bool definitions_owed;

void seal_forked(void)
{
	loss_forked();
	call_counts_clear();
	atomic_store(&definitions_owed, false);
}

void seal_next_segment(void)
{
	call_counts_clear();
	loss_next_segment();
	arena_next_segment();
}

void seal_init(void)
{
	scratch_expect(batch_encode_room((uint32_t)config.buffer_size) + arena_flush_size());
}

static void count_raw_calls(const struct batch *batch)
{
	for (uint32_t at = 0; at < batch->size;) {
		const struct raw_record *record = (const void *)(batch->records + at);

		call_counts_record(record->function, record->repeat);
		at += record->size;
	}
}

/*
 * Appends definitions and chunk; 0 or a negative errno. If the trace must not grow that far *refusal tells why, else it is LOSS_NONE. `room`: what of the scratch memory is taken. `scratch` may be
 * NULL.
 */
static int append(struct chunk_header *chunk, const uint8_t *body, struct scratch *scratch,
		  size_t room, enum loss_reason *refusal)
{
	int error;

	test_point("encoded");
	*refusal = budget_refusal(sizeof(*chunk) + chunk->body_size, chunk->anchor.mono);
	if (*refusal)
		return 0;
	error = scratch ? arena_flush(scratch->free + room, scratch->deflater)
			: arena_flush_reserve();
	error = error == -EBUSY ? 0 : error; /* they come later */
	if (!scratch)
		atomic_store(&definitions_owed, true);
	test_point("defined");
	if (!error)
		error = stream_append(chunk, body);
	test_point("written");
	return error;
}

/* -E2BIG: nothing was written, as a chunk of half as many records is smaller than what it would be as they are. */
static int write_chunk(struct thread *thread, const struct batch *batch, struct chunk_header *chunk,
		       enum loss_reason *refusal)
{
	size_t room = batch_encode_room(thread->data_size);
	struct scratch *scratch = scratch_take(room + arena_flush_size());
	const uint8_t *body = batch->records;
	int error = -ENOMEM;

	/*
	 * Encoding comes first: it may meet a call site in a module that is to be defined. It takes more stack than a
	 * signal handler may have.
	 */
	if (scratch && !batch_on_alternate_stack())
		error = batch_encode(thread, batch, scratch, chunk, &body);
	if (error == -E2BIG && batch->count >= DIVIDE_FROM) {
		scratch_give(scratch);
		return error;
	}
	if (error)
		batch_describe_raw(batch, chunk);
	error = append(chunk, body, scratch, room, refusal);
	if (!error && !*refusal && chunk->encoding != DATA_RAW)
		signatures_calls(scratch->free, call_counts_record);
	else if (!error && !*refusal)
		count_raw_calls(batch);
	if (scratch)
		scratch_give(scratch);
	return error;
}

static bool fills_fast(const struct thread *thread, const struct anchor *now)
{
	return now->ticks - thread->ring->t_base < batch_ticks(GROW_WITHIN, now);
}

/* Of a full ring, once each time it is. */
static bool should_grow(struct thread *thread, const struct anchor *now)
{
	if (thread->data_size < LARGE_RING)
		return true;
	thread->fast_fills = fills_fast(thread, now) ? thread->fast_fills + 1 : 0;
	if (thread->fast_fills < LARGE_RING_FILLS)
		return false;
	thread->fast_fills = 0;
	return true;
}

static uint64_t deadline_after(const struct anchor *now)
{
	return now->ticks + batch_ticks((int64_t)config.flush, now);
}

uint64_t seal_deadline(void)
{
	struct anchor now = clock_anchor();

	return deadline_after(&now);
}

uint64_t seal_attention(const struct thread *thread)
{
	struct anchor now = clock_anchor();
	uint64_t look = now.ticks + batch_ticks(LOOK_EVERY, &now);

	return look < thread->seal_deadline ? look : thread->seal_deadline;
}

static enum loss_reason loss_reason(int error)
{
	if (error == -EFBIG)
		return LOSS_FILE_SIZE;
	return error == -ENOSPC || error == -EDQUOT ? LOSS_NO_SPACE : LOSS_WRITE_ERROR;
}

static void account_chunk(struct thread *thread, uint32_t count, uint64_t too_deep)
{
	arena_count_stored(count, stream_bytes());
	loss_stated(thread, too_deep);
}

enum seal_how {
	SEAL_FINAL = 1 << 0, /* the thread has ended */
	SEAL_KEEP = 1 << 1,  /* the ring of a chunk that cannot be written stays as it is */
	SEAL_GROW = 1 << 2,  /* nobody minds if the ring lies elsewhere then */
	SEAL_HOLD = 1 << 3,  /* nobody asks to see its records in the file */
};

/* 0, or a negative errno if the chunk could not be written; with SEAL_KEEP its records are not lost then. */
static int account(struct thread *thread, unsigned how, const struct chunk_header *chunk, int error,
		   enum loss_reason refusal, uint64_t too_deep)
{
	if (refusal || (error && !(how & SEAL_KEEP)))
		loss_of_chunk(thread, chunk->count, refusal ? refusal : loss_reason(error));
	else if (!error)
		account_chunk(thread, chunk->count, too_deep);
	return error;
}

/* Whether a record of the ring may stand for several calls. */
static bool may_repeat(const struct thread *thread)
{
	return thread->repeated > 0 || thread->counted_any;
}

/* -E2BIG: the batch is to be divided. */
static int seal_one(struct thread *thread, unsigned how, const struct anchor *now,
		    const struct batch *batch)
{
	struct loss_pending lost = loss_pending(thread);
	uint64_t too_deep = thread->lost;
	struct chunk_header chunk = {.type = CHUNK_DATA,
				     .flags = (uint16_t)((how & SEAL_FINAL ? CHUNK_FINAL : 0) |
							 (may_repeat(thread) ? CHUNK_REPEATS : 0) |
							 lost.reason << CHUNK_LOSS_SHIFT),
				     .thread = thread->index,
				     .count = batch->count,
				     .first_sequence = batch->first_sequence,
				     .anchor = *now,
				     .lost = lost.records > UINT32_MAX ? UINT32_MAX
								       : (uint32_t)lost.records};
	enum loss_reason refusal = budget_refusal(sizeof(chunk), now->mono);
	int error = refusal ? 0 : write_chunk(thread, batch, &chunk, &refusal);

	if (error == -E2BIG)
		return error;
	overhead_records(chunk.count + thread->repeated, now->ticks - thread->ring->t_base);
	return account(thread, how, &chunk, error, refusal, too_deep);
}

/*
 * In one chunk, or in several where its records are of too many functions, places and signatures for one. Once a part of it is in the file a ring cannot stay as it
 * is any more: what cannot be written of the rest is lost.
 */
static int seal_batch(struct thread *thread, unsigned how, const struct anchor *now,
		      const struct batch *batch)
{
	struct batch rest = *batch;

	for (;;) {
		struct batch part = rest;
		int error = seal_one(thread, how, now, &part);

		while (error == -E2BIG) {
			part = batch_half(&part);
			error = seal_one(thread, how & ~(unsigned)SEAL_FINAL, now, &part);
		}
		if (part.count == rest.count || (error && (how & SEAL_KEEP)))
			return error;
		rest = batch_behind(&rest, &part);
		how &= ~(unsigned)SEAL_KEEP;
	}
}

/* Deflates the body that lies at the begin of the scratch memory, if there is reason to. */
static const uint8_t *deflate_held(struct scratch *scratch, size_t room, const uint8_t *body,
				   struct chunk_header *chunk)
{
	uint8_t *packed = scratch->free + room;
	size_t size;

	if (batch_on_alternate_stack())
		return body;
	size = deflater_run(scratch->deflater, body, chunk->plain_size, packed,
			    deflater_bound(room));
	if (size == 0 || size >= chunk->plain_size)
		return body;
	chunk->body_size = (uint32_t)size;
	return packed;
}

/* With what they are deflated to. */
static size_t room_of_held(size_t room)
{
	return (room + deflater_bound(room) + 15) & ~(size_t)15;
}

/* Appends a chunk of what the thread holds. `room`: what of the scratch memory the bodies of all have. */
static int append_held(struct thread *thread, unsigned how, struct scratch *scratch, size_t room,
		       struct hold_chunk *chunk)
{
	const uint8_t *body = chunk->body;
	enum loss_reason refusal;
	int error;

	if (scratch)
		body = deflate_held(scratch, room, body, &chunk->header);
	error = append(&chunk->header, body, scratch, room_of_held(room), &refusal);
	if (!error && !refusal)
		hold_calls(thread, chunk, call_counts_record);
	return account(thread, how, &chunk->header, error, refusal, 0);
}

/* Appends what the thread holds. *rest is set to what of the ring is not in it. With a part of it in the file, what cannot be written of the rest is lost. */
static int seal_held(struct thread *thread, unsigned how, struct batch *rest)
{
	size_t room = hold_room(thread);
	struct scratch *scratch = scratch_take(room_of_held(room) + arena_flush_size());
	struct hold_chunk *chunks;
	unsigned count;
	int error = 0;

	hold_take(thread);
	chunks = hold_chunks(thread, scratch ? scratch->free : NULL, scratch ? room : 0, &count);
	*rest = hold_rest(thread);
	if ((how & SEAL_FINAL) && rest->count == 0)
		chunks[count - 1].header.flags |= CHUNK_FINAL;
	for (unsigned i = 0; i < count && !(error && (how & SEAL_KEEP)); i++) {
		error = append_held(thread, how, scratch, room, &chunks[i]);
		if (!error)
			how &= ~(unsigned)SEAL_KEEP;
	}
	if (scratch)
		scratch_give(scratch);
	overhead_records((uint32_t)(rest->first_sequence - thread->sequence_base),
			 thread->last_end - thread->ring->t_base);
	if (!error || !(how & SEAL_KEEP))
		hold_end(thread);
	return how & SEAL_KEEP ? error : 0;
}

/* A ring that fills fast and is to grow is not worth to hold what is in it. */
static bool may_begin(const struct thread *thread, unsigned how, const struct anchor *now)
{
	bool grows = (how & SEAL_GROW) && thread->data_size < LARGE_RING && ring_may_grow(thread);

	return (how & SEAL_HOLD) && !(grows && fills_fast(thread, now));
}

/* Whether the ring is part of a loop from now on, of which nothing more is to be written; else *batch is what of it is still to be sealed. */
static bool begin_to_hold(struct thread *thread, unsigned how, const struct anchor *now,
			  hold_finder *find, struct batch *batch)
{
	struct batch before = *batch;

	if (!may_begin(thread, how, now) || !find(thread, now, &before))
		return false;
	if (before.count == 0)
		return hold_start(thread, now);
	*batch = batch_behind(batch, &before);
	return !seal_batch(thread, how, now, &before) && hold_start(thread, now);
}

static void recycle(struct thread *thread, unsigned how, const struct anchor *now)
{
	bool full = thread->head > thread->data_size / 2;

	thread->sequence_base += thread->sequence_low - (uint32_t)thread->sequence_base;
	/* the last one may be that of a call which goes on with its open record, exec */
	ring_recycle(thread, (how & SEAL_GROW) && full && should_grow(thread, now));
}

/* All that the thread holds and has in its ring, but for what it goes on to hold. */
static int seal_all(struct thread *thread, unsigned how, const struct anchor *now)
{
	struct batch batch = batch_from(thread, 0, 0, thread->ring->t_base);
	int error = 0;

	if (how & SEAL_HOLD)
		hold_look(thread);
	if (hold_is_active(thread)) {
		if ((how & SEAL_HOLD) && !hold_is_due(thread, &batch) && hold_go_on(thread, now))
			return 0;
		error = seal_held(thread, how, &batch);
	} else if (begin_to_hold(thread, how, now, hold_find, &batch)) {
		return 0;
	}
	if (!error && begin_to_hold(thread, how, now, hold_find_turn, &batch))
		return 0;
	if (how & SEAL_HOLD)
		hold_missed(thread);
	if (error && (how & SEAL_KEEP))
		return error;
	if (batch.count > 0)
		error = seal_batch(thread, how, now, &batch);
	if (!error || !(how & SEAL_KEEP))
		recycle(thread, how, now);
	return error;
}

static int seal_now(struct thread *thread, unsigned how)
{
	struct anchor now;
	int64_t begin;
	int error;

	ring_settle(thread);
	threaddef_again(thread);
	if (thread->head == 0 && !hold_is_active(thread))
		return 0;
	if (sandbox_active()) /* the ring keeps what it has */
		return -EPERM;
	test_point("seal");
	begin = overhead_begin();
	now = clock_anchor();
	segment_enter();
	error = seal_all(thread, how, &now);
	loss_tell_limit(thread);
	if (!error || !(how & SEAL_KEEP))
		thread->seal_deadline = deadline_after(&now);
	segment_leave();
	overhead_end(begin);
	test_point("recycled");
	return error;
}

static int seal(struct thread *thread, unsigned how)
{
	uint64_t blocked = critical_enter_alone();
	int error = seal_now(thread, how);

	critical_leave_alone(blocked);
	return error;
}

static void seal_whole(struct thread *thread, unsigned how)
{
	uint64_t blocked;

	if (sandbox_active())
		return;
	blocked = critical_enter_alone();
	seal_now(thread, how);
	if (thread->open_stored)
		open_chunk_write(thread);
	critical_leave_alone(blocked);
}

void seal_thread(struct thread *thread, bool final)
{
	seal_whole(thread, SEAL_GROW | (final ? SEAL_FINAL : 0));
}

void seal_thread_in_place(struct thread *thread)
{
	seal_whole(thread, 0);
}

void seal_ring(struct thread *thread)
{
	seal_whole(thread, SEAL_GROW | SEAL_HOLD);
}

void seal_ring_in_place(struct thread *thread)
{
	seal_whole(thread, SEAL_HOLD);
}

/* A ring that is nowhere but in the process's memory cannot stay: what it has is lost if it cannot be written. */
bool seal_last(struct thread *thread)
{
	bool keeps = !ring_is_private(thread);
	int error = seal(thread, keeps ? SEAL_KEEP : 0);

	return !error || (!keeps && !sandbox_active());
}

bool seal_definitions(void)
{
	return !arena_flush_reserve();
}

bool seal_owed_definitions(void)
{
	return !atomic_load(&definitions_owed) || seal_definitions();
}

void seal_undone(struct thread *thread, uint16_t function, uint64_t last_end)
{
	thread->last_end = last_end;
	thread->ring->t_base = last_end;
	thread->sequence_base--;
	thread->sequence_low--;
	thread->ring->first_sequence = thread->sequence_base;
	arena_uncount_stored();
	call_counts_take_back(function);
}

void seal_write_end(void)
{
	struct {
		struct end_head head;
		struct end_tail tail;
	} body = {{arena_stored(), loss_sum(LOSS_OF_PROCESS), 0, 0}, {0, {0}}};
	struct chunk_header chunk = {.type = CHUNK_END};

	/* where it will lie is not known: a thread that begins just now appends, too */
	memcpy(body.tail.magic, INDEX_MAGIC, sizeof(body.tail.magic));
	chunk.body_size = chunk.plain_size = sizeof(body);
	chunk.anchor = clock_anchor();
	stream_append(&chunk, &body);
}
