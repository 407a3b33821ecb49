/* SPDX-License-Identifier: MIT */
/* call.c - the slow paths of recording a call. */
#include "record/call.h"

#include "record/loss.h"
#include "record/mend.h"
#include "record/named.h"
#include "record/pushed.h"
#include "record/ring.h"
#include "record/sandbox.h"
#include "record/seal.h"
#include "record/stacks.h"

enum function_state call_state(void)
{
	if (clock_is_monotonic || call_min_ticks)
		return FUNCTION_FAR;
	return stacks_depth ? FUNCTION_STACK : FUNCTION_ON;
}

/* What wrappers write to whose calls are in flight no more. Nobody reads it, and nothing gets longer there. */
static struct {
	struct raw_record record;
	uint64_t args[RECORD_MAX_ARGS];
} nowhere;

/* Whether the record may be in place within others: drops what the program has left, and moves the one around it out of the way. */
static CALL_INLINE bool may_nest_in_place(struct thread *thread, uint32_t size, uintptr_t frame)
{
	call_make_way(thread, frame);
	/* what was dropped has taken some of the ring; and on the stack there must be room for who is moved there */
	return call_has_room(thread, size) && thread->head + size <= thread->data_size;
}

/* Whether it may be. */
static CALL_INLINE bool has_place(struct thread *thread, uint32_t size, uintptr_t frame)
{
	return call_fits(thread, size) &&
	       (thread->depth == 0 || may_nest_in_place(thread, size, frame));
}

__attribute__((noinline, hot)) bool call_enter_nested(struct call *call, unsigned function,
						      unsigned arg_count, uintptr_t site)
{
	struct thread *thread = thread_tls.self;

	if (likely(has_place(thread, call_size(arg_count), (uintptr_t)call))) {
		call_open(call, thread, thread->depth, function, arg_count, site);
		return true;
	}
	thread_set_idle(thread);
	return call_enter_far(call, function, arg_count, site);
}

/* The way of calls within others and of what has no stack. What has one is in place here, too. Stacks begin at the frame of this function. */
static __attribute__((noinline)) bool enter_uncommon(struct call *call, unsigned function,
						     unsigned arg_count, uintptr_t site)
{
	struct unwind_start start = UNWIND_START();
	struct thread *thread = thread_tls.self;

	if (likely(function_state_of(function) == FUNCTION_STACK && thread_is_idle(thread))) {
		thread_set_busy_in(thread, (uintptr_t)call);
		if (likely(has_place(thread, call_size(arg_count), (uintptr_t)call))) {
			call_open(call, thread, thread->depth, function, arg_count, site);
			call->record->stack_word = stacks_id(thread, &start, site);
			return true;
		}
		thread_set_idle(thread);
	}
	if (!pushed_enter(call, function, arg_count, site))
		return false;
	pushed_put_up(call);
	return true;
}

/* Follows the stack of a call that is open. */
static __attribute__((noinline)) bool follow_stack(struct call *call, uintptr_t site, uintptr_t pc,
						   uintptr_t sp, uintptr_t fp)
{
	const struct unwind_start start = {pc, sp, fp};

	call->record->stack_word = stacks_capture(call->thread, &start, site);
	return true;
}

/* With a stack that the thread had at this place before, without another call: nothing has to be kept across one, which would cost as much as the stack. */
__attribute__((noinline, hot)) bool call_enter_far(struct call *call, unsigned function,
						   unsigned arg_count, uintptr_t site)
{
	const struct unwind_start start = UNWIND_START();
	struct thread *thread = thread_tls.self;
	const struct stack_slot *slot;

	if (unlikely(function_state_of(function) != FUNCTION_STACK || !thread_is_idle(thread)))
		return enter_uncommon(call, function, arg_count, site);
	thread_set_busy_in(thread, (uintptr_t)call);
	if (unlikely(thread->depth || !call_fits(thread, call_size(arg_count)))) {
		thread_set_idle(thread);
		return enter_uncommon(call, function, arg_count, site);
	}
	call_open(call, thread, 0, function, arg_count, site);
	slot = stacks_hit(&start, site);
	if (unlikely(!slot))
		return follow_stack(call, site, start.pc, start.sp, start.fp);
	call->record->stack_word = slot->id;
	return true;
}

bool call_may_grow(struct call *call, uint32_t size)
{
	struct thread *thread = call->thread;
	size_t at = (size_t)((uint8_t *)call->record - thread->open);
	uint32_t top = thread->open_top & ~OPEN_IN_PLACE;

	if (size > RECORD_MAX_SIZE)
		return false;
	if (!thread_is_in_place(thread) || (uint8_t *)call->record != thread->data + thread->head)
		return at <= thread->open_size && size <= thread->open_size - at;
	if (top + size > thread->open_size) /* where it may have to be moved to */
		return false;
	ring_settle(thread);
	call->record = call_open_record(thread, thread->level - 1);
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
	if (thread_mode(thread) == THREAD_CLOSING && !call_take_ring(thread, (uintptr_t)call)) {
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

void call_start_far(struct call *call)
{
	struct thread *thread = call->thread;

	/* with what has come behind the record since it was put up */
	thread->open_top = thread->calls[thread->level - 1].offset + call->record->size;
	call->record->tstart = clock_ticks();
	compiler_barrier();
	thread->ring->open_top = thread->open_top;
	thread_set_idle(thread);
}

void call_stop_far(struct call *call, uint64_t now, uintptr_t left)
{
	int saved = errno;

	if (left)
		mend_inside(call->thread, left, (uintptr_t)call);
	if (clock_is_monotonic)
		now = clock_ticks();
	if (!find(call)) {
		/* so whatever else is in place is not published for it */
		nowhere.record.flags = RECORD_DROP;
		nowhere.record.size = RECORD_MAX_SIZE;
		call->record = &nowhere.record;
	}
	call->record->tend = now;
	errno = saved;
}

/* The call in place is over; what is at the head counts only if it was published. */
static void leave_place(struct thread *thread)
{
	thread->ring->in_place = 0;
	thread->depth -= DEPTH_IN_PLACE;
}

void call_leave_far(struct call *call)
{
	struct thread *thread = call->thread;

	if (call->record == &nowhere.record) {
		thread_set_idle(thread);
	} else if (thread_is_in_place(thread) && (call->record->flags & RECORD_DROP)) {
		leave_place(thread);
		thread_set_idle(thread);
	} else {
		ring_settle(thread);
		call->record = call_open_record(thread, thread->level - 1);
		pushed_leave(call);
	}
}

void call_close(struct call *call)
{
	struct thread *thread = call->thread;
	int saved = errno;

	if (thread_is_in_place(thread))
		leave_place(thread);
	else
		call_pop(thread, call->record->level);
	if (thread->last_end > thread->attention)
		call_attend(thread);
	errno = saved;
	thread_set_idle(thread);
}

/* Makes room also while calls are open. False: a sandbox. */
static bool ensure_room_around(struct thread *thread, uint32_t size)
{
	if (thread->level > 0 && !sandbox_active() && !call_has_ring_room(thread, size)) {
		seal_ring_in_place(thread);
		if (!call_has_ring_room(thread, size))
			seal_thread_in_place(thread);
	}
	return call_ensure_room(thread, size);
}

/* Stores a record that is not on the stack of open calls, from where it was put together. */
static void store_now(struct call *call)
{
	struct thread *thread = call->thread;
	uint32_t offset = (uint32_t)((uint8_t *)call->record - thread->open);

	if (call->record->flags & RECORD_DROP)
		return;
	if (!ensure_room_around(thread, call->record->size))
		return;
	call->record = (struct raw_record *)(thread->open + offset);
	call_store_finished(thread, call->record);
	if (thread_mode(thread) == THREAD_WRITE_THROUGH)
		call_seal_around(thread);
}

void call_store_mark(struct thread *thread, unsigned function, uint64_t ticks, const uint64_t *args,
		     unsigned arg_count)
{
	/* not among the open calls: a call may be put together there (exec) */
	uint64_t room[(sizeof(struct raw_record) / 8) + MARK_ARGS_MAX];
	struct raw_record *record = (struct raw_record *)room;
	uint32_t size = (uint32_t)sizeof(*record) + arg_count * 8;

	if (!call_is_defined(function)) {
		loss_of_call(thread, LOSS_WRITE_ERROR);
		return;
	}
	memset(record, 0, sizeof(*record));
	record->head = record_head(size, (uint16_t)function, (uint16_t)thread->level);
	record->arg_count = (uint8_t)arg_count;
	record->callsite = (uintptr_t)call_store_mark;
	record->outcome = record_outcome(0, 1);
	memcpy(record->args, args, arg_count * sizeof(*args));
	ring_settle(thread);
	if (!ensure_room_around(thread, size))
		return;
	record->tstart = record->tend = ticks > thread->last_end ? ticks : thread->last_end;
	call_store_finished(thread, record);
	if (thread_mode(thread) == THREAD_WRITE_THROUGH || thread->last_end > thread->attention)
		call_attend(thread);
}

static void release_thread(struct thread *thread, int saved)
{
	errno = saved;
	thread_set_idle(thread);
}

void call_store_noreturn(struct call *call)
{
	int saved = errno;

	call->record->flags |= RECORD_NORETURN;
	call->record->tstart = call->record->tend = clock_ticks();
	store_now(call);
	release_thread(call->thread, saved);
}

static void become_failed(struct raw_record *record, int err)
{
	record->flags &= (uint8_t)~RECORD_NORETURN;
	record->result = -1;
	record->err = err;
	record->tend = clock_ticks();
}

void call_store_failed(struct call *call, int err)
{
	int saved = errno;

	thread_set_busy_in(call->thread, (uintptr_t)call);
	become_failed(call->record, err);
	store_now(call);
	release_thread(call->thread, saved);
}

void call_correct_stored(struct call *call, int err)
{
	struct thread *thread = call->thread;
	uint32_t size = call->record->size;
	struct raw_record *stored = (struct raw_record *)(thread->data + thread->head - size);

	if ((call->record->flags & RECORD_DROP) || thread->head < size ||
	    stored->sequence != call->record->sequence ||
	    stored->function != call->record->function)
		return;
	become_failed(stored, err);
	thread->last_end = stored->tend;
}
