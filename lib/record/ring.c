/* SPDX-License-Identifier: MIT */
/* ring.c - rings: made, recycled, grown. */
#include "record/ring.h"

#include <stdatomic.h>
#include <string.h>

#include "record/bulk.h"
#include "record/config.h"
#include "record/critical.h"
#include "record/identity.h"
#include "record/live.h"
#include "record/testpoint.h"
#include "record/text.h"

#define OPEN_SIZE (28u << 10)
#define DATA_OFFSET (LIVE_HEADER_SIZE + OPEN_SIZE)
#define DATA_SIZE_FIRST (64u << 10)
/* Of it what has memory until more is needed: what a thread records that does little. */
#define DATA_RESERVED_FIRST (16u << 10)
/* A ring that grows beyond it has memory for all at once, which is cheaper a page; up to there the process may end before it comes to the new pages. */
#define DATA_SIZE_LAZY (128u << 10)
#define DATA_SIZE_MIN (RECORD_MAX_SIZE + 8)

/* By thread->ring_slot. Not wiped by a fork: the child unmaps what its parent mapped. */
static struct live_file rings[THREADS_MAX] BULK;

static void make_suffix(char *suffix, size_t size, unsigned slot)
{
	struct textbuf text = text_in(suffix, size);

	text_add_u64(&text, slot);
	text_add(&text, ".ring");
}

/* For four bytes of records there are three for what is held. */
#define DATA_PARTS 4u
#define HELD_PARTS 3u

/* Bytes of the file for a ring of so many. */
static uint64_t file_size(uint64_t data_size)
{
	uint64_t size = data_size + (config.summed_times ? data_size / DATA_PARTS * HELD_PARTS : 0);

	return DATA_OFFSET + ((size + 4095) & ~4095ull);
}

/* Nothing is held. */
static void clear_held(struct ring_header *ring, uint32_t offset, uint32_t size)
{
	ring->held_size = 0;
	for (uint32_t i = 0; i < 2 && size > 0; i++)
		memset((uint8_t *)ring + offset + i * (size / 2), 0, sizeof(struct held_place));
	ring->held_offset = offset;
	ring->held_size = size;
}

/* Bytes of data that records may come to. */
static uint32_t usable(const struct live_file *file, const struct ring_header *ring)
{
	size_t reserved = atomic_load(&file->reserved) - DATA_OFFSET;

	return (reserved < ring->data_size ? (uint32_t)reserved : ring->data_size) - RECORDS_BEHIND;
}

/* Points the thread's fields at its mapped ring and writes the header of an empty one. */
static void attach(struct thread *thread, struct live_file *file)
{
	struct ring_header *ring = file->address;
	uint32_t room = (uint32_t)file->size - DATA_OFFSET;
	uint32_t held =
		config.summed_times ? room / (DATA_PARTS + HELD_PARTS) * HELD_PARTS & ~15u : 0;

	ring->stream_id = identity.stream_id;
	ring->thread = thread->index;
	ring->tid = thread->tid;
	ring->open_offset = LIVE_HEADER_SIZE;
	ring->open_size = OPEN_SIZE;
	ring->data_offset = DATA_OFFSET;
	ring->data_size = room - held;
	clear_held(ring, DATA_OFFSET + ring->data_size, held);
	ring->t_base = thread->last_end;
	ring->first_sequence = thread->sequence_base;
	memcpy(ring->magic, RING_MAGIC, sizeof(ring->magic));
	thread->ring = ring;
	thread->open = (uint8_t *)ring + ring->open_offset;
	thread->open_size = OPEN_SIZE;
	thread->data = (uint8_t *)ring + ring->data_offset;
	thread->data_offset = ring->data_offset - ring->open_offset;
	thread->data_size = usable(file, ring);
	thread->head = 0;
	thread_forget_counted(thread);
}

/* What is held lies behind the data, so that all has memory then. */
static int make_file(struct live_file *file, unsigned slot)
{
	uint64_t size = config.buffer_size < DATA_SIZE_FIRST ? config.buffer_size : DATA_SIZE_FIRST;
	char suffix[16];

	if (size < DATA_SIZE_MIN)
		size = DATA_SIZE_MIN;
	size = file_size(size);
	make_suffix(suffix, sizeof(suffix), slot);
	return live_create(file, suffix, size,
			   config.summed_times ? size : DATA_OFFSET + DATA_RESERVED_FIRST);
}

int ring_open(struct thread *thread)
{
	struct live_file *file = &rings[thread->ring_slot];
	int error = file->address ? 0 : make_file(file, thread->ring_slot);

	if (!error)
		attach(thread, file);
	return error;
}

bool ring_extend(struct thread *thread)
{
	struct live_file *file = &rings[thread->ring_slot];
	uint32_t before = thread->data_size;
	uint64_t blocked = critical_enter_alone();
	int error = live_reserve(file, file->size);

	critical_leave_alone(blocked);
	if (error)
		return false;
	thread->data_size = usable(file, thread->ring);
	return thread->data_size > before;
}

void ring_reserve_all(void)
{
	for (uint32_t i = 0; i < thread_slots(); i++)
		if (rings[i].address)
			(void)live_reserve(&rings[i], rings[i].size);
}

/* Begins the next generation, without records. */
static void begin_generation(struct thread *thread, uint64_t t_base)
{
	struct ring_header *ring = thread->ring;
	struct loss_pending lost = loss_pending(thread);

	ring->in_place = 0;
	ring->t_base = t_base;
	ring->first_sequence = thread->sequence_base;
	ring->lost = lost.records;
	ring->lost_reason = lost.reason;
	test_point("recycling");
	thread->generation++;
	thread->head = 0;
	thread->run_end = 0;
	thread->poll = NULL;
	thread_forget_counted(thread);
	thread->counted_any = false;
	thread->repeated = 0;
	atomic_store_explicit((_Atomic uint64_t *)&ring->published, thread->position,
			      memory_order_release);
}

void ring_settle(struct thread *thread)
{
	const struct raw_record *record = (const void *)(thread->data + thread->head);
	uint32_t top = thread->open_top - OPEN_IN_PLACE;
	struct raw_record *moved = (struct raw_record *)(thread->open + top);

	if (!thread_is_in_place(thread))
		return;
	memcpy(moved, record, record->size);
	moved->sequence = 0; /* it gets the one that is next when it ends */
	compiler_barrier();  /* a jump out of here leaves it where it was, or all of it there */
	thread->calls[thread->level - 1].offset = top;
	thread->open_top = top + record->size;
	/* a reader finds it in both places, or in either one */
	compiler_barrier();
	thread->ring->open_top = thread->open_top;
	test_point("settling");
	compiler_barrier();
	thread->ring->in_place = 0;
}

static uint64_t grown_size(const struct thread *thread)
{
	return 2 * (uint64_t)thread->ring->data_size;
}

/* The open-call stack moves with the file; only the outermost call, which asked for this, looks again where it is. */
bool ring_may_grow(const struct thread *thread)
{
	return thread_mode(thread) == THREAD_ACTIVE && thread->level <= 1 &&
	       grown_size(thread) <= config.buffer_size;
}

void ring_recycle(struct thread *thread, bool grow)
{
	struct live_file *file = &rings[thread->ring_slot];
	size_t size = file_size(grown_size(thread));
	bool all = config.summed_times || grown_size(thread) > DATA_SIZE_LAZY;

	begin_generation(thread, thread->last_end);
	if (grow && ring_may_grow(thread) && !live_grow(file, size, all ? size : 0))
		attach(thread, file);
}

void ring_keep(struct thread *thread, uint32_t from, uint64_t t_base)
{
	uint32_t size = thread->head - from;

	begin_generation(thread, t_base);
	test_point("keeping");
	memmove(thread->data, thread->data + from, size);
	for (uint32_t at = 0; at < size;) {
		const struct raw_record *record = (const void *)(thread->data + at);

		thread->repeated += record->repeat > 1;
		at += record->size;
	}
	thread_publish(thread, size);
}

bool ring_is_private(const struct thread *thread)
{
	return rings[thread->ring_slot].private;
}

uint8_t *ring_held(const struct thread *thread, uint32_t *size)
{
	*size = thread->ring->held_size;
	return *size > 0 ? (uint8_t *)thread->ring + thread->ring->held_offset : NULL;
}

void ring_release(struct thread *thread)
{
	thread->ring->thread = RING_FREE;
}

void ring_unlink_all(void)
{
	for (uint32_t i = 0; i < thread_slots(); i++)
		if (rings[i].address)
			live_unlink(&rings[i]);
}

void ring_restore_all(void)
{
	char suffix[16];

	for (uint32_t i = 0; i < thread_slots(); i++) {
		if (!rings[i].address)
			continue;
		make_suffix(suffix, sizeof(suffix), i);
		live_restore(&rings[i], suffix);
	}
}

void ring_forked(void)
{
	for (uint32_t i = 0; i < thread_slots(); i++)
		if (rings[i].address)
			live_unmap(&rings[i]);
}
