/* SPDX-License-Identifier: MIT */
/* open_calls.c - see open_calls.h */
#include "record/open_calls.h"

#include <errno.h>
#include <string.h>

#include "record/control.h"
#include "record/define.h"
#include "record/function.h"
#include "record/loss.h"
#include "record/mend.h"
#include "record/modules.h"
#include "record/patience.h"
#include "record/readable.h"
#include "record/ring.h"
#include "record/sandbox.h"
#include "record/seal.h"
#include "record/signals.h"
#include "record/sharing.h"
#include "record/sys.h"
#include "record/testpoint.h"

#define SANDBOX_TICKS (1ull << 30)

uint64_t call_min_ticks; /* RECORDER_MIN_DURATION */

/* While the process ends, somebody else has this thread's ring for a moment. False: for too long a moment. */
static bool wait_closed(struct thread *thread)
{
	struct patience patience = {0};

	while (thread_mode(thread) == THREAD_CLOSING)
		if (!patience_wait(&patience))
			return false;
	return true;
}

bool call_take_ring(struct thread *thread, uintptr_t frame)
{
	for (;;) {
		thread_set_busy_in(thread, frame);
		if (thread_mode(thread) != THREAD_CLOSING)
			return true;
		thread_set_idle(thread);
		if (!wait_closed(thread))
			return false;
	}
}

struct thread *call_ready_thread(uintptr_t frame)
{
	struct thread *thread = sharing_self();

	sharing_look(thread);
	if (thread_mode(thread) == THREAD_NONE)
		thread = thread_attach();
	else if (!mend_is_idle(thread, frame)) /* a signal handler interrupted the recorder */
		thread = thread_spare(thread);
	if (!thread)
		return NULL;
	if (!mend_is_idle(thread, frame)) {
		loss_count(LOSS_SIGNAL, 1);
		return NULL;
	}
	if (call_take_ring(thread, frame))
		return thread;
	loss_count(LOSS_CLOSING, 1);
	return NULL;
}

bool call_is_defined(unsigned function)
{
	return function_state_of(function) != FUNCTION_NEW || definition_function(function);
}

void call_store_finished(struct thread *thread, struct raw_record *record)
{
	if (record->tend < thread->last_end)
		record->tend = thread->last_end;
	record->flags &= (uint8_t)~RECORD_DROP;
	record->sequence = thread->sequence_low++;
	memcpy(thread->data + thread->head, record, record->size);
	thread->last_end = record->tend;
	test_point("publishing");
	thread_publish(thread, record->size);
	test_point("published");
}

void call_pop(struct thread *thread, uint32_t level)
{
	thread->level = level;
	thread->open_top = thread->calls[level].offset;
	thread->ring->open_top = thread->open_top;
}

bool call_has_ring_room(struct thread *thread, uint32_t size)
{
	return thread->head + size <= thread->data_size ||
	       (ring_extend(thread) && thread->head + size <= thread->data_size);
}

bool call_ensure_room(struct thread *thread, uint32_t size)
{
	if (call_has_ring_room(thread, size))
		return true;
	if (!sandbox_active()) {
		seal_ring(thread);
		if (!call_has_ring_room(thread, size)) /* after what it kept */
			seal_thread(thread, false);
		if (call_has_ring_room(thread, size))
			return true;
	}
	loss_of_call(thread, LOSS_RING_FULL);
	return false;
}

/* Whether a stack address lies on the stack that the thread runs on now. */
static bool same_stack(uintptr_t address, uintptr_t here)
{
	stack_t alternate;

	if (!sys_sigaltstack(NULL, &alternate) && (alternate.ss_flags & SS_ONSTACK))
		return address - (uintptr_t)alternate.ss_sp < alternate.ss_size;
	return here - address < LEFT_DISTANCE_MAX;
}

/* The innermost open call ends now, without having returned. */
static void drop_innermost(struct thread *thread, uint64_t now)
{
	uint32_t level = thread->level - 1;
	struct raw_record *record;

	ring_settle(thread);
	if (call_ensure_room(thread, call_open_record(thread, level)->size)) {
		record = call_open_record(thread, level);
		record->tend = now;
		record->flags |= RECORD_LEFT;
		call_store_finished(thread, record);
	}
	call_pop(thread, level);
}

/* Calls at `frame` and inside of it, as seen from the stack's growth, have been left without a return. */
void call_drop_left(struct thread *thread, uintptr_t frame)
{
	uint64_t now = clock_ticks();

	while (thread->level > 0 && thread->calls[thread->level - 1].frame <= frame) {
		if (!same_stack(thread->calls[thread->level - 1].frame, frame))
			return; /* a signal handler's or a coroutine's */
		drop_innermost(thread, now);
	}
}

void call_drop_all(struct thread *thread)
{
	call_drop_to(
		thread,
		0); /* which asks for no time if there are none: in a sandbox there may be no clock */
}

void call_drop_to(struct thread *thread, uint32_t level)
{
	uint64_t now;

	if (thread->level <= level)
		return;
	now = clock_ticks();
	while (thread->level > level)
		drop_innermost(thread, now);
}

void call_drop_all_at(struct thread *thread, uint64_t now)
{
	while (thread->level > 0)
		drop_innermost(thread, now);
}

void call_drop_inside(struct thread *thread, uint32_t level)
{
	if (thread->level <= level)
		return;
	thread_set_busy(thread);
	call_drop_to(thread, level);
	thread_set_idle(thread);
}

void call_make_way(struct thread *thread, uintptr_t frame)
{
	if (thread->calls[thread->level - 1].frame <= frame)
		call_drop_left(thread, frame);
	ring_settle(thread);
}

bool call_may_nest(struct thread *thread, uint32_t size, uintptr_t frame)
{
	call_make_way(thread, frame);
	if (call_has_room(thread, size))
		return true;
	loss_of_call(thread, LOSS_TOO_DEEP);
	return false;
}

void call_seal_around(struct thread *thread)
{
	if (thread->level > 0)
		seal_thread_in_place(thread);
	else
		seal_thread(thread, false);
}

/* The records since the last time. */
static void attend_to_modules(struct thread *thread)
{
	bool same_generation = thread->attended >> 32 == thread->generation;
	uint32_t from = same_generation ? (uint32_t)thread->attended : 0;

	modules_attend(thread->data + from, thread->data + thread->head);
	thread->attended = thread->position;
}

static void attend(struct thread *thread)
{
	uint32_t flushes = control_flushes();

	control_paused();
	readable_forget_all(); /* libc may have unmapped some of it */
	attend_to_modules(thread);
	if (thread_mode(thread) == THREAD_WRITE_THROUGH || flushes != thread->flushes)
		call_seal_around(thread);
	else if (thread->last_end > thread->seal_deadline && thread->level > 0)
		seal_ring_in_place(thread);
	else if (thread->last_end > thread->seal_deadline)
		seal_ring(thread);
	thread->flushes = flushes;
	thread->attention = seal_attention(thread);
}

void call_attend(struct thread *thread)
{
	uint64_t blocked;

	if (sandbox_active()) { /* now and then: it may be that the filter is refused */
		thread->attention = thread->last_end + SANDBOX_TICKS;
		return;
	}
	blocked =
		signals_block(); /* locks are held, libc's among them: nobody may jump out of it */
	attend(thread);
	signals_restore(blocked);
}
