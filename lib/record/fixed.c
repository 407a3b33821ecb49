/* SPDX-License-Identifier: MIT */
/* fixed.c - see fixed.h */
#include "record/fixed.h"

#include "record/loss.h"
#include "record/ring.h"

/* What wrappers write to whose calls are in flight no more. Nobody reads it. */
static struct {
	struct raw_record record;
	uint64_t args[RECORD_MAX_ARGS];
} nowhere;

bool fixed_may_nest(struct thread *thread, uint32_t size, uintptr_t frame)
{
	call_make_way(thread, frame);
	/* what was dropped has taken some of the ring; and on the stack there must be room for who is moved there */
	return call_has_room(thread, size) && thread->head + size <= thread->data_size;
}

bool fixed_enter_far(struct call *call, unsigned function, unsigned arg_count, uintptr_t site)
{
	if (!call_enter(call, function, arg_count, site))
		return false;
	call_put_up(call);
	return true;
}

/* The level of the open call; UINT32_MAX: it is none any more. */
static uint32_t level_of(const struct call *call)
{
	const struct thread *thread = call->thread;

	for (uint32_t level = thread->level; level > 0; level--)
		if (thread->calls[level - 1].frame == (uintptr_t)call)
			return level - 1;
	return UINT32_MAX;
}

/* False: it is not recorded any more. */
static bool find(struct call *call)
{
	struct thread *thread = call->thread;
	uint32_t level;

	if (thread_mode(thread) == THREAD_NONE) /* forked meanwhile: the record is the parent's */
		return false;
	if (thread_mode(thread) == THREAD_CLOSING && !call_take_ring(thread)) {
		loss_count(LOSS_CLOSING, 1);
		return false;
	}
	level = level_of(call);
	/* closed already, as left: stacks were switched beyond recognition */
	if (level == UINT32_MAX) {
		loss_of_call(thread, LOSS_TOO_DEEP);
		return false;
	}
	call_drop_to(thread, level + 1); /* left by a longjmp to here */
	ring_settle(thread);
	call->record = call_open_record(thread, level);
	return true;
}

void fixed_start_far(struct call *call)
{
	struct thread *thread = call->thread;

	call->record->tstart = clock_ticks();
	compiler_barrier();
	thread->ring->open_top = thread->open_top;
	thread_set_idle(thread);
}

void fixed_stop_far(struct call *call, uint64_t now)
{
	int saved = errno;

	if (clock_is_monotonic)
		now = clock_ticks();
	if (!find(call)) {
		/* so whatever else is in place is not published for it */
		nowhere.record.flags = RECORD_DROP;
		call->record = &nowhere.record;
	}
	call->record->tend = now;
	errno = saved;
}

void fixed_leave_far(struct call *call)
{
	struct thread *thread = call->thread;

	if (call->record == &nowhere.record) {
		thread_set_idle(thread);
	} else if (thread_is_in_place(thread) && (call->record->flags & RECORD_DROP)) {
		thread->ring->in_place = 0;
		thread->depth -= DEPTH_IN_PLACE;
		thread_set_idle(thread);
	} else {
		ring_settle(thread);
		call->record = call_open_record(thread, thread->level - 1);
		call_leave(call);
	}
}
