/* SPDX-License-Identifier: MIT */
/* arena.c - the definitions arena and its flushing. */
#include "record/arena.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "format/defs.h"
#include "format/defs_relative.h"
#include "format/deflater.h"
#include "record/clock.h"
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

#define AREA_SIZE (64u << 10)
#define PATIENCE 200 /* yields to a thread that is about to complete an entry */

static struct {
	struct live_file file;
	struct arena_header *header;
	uint8_t *area;
	_Atomic uint64_t freed;
	_Atomic uint64_t lost; /* definitions that found no room */
} arena;

/* Without it, a process under RLIMIT_AS could not store what its records mean. */
static uint8_t reserve_scratch[AREA_SIZE];
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
	int error = live_create(&arena.file, "defs", LIVE_HEADER_SIZE + AREA_SIZE);

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

/* What begins at `position`; all of the area's contents are 64-bit words. */
static _Atomic uint64_t *word_at(uint64_t position)
{
	return (void *)(arena.area + (position & (AREA_SIZE - 1)));
}

/*
 * Bytes of whole entries from `position` to `head`. Waits a little for one that is being written. Others may have moved on meanwhile
 * and filled the area anew: no size that is found is trusted, and the caller looks again.
 */
static uint32_t whole_entries(uint64_t position, uint64_t head)
{
	uint64_t start = position;
	unsigned patience = PATIENCE;

	if (head - position > AREA_SIZE)
		return 0;
	while (position < head) {
		uint64_t value = atomic_load_explicit(word_at(position), memory_order_acquire);
		struct def_header entry;

		if (value == 0 && patience-- > 0) {
			sys_sched_yield();
			continue;
		}
		memcpy(&entry, &value, sizeof(entry));
		if (value == 0 || def_entry_size(entry.size) > head - position)
			break;
		position += def_entry_size(entry.size);
	}
	return (uint32_t)(position - start);
}

static void copy_area(uint8_t *to, uint64_t position, uint32_t size)
{
	for (uint32_t i = 0; i < size; i += sizeof(uint64_t)) {
		uint64_t word = atomic_load_explicit(word_at(position + i), memory_order_relaxed);

		memcpy(to + i, &word, sizeof(word));
	}
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

/* In a DEFS chunk the mark of completeness has no meaning and is 0; also counts the entries. */
static uint32_t clear_marks(uint8_t *entries, uint32_t size)
{
	uint32_t count = 0;

	for (uint32_t at = 0; at < size; count++) {
		struct def_header *entry = (struct def_header *)(entries + at);

		entry->complete = 0;
		at += (uint32_t)def_entry_size(entry->size);
	}
	return count;
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

static int flush(uint8_t *scratch, struct deflater *deflater)
{
	struct chunk_header chunk = {.type = CHUNK_DEFS, .encoding = DEFS_PLAIN};
	uint64_t from;
	const uint8_t *body = scratch;
	uint32_t size;
	int error;

	if (!arena.header)
		return -EBADF;
	do {
		from = atomic_load_explicit(SHARED(flushed), memory_order_acquire);
		size = whole_entries(from,
				     atomic_load_explicit(SHARED(head), memory_order_acquire));
		copy_area(scratch, from, size);
		atomic_thread_fence(memory_order_acquire);
	} while (from != atomic_load_explicit(SHARED(flushed), memory_order_relaxed));
	if (size == 0)
		return 0;
	chunk.count = clear_marks(scratch, size);
	chunk.body_size = chunk.plain_size = size;
	chunk.anchor = clock_anchor();
	if (deflater)
		body = pack(scratch, deflater, &chunk);
	error = stream_append(&chunk, body);
	if (error)
		return error;
	test_point("definitions-written");
	/* A signal handler must not wait for the thread that it interrupted: what it wrote will be written once more. */
	if (thread_tls.flushing)
		return 0;
	thread_tls.flushing = 1;
	compiler_barrier();
	if (atomic_compare_exchange_strong(SHARED(flushed), &from, from + size)) {
		test_point("definitions-flushed");
		give_back(from, from + size);
	}
	compiler_barrier();
	thread_tls.flushing = 0;
	return 0;
}

int arena_flush(uint8_t *scratch, struct deflater *deflater)
{
	int error;

	segment_enter();
	error = flush(scratch, deflater);
	segment_leave();
	return error;
}

int arena_flush_reserve(void)
{
	int error;

	if (atomic_flag_test_and_set(&reserve_taken))
		return -EBUSY;
	error = arena_flush(reserve_scratch, NULL);
	atomic_flag_clear(&reserve_taken);
	return error;
}

/* Makes room by flushing; false if that failed. */
static bool make_room(void)
{
	struct scratch *scratch = scratch_take(arena_flush_size());
	int error;

	if (!scratch)
		return !arena_flush_reserve();
	error = arena_flush(scratch->free, scratch->deflater);
	scratch_give(scratch);
	return !error;
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

		if (head + padding + size - atomic_load(&arena.freed) > AREA_SIZE)
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

bool arena_put(enum def_type type, const void *payload, size_t payload_size)
{
	struct def_header header = {(uint32_t)payload_size, (uint16_t)type, 1};
	uint32_t size = (uint32_t)def_entry_size(payload_size);
	uint64_t position = UINT64_MAX, word;
	uint8_t *entry;

	if (!arena.header || payload_size == 0 || size > AREA_SIZE / 2)
		return false;
	for (int tries = 0; tries < 3 && position == UINT64_MAX; tries++) {
		position = reserve(size);
		if (position == UINT64_MAX && !make_room())
			break;
	}
	if (position == UINT64_MAX) {
		atomic_fetch_add(&arena.lost, 1);
		return false;
	}
	entry = arena.area + (position & (AREA_SIZE - 1));
	memcpy(entry + sizeof(header), payload, payload_size);
	memcpy(&word, &header, sizeof(word));
	atomic_store_explicit(word_at(position), word, memory_order_release);
	return true;
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

uint64_t arena_stored(void)
{
	return arena.header ? atomic_load(SHARED(records)) : 0;
}
