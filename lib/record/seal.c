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
#include "record/budget.h"
#include "record/call.h"
#include "record/clock.h"
#include "record/config.h"
#include "record/function.h"
#include "record/identity.h"
#include "record/loss.h"
#include "record/mainspan.h"
#include "record/modules.h"
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

#define FUNCTIONS_MAX 4096u
#define MARKS_MAX 128u
#define LOOK_EVERY 100000000  /* ns: at the control word */
#define GROW_WITHIN 100000000 /* ns: a ring that fills faster than this doubles */
/* One that is this large only when it has done so some times: the memory of the larger one has to be worth its pages. */
#define LARGE_RING (512u << 10)
#define LARGE_RING_FILLS 4u

static _Atomic uint64_t calls[FUNCTIONS_MAX];
/* What encoding taught about the fields of each function, for the next chunk (signature_table.h). */
static uint64_t hints[FUNCTIONS_MAX];
/* a chunk was written when there was no memory for the definitions before it */
static atomic_bool definitions_owed;

void seal_forked(void)
{
	loss_forked();
	memset((void *)calls, 0, sizeof(calls));
	atomic_store(&definitions_owed, false);
}

void seal_next_segment(void)
{
	memset((void *)calls, 0, sizeof(calls));
	loss_next_segment();
	arena_next_segment();
}

uint64_t seal_function_calls(unsigned function)
{
	return function < FUNCTIONS_MAX ? atomic_load(&calls[function]) : 0;
}

/* What the encoder asks about functions: classes, from kinds. */
struct classes {
	uint8_t args[RECORD_MAX_ARGS];
};

static struct encode_function describe_function(void *data, uint16_t id)
{
	const struct function_entry *entry = &function_table[id];
	struct encode_function function = {.result_class = kind_class(entry->result),
					   .arg_count = entry->arg_count};
	struct classes *classes = data;

	for (unsigned i = 0; i < entry->arg_count; i++) {
		enum kind kind = function_args(entry)[i].kind;

		classes->args[i] = kind_class(kind);
		function.ranks |= (uint64_t)(kind == KIND_rank) << i;
	}
	function.arg_classes = classes->args;
	return function;
}

static struct encode_site describe_site(void *data, uint64_t address)
{
	struct encode_site site = modules_find(address);

	(void)data;
	return site;
}

static uint64_t ticks_in(int64_t ns, const struct anchor *now)
{
	struct anchor first = clock_first_anchor();

	return clock_ticks_in(ns, &first, now);
}

/* Ticks in a time unit: RECORDER_TIME_RESOLUTION, as a multiple of what the counter resolves. */
static uint64_t time_unit(const struct anchor *now)
{
	uint64_t unit = ticks_in((int64_t)config.time_resolution, now);
	uint64_t granule = clock_granule();

	if (config.time_resolution <= 1 && granule > 1)
		return granule;
	return unit > granule ? (unit + granule / 2) / granule * granule : granule;
}

static bool on_alternate_stack(void)
{
	stack_t stack;

	return !sys_sigaltstack(NULL, &stack) && (stack.ss_flags & SS_ONSTACK);
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
static bool may_sum(const struct thread *thread)
{
	return config.summed_times && workdir_last_change() < thread->ring->t_base;
}

static bool encode_words(struct encode_input *input, const struct thread *thread, void *work,
			 uint8_t *words, uint8_t *bits, uint64_t *marks,
			 struct encode_output *output)
{
	if (may_sum(thread)) {
		input->summed = true;
		input->marks = marks;
		input->mark_count = find_marks(thread, input->unit, marks);
		if (!signatures_encode(input, work, words, bits, output))
			return true;
		input->summed = false;
	}
	return !signatures_encode(input, work, words, bits, output);
}

/* The chunk in encoding 2 or 3. Its body stays in `scratch`. False: store it raw. */
static bool encode(struct thread *thread, struct scratch *scratch, struct chunk_header *chunk,
		   const uint8_t **body)
{
	struct workplace place = workplace_of(thread->head);
	uint8_t *words = scratch->free + place.words, *bits = scratch->free + place.bits;
	uint8_t *packed = scratch->free + place.packed;
	struct classes classes;
	struct encode_input input = {.records = thread->data,
				     .size = thread->head,
				     .count = chunk->count,
				     .t_base = thread->ring->t_base,
				     .self = identity.rank > 0 ? (uint64_t)identity.rank : 0,
				     .hints = hints,
				     .hint_count = FUNCTIONS_MAX,
				     .data = &classes,
				     .function = describe_function,
				     .site = describe_site};
	struct encode_output output;

	input.unit = time_unit(&chunk->anchor);
	/* A real reading: where the counter moves in steps of the unit, all others are whole units away and nothing is rounded. */
	input.phase = ((const struct raw_record *)thread->data)->tstart % input.unit;
	if (!encode_words(&input, thread, scratch->free, words, bits,
			  (uint64_t *)(void *)(scratch->free + place.marks), &output))
		return false;
	if (!signatures_body(scratch->deflater, words, bits, &output, packed, chunk))
		return false;
	*body = packed;
	return true;
}

static void describe_raw(const struct thread *thread, struct chunk_header *chunk)
{
	chunk->encoding = DATA_RAW;
	chunk->body_size = chunk->plain_size = thread->head;
	chunk->carried = 0;
	chunk->t_base = thread->ring->t_base;
	chunk->t_min = UINT64_MAX;
	chunk->t_max = 0;
	for (uint32_t at = 0; at < thread->head;) {
		const struct raw_record *record = (const void *)(thread->data + at);

		chunk->carried += record->tstart < chunk->t_base;
		chunk->t_min = record->tstart < chunk->t_min ? record->tstart : chunk->t_min;
		chunk->t_max = record->tend > chunk->t_max ? record->tend : chunk->t_max;
		at += record->size;
	}
}

static void count_calls(uint16_t function, uint64_t count)
{
	if (function < FUNCTIONS_MAX)
		atomic_fetch_add_explicit(&calls[function], count, memory_order_relaxed);
}

static void count_raw_calls(const struct thread *thread)
{
	for (uint32_t at = 0; at < thread->head;) {
		const struct raw_record *record = (const void *)(thread->data + at);

		count_calls(record->function, record->repeat);
		at += record->size;
	}
}

/* Appends definitions and chunk; 0 or a negative errno. If the trace must not grow that far *refusal tells why, else it is LOSS_NONE. */
static int write_chunk(struct thread *thread, struct chunk_header *chunk, enum loss_reason *refusal)
{
	size_t room = workplace_of(thread->data_size).end;
	struct scratch *scratch = scratch_take(room + arena_flush_size());
	const uint8_t *body = thread->data;
	int error = 0;

	/*
	 * Encoding comes first: it may meet a call site in a module that is to be defined. It takes more stack than a
	 * signal handler may have.
	 */
	if (!scratch || on_alternate_stack() || !encode(thread, scratch, chunk, &body))
		describe_raw(thread, chunk);
	test_point("encoded");
	*refusal = budget_refusal(sizeof(*chunk) + chunk->body_size, chunk->anchor.mono);
	if (!*refusal) {
		error = scratch ? arena_flush(scratch->free + room, scratch->deflater)
				: arena_flush_reserve();
		error = error == -EBUSY ? 0 : error; /* they come later */
	}
	if (!scratch)
		atomic_store(&definitions_owed, true);
	test_point("defined");
	if (!error && !*refusal)
		error = stream_append(chunk, body);
	test_point("written");
	if (!error && !*refusal && chunk->encoding != DATA_RAW)
		signatures_calls(scratch->free, count_calls);
	else if (!error && !*refusal)
		count_raw_calls(thread);
	if (scratch)
		scratch_give(scratch);
	return error;
}

/* Of a full ring, once each time it is. */
static bool should_grow(struct thread *thread, const struct anchor *now)
{
	bool fast = now->ticks - thread->ring->t_base < ticks_in(GROW_WITHIN, now);
	uint32_t enough = thread->data_size < LARGE_RING ? 1 : LARGE_RING_FILLS;

	thread->fast_fills = fast ? thread->fast_fills + 1 : 0;
	if (thread->fast_fills < enough)
		return false;
	thread->fast_fills = 0;
	return true;
}

static uint64_t deadline_after(const struct anchor *now)
{
	return now->ticks + ticks_in((int64_t)config.flush, now);
}

uint64_t seal_deadline(void)
{
	struct anchor now = clock_anchor();

	return deadline_after(&now);
}

uint64_t seal_attention(const struct thread *thread)
{
	struct anchor now = clock_anchor();
	uint64_t look = now.ticks + ticks_in(LOOK_EVERY, &now);

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

/* `keep`: the ring of a chunk that cannot be written stays as it is. `may_grow`: nobody minds if it lies elsewhere then. */
static int seal(struct thread *thread, bool final, bool keep, bool may_grow)
{
	struct chunk_header chunk = {.type = CHUNK_DATA};
	struct loss_pending lost = loss_pending(thread);
	uint64_t too_deep = thread->lost;
	bool full = thread->head > thread->data_size / 2;
	enum loss_reason refusal;
	int64_t begin;
	int error;

	threaddef_again(thread);
	if (thread->head == 0)
		return 0;
	if (sandbox_active()) /* the ring keeps what it has */
		return -EPERM;
	test_point("seal");
	begin = overhead_begin();
	chunk.flags =
		(uint16_t)((final ? CHUNK_FINAL : 0) | (thread->repeated ? CHUNK_REPEATS : 0) |
			   lost.reason << CHUNK_LOSS_SHIFT);
	chunk.thread = thread->index;
	chunk.count = thread->sequence_low - (uint32_t)thread->sequence_base;
	chunk.first_sequence = thread->sequence_base;
	chunk.anchor = clock_anchor();
	overhead_records(chunk.count + thread->repeated);
	chunk.lost = lost.records > UINT32_MAX ? UINT32_MAX : (uint32_t)lost.records;
	segment_enter();
	refusal = budget_refusal(sizeof(chunk), chunk.anchor.mono);
	error = refusal ? 0 : write_chunk(thread, &chunk, &refusal);
	if (refusal || (error && !keep))
		loss_of_chunk(thread, chunk.count, refusal ? refusal : loss_reason(error));
	else if (!error)
		account_chunk(thread, chunk.count, too_deep);
	if (!error || !keep) {
		thread->sequence_base += chunk.count;
		thread->seal_deadline = deadline_after(&chunk.anchor);
		/* the last one may be that of a call which goes on with its open record, exec */
		ring_recycle(thread, may_grow && full && should_grow(thread, &chunk.anchor));
	}
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
	uint32_t top = thread->open_top / 8, words = 0;
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

static void seal_whole(struct thread *thread, bool final, bool may_grow)
{
	if (sandbox_active())
		return;
	seal(thread, final, false, may_grow);
	if (thread->open_stored)
		seal_open_calls(thread);
}

void seal_thread(struct thread *thread, bool final)
{
	seal_whole(thread, final, true);
}

void seal_thread_in_place(struct thread *thread)
{
	seal_whole(thread, false, false);
}

bool seal_last(struct thread *thread)
{
	return !seal(thread, false, true, false);
}

bool seal_definitions(void)
{
	return !arena_flush_reserve();
}

bool seal_owed_definitions(void)
{
	return !atomic_load(&definitions_owed) || seal_definitions();
}

void seal_undone(struct thread *thread, unsigned function, uint64_t last_end)
{
	thread->last_end = last_end;
	thread->ring->t_base = last_end;
	thread->sequence_base--;
	thread->sequence_low--;
	thread->ring->first_sequence = thread->sequence_base;
	arena_uncount_stored();
	if (function < FUNCTIONS_MAX)
		atomic_fetch_sub(&calls[function], 1);
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
