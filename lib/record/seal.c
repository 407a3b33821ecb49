/* SPDX-License-Identifier: MIT */
/* seal.c - sealing rings. */
#include "record/seal.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "format/signatures_encode.h"
#include "format/defs.h"
#include "format/deflater.h"
#include "record/arena.h"
#include "record/batch.h"
#include "record/budget.h"
#include "record/call.h"
#include "record/call_counts.h"
#include "record/clock.h"
#include "record/config.h"
#include "record/function.h"
#include "record/hold.h"
#include "record/identity.h"
#include "record/loss.h"
#include "record/mainspan.h"
#include "record/overhead.h"
#include "record/ring.h"
#include "record/sandbox.h"
#include "record/scratch.h"
#include "record/segment.h"
#include "record/stream.h"
#include "record/sys.h"
#include "record/testpoint.h"
#include "record/threaddef.h"
#include "record/workdir.h"

#define MARKS_MAX 128u
#define DIVIDE_FROM 64u      /* records: fewer are stored as they are if they cannot be encoded */
#define LOOK_EVERY 100000000 /* ns: at the control word */
/* A full ring doubles until it is this large, however long it took: what chunks repeat is little beside more records. */
#define LARGE_RING (512u << 10)
/* A larger one only when it was full soon some times: the memory has to be worth its pages. */
#define GROW_WITHIN 100000000 /* ns */
#define LARGE_RING_FILLS 4u

/* What encoding taught about the fields of each function, for the next chunk (signature_table.h). */
static uint64_t hints[FUNCTION_IDS];
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

/* Where what a chunk is made from lies in the scratch memory. */
struct workplace {
	/* offsets behind the encoder's memory, the last one where all ends: a multiple of 16, so that definitions behind it are aligned */
	size_t words, bits, packed, marks, end;
};

static struct workplace workplace_of(uint32_t size)
{
	size_t words = signatures_words_room(size), bits = signatures_bits_room(size);
	struct workplace place;

	place.words = signatures_work_size(size);
	place.bits = place.words + words;
	place.packed = place.bits + bits;
	place.marks = (place.packed + signatures_body_bound(words, bits) + 15) & ~(size_t)15;
	place.end = place.marks + MARKS_MAX * sizeof(uint64_t);
	return place;
}

void seal_init(void)
{
	scratch_expect(workplace_of((uint32_t)config.buffer_size).end + arena_flush_size());
}

static void insert_mark(uint64_t *marks, uint32_t *count, uint64_t ticks)
{
	uint32_t i = *count;

	for (; i > 0 && marks[i - 1] > ticks; i--)
		marks[i] = marks[i - 1];
	marks[i] = ticks;
	++*count;
}

/*
 * The instants that made-up times have to keep to: when calls began that have not ended, as their records will say in a later chunk, and when main() began and
 * ended. Where another thread's calls in flight are changing meanwhile an instant may be wrong; all that comes of it is a chunk with stamps.
 */
static sanitizer_race_known uint32_t find_marks(const struct thread *thread, uint64_t unit,
						uint64_t *marks)
{
	uint32_t count = 0, top = thread->open_top;
	uint64_t last = mainspan_last();

	for (uint32_t at = 0; at < top;) {
		const struct raw_record *record = (const void *)(thread->open + at);

		if (record->size < sizeof(*record) || record->size > top - at ||
		    count > MARKS_MAX - 2)
			break;
		insert_mark(marks, &count, record->tstart);
		at += record->size;
	}
	if (count > MARKS_MAX - 2)
		return UINT32_MAX; /* too many: the encoder refuses */
	insert_mark(marks, &count, mainspan_first());
	if (last) /* rounded up: what comes after it does so in time units, too */
		insert_mark(marks, &count, last + unit - 1);
	return count;
}

/* Whether times may be summed. What relative paths stand for goes by the time: records around a chdir() keep theirs. */
static bool may_sum(const struct batch *batch)
{
	return config.summed_times && workdir_last_change() < batch->t_base;
}

/* 0 or a negative errno, see signatures_encode(). */
static int encode_words(struct encode_input *input, const struct thread *thread,
			const struct batch *batch, void *work, uint8_t *words, uint8_t *bits,
			uint64_t *marks, struct encode_output *output)
{
	if (may_sum(batch)) {
		input->summed = true;
		input->marks = marks;
		input->mark_count = find_marks(thread, input->unit, marks);
		if (!signatures_encode(input, work, words, bits, output))
			return 0;
		input->summed = false;
	}
	return signatures_encode(input, work, words, bits, output);
}

/* What the next ring may be the continuation of. Too few records say nothing. */
static void look_for_loop(struct thread *thread, void *work, uint32_t count)
{
	uint32_t longest = hold_longest(thread);
	uint32_t period = longest > 0 ? signatures_period(work, count, longest) : 0;

	if (period > 0 || count > longest)
		thread->period = period;
}

/* The chunk in encoding 2 or 3. Its body stays in `scratch`. -E2BIG: its records are too different from each other; any error: it cannot be encoded. */
static int encode(struct thread *thread, const struct batch *batch, struct scratch *scratch,
		  struct chunk_header *chunk, const uint8_t **body)
{
	struct workplace place = workplace_of(batch->size);
	uint8_t *words = scratch->free + place.words, *bits = scratch->free + place.bits;
	uint8_t *packed = scratch->free + place.packed;
	struct batch_classes classes;
	struct encode_input input = {.records = batch->records,
				     .size = batch->size,
				     .count = batch->count,
				     .t_base = batch->t_base,
				     .self = identity.rank > 0 ? (uint64_t)identity.rank : 0,
				     .hints = hints,
				     .hint_count = FUNCTION_IDS,
				     .data = &classes,
				     .function = batch_function,
				     .site = batch_site};
	struct encode_output output;
	int error;

	input.unit = batch_unit(&chunk->anchor);
	/* A real reading: where the counter moves in steps of the unit, all others are whole units away and nothing is rounded. */
	input.phase = ((const struct raw_record *)batch->records)->tstart % input.unit;
	error = encode_words(&input, thread, batch, scratch->free, words, bits,
			     (uint64_t *)(void *)(scratch->free + place.marks), &output);
	if (error)
		return error;
	if (!signatures_body(scratch->deflater, words, bits, &output, packed, chunk))
		return -ENOBUFS;
	*body = packed;
	if (config.summed_times)
		look_for_loop(thread, scratch->free, batch->count);
	return 0;
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
	size_t room = workplace_of(thread->data_size).end;
	struct scratch *scratch = scratch_take(room + arena_flush_size());
	const uint8_t *body = batch->records;
	int error = -ENOMEM;

	/*
	 * Encoding comes first: it may meet a call site in a module that is to be defined. It takes more stack than a
	 * signal handler may have.
	 */
	if (scratch && !batch_on_alternate_stack())
		error = encode(thread, batch, scratch, chunk, &body);
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

/* -E2BIG: the batch is to be divided. */
static int seal_one(struct thread *thread, unsigned how, const struct anchor *now,
		    const struct batch *batch)
{
	struct loss_pending lost = loss_pending(thread);
	uint64_t too_deep = thread->lost;
	struct chunk_header chunk = {.type = CHUNK_DATA,
				     .flags = (uint16_t)((how & SEAL_FINAL ? CHUNK_FINAL : 0) |
							 (thread->repeated ? CHUNK_REPEATS : 0) |
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
	overhead_records(chunk.count + thread->repeated);
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
	overhead_records((uint32_t)(rest->first_sequence - thread->sequence_base));
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

static int seal(struct thread *thread, unsigned how)
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
	if (!error || !(how & SEAL_KEEP))
		thread->seal_deadline = deadline_after(&now);
	segment_leave();
	overhead_end(begin);
	test_point("recycled");
	return error;
}

/* The calls in flight, without those that are not to be stored; returns their size. */
static sanitizer_race_known uint32_t copy_open_calls(const struct thread *thread, uint8_t *to,
						     uint32_t *count)
{
	const uint64_t *from = (const uint64_t *)thread->open;
	uint32_t top = (thread->open_top & ~OPEN_IN_PLACE) / 8, words = 0;
	uint64_t *target = (uint64_t *)to;

	*count = 0;
	for (uint32_t at = 0; at < top;) {
		const struct raw_record *record = (const void *)&from[at];
		uint32_t end = at + record->size / 8;
		bool stored = !(record->flags & RECORD_DROP);

		if (end <= at || end > top)
			break;
		*count += stored;
		for (; at < end; at++)
			if (stored)
				target[words++] = from[at];
	}
	return words * 8;
}

/* The thread may be about to finish the innermost of them, and waits then: once it does two copies are the same. */
static uint32_t snapshot_open_calls(const struct thread *thread, uint8_t *to, uint32_t *count)
{
	uint8_t *again = to + thread->open_size;
	uint32_t size = 0;

	for (int tries = 0; tries < 3; tries++) {
		size = copy_open_calls(thread, to, count);
		atomic_signal_fence(memory_order_seq_cst);
		if (copy_open_calls(thread, again, count) == size && !memcmp(to, again, size))
			break;
		sys_sched_yield();
	}
	return size;
}

void seal_open_calls(struct thread *thread)
{
	struct chunk_header chunk = {.type = CHUNK_OPEN, .thread = thread->index};
	struct scratch *scratch;

	if (thread->open_top == 0 && !thread->open_stored)
		return;
	scratch = scratch_take(thread->open_size + arena_flush_size());
	if (!scratch)
		return;
	chunk.body_size = chunk.plain_size =
		snapshot_open_calls(thread, scratch->free, &chunk.count);
	chunk.anchor = clock_anchor();
	segment_enter();
	if ((chunk.count > 0 || thread->open_stored) &&
	    !budget_refusal(chunk.body_size, chunk.anchor.mono) &&
	    !arena_flush(scratch->free + thread->open_size, scratch->deflater) &&
	    !stream_append(&chunk, scratch->free))
		thread->open_stored = chunk.count > 0;
	segment_leave();
	scratch_give(scratch);
}

static void seal_whole(struct thread *thread, unsigned how)
{
	if (sandbox_active())
		return;
	seal(thread, how);
	if (thread->open_stored)
		seal_open_calls(thread);
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

bool seal_last(struct thread *thread)
{
	return !seal(thread, SEAL_KEEP);
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

	if (thread_count() == 1) /* others may append at the same time */
		body.tail.offset = stream_bytes();

	memcpy(body.tail.magic, INDEX_MAGIC, sizeof(body.tail.magic));
	chunk.body_size = chunk.plain_size = sizeof(body);
	chunk.anchor = clock_anchor();
	stream_append(&chunk, &body);
}
