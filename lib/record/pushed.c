/* SPDX-License-Identifier: MIT */
/* pushed.c - see pushed.h */
#include "record/pushed.h"

#include "record/call_counts.h"
#include "record/control.h"
#include "record/lifecycle.h"
#include "record/loss.h"
#include "record/named.h"
#include "record/stacks.h"

/* While paused: looks at the control word. The stream is opened all the same, for others to find the word there. */
static bool stays_paused(void)
{
	int saved = errno;
	bool paused = !lifecycle_open() || control_paused();

	errno = saved;
	return paused;
}

/* `start`: where the stack is to be followed from; NULL: no stacks. */
static bool enter_slow(struct call *call, unsigned function, unsigned arg_count, uintptr_t site,
		       const struct unwind_start *start)
{
	struct thread *thread;
	int saved = errno;
	bool opened = false;

	if (thread_task()->in_runtime || !lifecycle_start() ||
	    function_state_of(function) == FUNCTION_OFF)
		return false;
	if (function_state_of(function) == FUNCTION_PAUSED && stays_paused())
		return false;
	thread = call_ready_thread((uintptr_t)call);
	if (thread) {
		if (call_is_defined(function))
			opened = pushed_open(call, thread, function, arg_count, site);
		else
			loss_of_call(thread, LOSS_WRITE_ERROR);
		if (opened && thread->is_spare)
			call->record->flags |= RECORD_SIGNAL;
		if (opened && start)
			call->record->stack_word = stacks_capture(thread, start, site);
		if (!opened)
			thread_set_idle(thread);
	}
	errno = saved;
	return opened;
}

/* pushed_enter() once more, with stacks: errno is not touched here either. Never inline: its frame is where stacks begin. */
static __attribute__((noinline, hot)) bool enter_with_stack(struct call *call, unsigned function,
							    unsigned arg_count, uintptr_t site)
{
	struct unwind_start start = UNWIND_START();
	struct thread *thread = thread_tls.self;

	if (unlikely(!thread_is_idle(thread) || function_state_of(function) != FUNCTION_STACK))
		return enter_slow(call, function, arg_count, site, &start);
	thread_set_busy_in(thread, (uintptr_t)call);
	if (unlikely(thread_mode(thread) != THREAD_ACTIVE)) {
		thread_set_idle(thread);
		return enter_slow(call, function, arg_count, site, &start);
	}
	if (unlikely(!pushed_open(call, thread, function, arg_count, site))) {
		thread_set_idle(thread);
		return false;
	}
	call->record->stack_word = stacks_id(thread, &start, site);
	return true;
}

bool pushed_enter_slow(struct call *call, unsigned function, unsigned arg_count, uintptr_t site)
{
	if (stacks_depth)
		return enter_with_stack(call, function, arg_count, site);
	return enter_slow(call, function, arg_count, site, NULL);
}

static bool is_dropped(const struct raw_record *record)
{
	return (record->flags & RECORD_DROP) ||
	       (record->tend - record->tstart < call_min_ticks && !named_is_mark(record->function));
}

static void close_call(struct call *call)
{
	struct thread *thread = call->thread;
	uint32_t level = call->record->level;

	/* Calls inside this one that were left by a longjmp to here are over, too. */
	if (thread->level > level + 1)
		call_drop_left(thread, (uintptr_t)call - 1);
	if (thread->level != level + 1 || thread->calls[level].frame != (uintptr_t)call) {
		/* closed already, as left: stacks were switched beyond recognition */
		loss_of_call(thread, LOSS_TOO_DEEP);
		return;
	}
	if (is_dropped(call->record)) {
		if (!(call->record->flags & RECORD_DROP))
			call_counts_drop(call->record->function);
	} else if (call_ensure_room(thread, call->record->size)) {
		call_store_finished(thread, call_open_record(thread, level));
	}
	call_pop(thread, level);
	if (thread_mode(thread) == THREAD_WRITE_THROUGH || thread->last_end > thread->attention)
		call_attend(thread);
}

void pushed_leave_slow(struct call *call)
{
	struct thread *thread = call->thread;
	int saved = errno;

	if (thread_mode(thread) == THREAD_NONE)
		return; /* forked meanwhile: the record is the parent's */
	if (thread_mode(thread) != THREAD_CLOSING || call_take_ring(thread, (uintptr_t)call))
		close_call(call);
	else
		loss_count(LOSS_CLOSING, 1);
	errno = saved;
	thread_set_idle(thread);
}
