/* SPDX-License-Identifier: MIT */
/* arena.c - the definitions arena and its flushing. */
#include "record/arena.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "format/defs.h"
#include "format/defs_relative.h"
#include "format/deflater.h"
#include "record/arena_copy.h"
#include "record/bulk.h"
#include "record/clock.h"
#include "record/critical.h"
#include "record/control.h"
#include "record/identity.h"
#include "record/live.h"
#include "record/scratch.h"
#include "record/segment.h"
#include "record/stream.h"
#include "record/sys.h"
#include "record/testpoint.h"
#include "record/thread.h"
#include "record/tracedir.h"

#define AREA_SIZE ARENA_AREA_SIZE
/* Of it what has memory from the begin: enough for a short process. */
#define FIRST_SIZE (16u << 10)
#define PATIENCE 200 /* yields to a thread that is about to complete an entry */

static struct {
	struct live_file file;
	struct arena_header *header;
	uint8_t *area;
	_Atomic uint64_t freed;
} arena;

/* Without it, a process under RLIMIT_AS could not store what its records mean. */
static uint8_t reserve_scratch[AREA_SIZE] BULK;
static atomic_flag reserve_taken = ATOMIC_FLAG_INIT;

#define SHARED(field) ((_Atomic uint64_t *)&arena.header->field)

static void write_names(struct arena_header *header)
{
	struct packer packer = packer_of(header, LIVE_HEADER_SIZE);

	memcpy((uint8_t *)header + ARENA_PID_NS, &identity.pid_ns, sizeof(identity.pid_ns));
	packer.p = (uint8_t *)header + ARENA_BOOT_ID;
	pack_str(&packer, identity.boot_id);
	packer.p = (uint8_t *)header + ARENA_TRACE_DIR;
	pack_str(&packer, tracedir_path);
	packer.p = (uint8_t *)header + ARENA_STREAM_NAME;
	pack_str(&packer, stream_name());
}

int arena_open(void)
{
	struct arena_header *header;
	int error = live_create(&arena.file, "defs", LIVE_HEADER_SIZE + AREA_SIZE,
				LIVE_HEADER_SIZE + FIRST_SIZE);

	if (error)
		return error;
	header = arena.file.address;
	header->stream_id = identity.stream_id;
	header->pid = identity.pid;
	header->size = AREA_SIZE;
	header->pid_start = identity.pid_start;
	header->launcher = identity.launcher;
	header->anchor = clock_anchor();
	write_names(header);
	memcpy(header->magic, ARENA_MAGIC, sizeof(header->magic));
	atomic_store(&arena.freed, 0);
	arena.area = (uint8_t *)header + LIVE_HEADER_SIZE;
	arena.header = header;
	control_open((_Atomic uint32_t *)&header->control);
	return 0;
}

void arena_unlink(void)
{
	live_unlink(&arena.file);
}

void arena_restore(void)
{
	if (arena.header)
		live_restore(&arena.file, "defs");
}

void arena_forked(void)
{
	arena.header = NULL;
	atomic_flag_clear(&reserve_taken);
	live_unmap(&arena.file);
}

/* A copy of the entries, then these relative to each other, then that deflated. */
size_t arena_flush_size(void)
{
	size_t relative = defs_relative_bound(AREA_SIZE);

	return (AREA_SIZE + relative + deflater_bound(relative) + 15) & ~(size_t)15;
}

/* What begins at `position`. */
static _Atomic uint64_t *word_at(uint64_t position)
{
	return arena_word(arena.area, position);
}

static void zero_area(uint64_t position, uint32_t size)
{
	for (uint32_t i = 0; i < size; i += sizeof(uint64_t))
		atomic_store_explicit(word_at(position + i), 0, memory_order_relaxed);
}

/* The thread that moved `flushed` from..to gives the space back, in order with others that do so. */
static void give_back(uint64_t from, uint64_t to)
{
	zero_area(from, (uint32_t)(to - from));
	while (atomic_load_explicit(&arena.freed, memory_order_acquire) != from)
		sys_sched_yield();
	atomic_store_explicit(&arena.freed, to, memory_order_release);
}

/*
 * Copies what is not in the stream yet, which begins at *from. Waits a little for who is about to complete an entry, unless that is what this signal handler has interrupted; and
 * looks again where others have moved on meanwhile, and filled the area anew: no size that is found is trusted.
 */
static struct arena_copy take_copy(uint8_t *copy, uint64_t *from)
{
	for (unsigned patience = thread_task()->defining ? 0 : PATIENCE;; patience--) {
		uint64_t head;
		struct arena_copy found;

		*from = atomic_load_explicit(SHARED(flushed), memory_order_acquire);
		head = atomic_load_explicit(SHARED(head), memory_order_acquire);
		if (head - *from > AREA_SIZE)
			head = *from; /* others have moved on */
		found = arena_copy_entries(copy, arena.area, *from, (uint32_t)(head - *from));
		atomic_thread_fence(memory_order_acquire);
		if (*from != atomic_load_explicit(SHARED(flushed), memory_order_relaxed))
			patience++; /* once more, for nothing */
		else if ((found.settled && !found.has_gaps) || patience == 0)
			return found;
		else
			sys_sched_yield();
	}
}

/* Packs a copy of the entries, if that makes them smaller; returns the body. */
static const uint8_t *pack(uint8_t *scratch, struct deflater *deflater, struct chunk_header *chunk)
{
	size_t room = defs_relative_bound(AREA_SIZE);
	struct varints words = varints_in(scratch + AREA_SIZE, room);
	uint8_t *packed = words.end;
	uint32_t count = defs_relative_pack(scratch, chunk->plain_size, &words);
	size_t plain = (size_t)(words.p - (scratch + AREA_SIZE)), size;

	if (words.full)
		return scratch;
	size = deflater_run(deflater, scratch + AREA_SIZE, plain, packed, deflater_bound(plain));
	if (size == 0 || size >= chunk->plain_size)
		return scratch;
	chunk->encoding = DEFS_RELATIVE;
	chunk->count = count;
	chunk->body_size = (uint32_t)size;
	chunk->plain_size = (uint32_t)plain;
	return packed;
}

/* What is in the stream gives its space back, if nobody else has done that. A signal handler must not wait for the thread that it interrupted: what it wrote
 * will be written once more. */
static void move_on(uint64_t from, uint64_t to)
{
	if (thread_task()->flushing)
		return;
	thread_task()->flushing = 1;
	compiler_barrier();
	if (atomic_compare_exchange_strong(SHARED(flushed), &from, to)) {
		test_point("definitions-flushed");
		give_back(from, to);
	}
	compiler_barrier();
	thread_task()->flushing = 0;
}

static int append_chunk(uint8_t *scratch, struct deflater *deflater, const struct arena_copy *found)
{
	struct chunk_header chunk = {.type = CHUNK_DEFS,
				     .encoding = DEFS_PLAIN,
				     .count = found->count,
				     .body_size = found->size,
				     .plain_size = found->size};
	const uint8_t *body = scratch;

	chunk.anchor = clock_anchor();
	if (deflater)
		body = pack(scratch, deflater, &chunk);
	return stream_append(&chunk, body);
}

static int flush(uint8_t *scratch, struct deflater *deflater)
{
	struct arena_copy found;
	uint64_t from;
	int error;

	if (!arena.header)
		return -EBADF;
	found = take_copy(scratch, &from);
	if (!found.has_entry)
		return 0;
	error = append_chunk(scratch, deflater, &found);
	if (error)
		return error;
	test_point("definitions-written");
	if (found.whole > 0)
		move_on(from, from + found.whole);
	return 0;
}

int arena_flush(uint8_t *scratch, struct deflater *deflater)
{
	int error;

	critical_enter();
	segment_enter();
	error = flush(scratch, deflater);
	segment_leave();
	critical_leave();
	return error;
}

int arena_flush_reserve(void)
{
	int error = -EBUSY;

	critical_enter();
	if (!atomic_flag_test_and_set(&reserve_taken)) {
		error = arena_flush(reserve_scratch, NULL);
		atomic_flag_clear(&reserve_taken);
	}
	critical_leave();
	return error;
}

/* Whether a flush gives space back: not if the first entry is not complete, or if this is a signal handler that has interrupted who is about to do so. */
static bool can_make_room(void)
{
	uint64_t first =
		atomic_load_explicit(word_at(atomic_load(SHARED(flushed))), memory_order_relaxed);
	struct def_header entry;

	memcpy(&entry, &first, sizeof(entry));
	return entry.complete && !thread_task()->flushing;
}

static int flush_with_scratch(void)
{
	struct scratch *scratch = scratch_take(arena_flush_size());
	int error;

	if (!scratch)
		return arena_flush_reserve();
	error = arena_flush(scratch->free, scratch->deflater);
	scratch_give(scratch);
	return error;
}

/* Makes room by flushing; false if that failed. */
static bool make_room(void)
{
	uint64_t blocked;
	int error;

	if (!can_make_room())
		return false;
	blocked = critical_enter_alone();
	error = flush_with_scratch();
	critical_leave_alone(blocked);
	return !error;
}

/* Whether the area has memory up to a position, or gets it: it does once, twice as much each time, before it is gone through for the first time. */
static bool has_memory(uint64_t position)
{
	size_t reserved = atomic_load_explicit(&arena.file.reserved, memory_order_relaxed);
	size_t size = reserved - LIVE_HEADER_SIZE;

	if (position <= size || size == AREA_SIZE)
		return true;
	while (size < position && size < AREA_SIZE)
		size *= 2;
	return !live_reserve(&arena.file, LIVE_HEADER_SIZE + size);
}

/* Reserves `size` bytes that do not cross the end of the area; UINT64_MAX if there is no room. */
static uint64_t reserve(uint32_t size)
{
	uint64_t head = atomic_load_explicit(SHARED(head), memory_order_relaxed);

	for (;;) {
		uint32_t left = AREA_SIZE - ((uint32_t)head & (AREA_SIZE - 1));
		uint32_t padding = left < size ? left : 0;
		struct def_header pad = {padding - (uint32_t)sizeof(pad), DEF_PADDING, 1};
		uint64_t word;

		if (head + padding + size - atomic_load(&arena.freed) > AREA_SIZE ||
		    !has_memory(head + padding + size))
			return UINT64_MAX;
		if (!atomic_compare_exchange_weak(SHARED(head), &head, head + padding + size))
			continue;
		if (padding) {
			memcpy(&word, &pad, sizeof(word));
			atomic_store_explicit(word_at(head), word, memory_order_release);
		}
		return head + padding;
	}
}

/* Word by word, as others may be copying them. */
static void put_words(uint64_t position, const uint8_t *payload, size_t size)
{
	for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
		size_t left = size - at;
		uint64_t word = 0;

		memcpy(&word, payload + at, left < sizeof(word) ? left : sizeof(word));
		atomic_store_explicit(word_at(position + at), word, memory_order_relaxed);
	}
}

/* A chunk for one definition that finds no room in the area: it is full of what the thread that a signal handler interrupted was about to give back. */
static bool append_alone(enum def_type type, const uint32_t *number, const void *payload,
			 size_t payload_size)
{
	struct scratch *scratch = scratch_take(def_entry_size(payload_size));
	struct chunk_header chunk = {.type = CHUNK_DEFS, .encoding = DEFS_PLAIN, .count = 1};
	int error;

	if (!scratch)
		return false;
	chunk.body_size = chunk.plain_size =
		(uint32_t)def_entry_pack(scratch->free, scratch->free_size, type, payload,
					 payload_size);
	if (number)
		memcpy(scratch->free + sizeof(struct def_header), number, sizeof(*number));
	chunk.anchor = clock_anchor();
	segment_enter();
	error = stream_append(&chunk, scratch->free);
	segment_leave();
	scratch_give(scratch);
	return !error;
}

/* What stands in the area from where it was reserved: a handler that comes meanwhile leaves it as it is. */
static void fill_entry(uint64_t position, enum def_type type, const uint32_t *number,
		       const void *payload, size_t payload_size)
{
	struct def_header header = {(uint32_t)payload_size, (uint16_t)type, 0};
	uint64_t word;

	thread_task()->defining++;
	compiler_barrier();
	test_point("definition-reserved");
	memcpy(&word, &header, sizeof(word));
	atomic_store_explicit(word_at(position), word, memory_order_relaxed);
	test_point("definition-begun");
	atomic_thread_fence(memory_order_release); /* who sees any of it sees the header, too */
	put_words(position + sizeof(header), payload, payload_size);
	if (number)
		atomic_store_explicit((_Atomic uint32_t *)(void *)word_at(position +
									  sizeof(header)),
				      *number, memory_order_relaxed);
	header.complete = 1;
	memcpy(&word, &header, sizeof(word));
	atomic_store_explicit(word_at(position), word, memory_order_release);
	compiler_barrier();
	thread_task()->defining--;
}

static bool put_entry(enum def_type type, const uint32_t *number, const void *payload,
		      size_t payload_size)
{
	uint32_t size = (uint32_t)def_entry_size(payload_size);
	uint64_t position = UINT64_MAX;

	if (!arena.header || payload_size == 0 || size > AREA_SIZE / 2)
		return false;
	for (int tries = 0; tries < 3 && position == UINT64_MAX; tries++) {
		position = reserve(size);
		if (position == UINT64_MAX && !make_room())
			break;
	}
	if (position == UINT64_MAX)
		return append_alone(type, number, payload, payload_size);
	fill_entry(position, type, number, payload, payload_size);
	return true;
}

/* `number`: in place of the payload's first four bytes; NULL: these. */
static bool put(enum def_type type, const uint32_t *number, const void *payload,
		size_t payload_size)
{
	bool is_there;

	critical_enter();
	is_there = put_entry(type, number, payload, payload_size);
	critical_leave();
	return is_there;
}

bool arena_put(enum def_type type, const void *payload, size_t payload_size)
{
	return put(type, NULL, payload, payload_size);
}

bool arena_put_numbered(enum def_type type, uint32_t number, const void *payload,
			size_t payload_size)
{
	return put(type, &number, payload, payload_size);
}

/* Why they were lost; of two reasons one word is made. A race of threads may leave one of them. */
static _Atomic uint32_t *lost_reason(void)
{
	return (_Atomic uint32_t *)(void *)((uint8_t *)arena.header + ARENA_LOSS);
}

void arena_count_lost(enum loss_reason reason, uint64_t records)
{
	if (!arena.header || records == 0)
		return;
	atomic_store(lost_reason(),
		     loss_both((enum loss_reason)atomic_load(lost_reason()), reason));
	atomic_fetch_add(SHARED(lost), records);
}

void arena_uncount_lost(uint64_t records)
{
	if (arena.header && atomic_fetch_sub(SHARED(lost), records) == records)
		atomic_store(lost_reason(), LOSS_NONE);
}

void arena_count_stored(uint64_t records, uint64_t bytes)
{
	if (!arena.header)
		return;
	atomic_fetch_add(SHARED(records), records);
	atomic_store(SHARED(bytes), bytes);
}

void arena_next_segment(void)
{
	if (arena.header)
		atomic_store(SHARED(records), 0);
}

void arena_uncount_stored(void)
{
	if (arena.header)
		atomic_fetch_sub(SHARED(records), 1);
}

uint64_t arena_flushed(void)
{
	return arena.header ? atomic_load(SHARED(flushed)) : 0;
}

uint64_t arena_stored(void)
{
	return arena.header ? atomic_load(SHARED(records)) : 0;
}
