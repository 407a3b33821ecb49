/* SPDX-License-Identifier: MIT */
/* mend.c - see mend.h */
#include "record/mend.h"

#include <signal.h>

#include "format/raw.h"
#include "record/glibc.h"
#include "record/identity.h"
#include "record/loss.h"
#include "record/open_calls.h"
#include "record/readable.h"
#include "record/sandbox.h"
#include "record/sys.h"

/*
 * The kernel puts more than that between what it interrupts and the handler: siginfo_t and the registers, those for numbers with a point included. So a call that is
 * as much further in, at most, is none of a handler's: wrappers of different size that one function calls lie so.
 */
#define HANDLER_DISTANCE 768u

/* ---- whether a frame has been left ---- */

/* Where the stack ends that the calling thread was made with; 0: it is not known. */
static uintptr_t stack_end(const struct thread *thread)
{
	if (thread_tls.shared)
		return 0;
	if (thread->tid != identity.pid) /* libc has what is local to the thread on its stack */
		return (uintptr_t)&thread_tls;
	return &__libc_stack_end ? (uintptr_t)__libc_stack_end : 0;
}

/* Whether memory is in one piece: the kernel and libc have a gap below each stack. */
static bool is_one_piece(uintptr_t begin, uintptr_t end)
{
	uintptr_t last = (end - 1) >> READABLE_PAGE;

	for (uintptr_t page = begin >> READABLE_PAGE; page <= last; page++)
		if (!readable_now((const void *)(page << READABLE_PAGE)))
			return false;
	return true;
}

/* Whether both lie on the thread's own stack, the one no further out than the other. */
static bool is_further_in(const struct thread *thread, uintptr_t mark, uintptr_t frame)
{
	uintptr_t end = stack_end(thread), begin = mark < frame ? mark : frame;

	return frame + HANDLER_DISTANCE > mark && frame < end && mark < end &&
	       end - begin < LEFT_DISTANCE_MAX && is_one_piece(begin, end);
}

static bool is_left(const struct thread *thread, uintptr_t mark, uintptr_t frame)
{
	stack_t alternate;

	if (sys_sigaltstack(NULL, &alternate) || (alternate.ss_flags & SS_ONSTACK))
		return false;
	if (!(alternate.ss_flags & SS_DISABLE) &&
	    mark - (uintptr_t)alternate.ss_sp < alternate.ss_size)
		return true;
	return is_further_in(thread, mark, frame);
}

/* Whether the structure, which is busy, is the task's to mend before its ring is sealed for the last time: nothing comes back to what it is busy with. */
static bool may_mend_last(struct thread *thread)
{
	return thread_mode(thread) != THREAD_NONE && !thread_task()->vforked && !sandbox_active();
}

/* Whether what the task goes on with can be recorded in it: the task is in nothing that it must not have been jumped out of. */
static bool may_mend(struct thread *thread)
{
	const struct thread_task *task = thread_task();

	return may_mend_last(thread) && !task->critical && !task->in_runtime && !task->appending &&
	       !task->flushing;
}

/* ---- mending ---- */

/* Back to what the ring's header has published. Returns the newest record; NULL: there is none. */
static const struct raw_record *go_back(struct thread *thread)
{
	const struct raw_record *newest = NULL;

	thread->position = thread->ring->published;
	if (thread->head > 0)
		raw_settle_run(thread->data, thread->head, thread->ring->run);
	for (uint32_t at = 0; at < thread->head; at += newest->size) {
		newest = (const struct raw_record *)(thread->data + at);
		thread->counted_any |= newest->repeat > 1;
	}
	thread->sequence_low = newest ? newest->sequence + 1 : (uint32_t)thread->sequence_base;
	return newest;
}

/* Whether the innermost call has been added to the run that the newest record is. `record`: its own; what it has left of a call before has ended before it began. */
static bool is_in_run(const struct thread *thread, const struct raw_record *newest,
		      const struct raw_record *record)
{
	return newest && newest->repeat > 1 && thread->head == thread->run_end &&
	       record->tend > record->tstart &&
	       thread->ring->run[newest->repeat & 1].tend == record->tend;
}

/* Whether the innermost call, which is not in place, has a copy in the ring. */
static bool is_copied(const struct raw_record *newest, const struct raw_record *record)
{
	return newest && record->tstart && newest->tstart == record->tstart &&
	       newest->function == record->function && newest->level == record->level &&
	       newest->callsite == record->callsite;
}

/* Whether the innermost call is stored, and only still to be closed. */
static bool is_stored(struct thread *thread, const struct raw_record *newest)
{
	uint32_t level = thread->level - 1, here = thread->data_offset + thread->head;
	uint32_t offset = thread->calls[level].offset;
	const struct raw_record *record;

	if (thread_is_in_place(thread)) {
		if (offset >= thread->data_offset && offset != here)
			return true;
		thread->calls[level].offset = here; /* also if it was about to be moved */
	}
	record = call_open_record(thread, level);
	return is_in_run(thread, newest, record) ||
	       (!thread_is_in_place(thread) && is_copied(newest, record));
}

/* Whether the innermost call is in flight for readers of the ring. */
static bool is_started(const struct thread *thread)
{
	const struct ring_header *ring = thread->ring;
	uint32_t level = thread->level - 1;

	if (ring->in_place == thread->position + RING_IN_PLACE)
		return true;
	return !thread_is_in_place(thread) &&
	       ring->open_top >=
		       thread->calls[level].offset + call_open_record(thread, level)->size;
}

static void forget_innermost(struct thread *thread)
{
	if (thread_is_in_place(thread))
		thread->depth -= DEPTH_IN_PLACE;
	else
		thread->level--;
}

/* Whether the call that was left is not among the open ones yet, but being put together above them. */
static bool was_being_put(const struct thread *thread)
{
	const struct open_call *call = &thread->calls[thread->level];

	return thread->level < OPEN_CALLS_MAX && call->frame == thread->jumped_out &&
	       call->offset < thread->data_offset &&
	       call_open_record(thread, thread->level)->tstart == 0;
}

/* Takes the call that was left from the open ones. `own`: the frame of one that goes on. Returns whether it is lost. */
static bool close_left(struct thread *thread, const struct raw_record *newest, uintptr_t own)
{
	uintptr_t innermost = thread->level > 0 ? thread->calls[thread->level - 1].frame : own;
	bool stored, lost;

	if (innermost == own)
		return was_being_put(thread);
	stored = is_stored(thread, newest);
	if (!stored && innermost != thread->jumped_out && is_started(thread))
		return was_being_put(thread);
	lost = !stored && !(call_open_record(thread, thread->level - 1)->flags & RECORD_DROP);
	forget_innermost(thread);
	return lost;
}

/* The ring's header and the thread say the same of the open calls again. */
static void show_open(struct thread *thread)
{
	bool in_place = thread_is_in_place(thread);
	uint32_t moved = thread->level - in_place, top = 0;

	if (moved > 0)
		top = thread->calls[moved - 1].offset + call_open_record(thread, moved - 1)->size;
	thread->open_top = top | (in_place ? OPEN_IN_PLACE : 0);
	thread->ring->open_top = top;
	compiler_barrier();
	thread->ring->in_place = in_place ? thread->position + RING_IN_PLACE : 0;
}

static void end_run(struct thread *thread)
{
	thread->run_end = 0;
	thread->poll = NULL;
	thread_forget_counted(thread);
}

static void mend(struct thread *thread, uintptr_t left, uintptr_t frame, uintptr_t own)
{
	const struct raw_record *newest;
	bool lost;

	if (!thread->jumped_out)
		thread->jumped_out = left;
	compiler_barrier();
	thread_set_busy_in(thread, frame);
	newest = go_back(thread);
	lost = close_left(thread, newest, own);
	show_open(thread);
	end_run(thread);
	compiler_barrier();
	if (lost)
		loss_of_call(thread, LOSS_SIGNAL);
	thread->jumped_out = 0;
}

bool mend_if_left(struct thread *thread, uintptr_t frame)
{
	uintptr_t left = thread_busy(thread);

	if (!may_mend(thread) || !is_left(thread, left, frame))
		return false;
	mend(thread, left, frame, 0);
	thread_set_idle(thread);
	return true;
}

void mend_inside(struct thread *thread, uintptr_t left, uintptr_t frame)
{
	if (may_mend(thread) && is_left(thread, left, frame))
		mend(thread, left, frame, frame);
}

void mend_at_end(struct thread *thread)
{
	uintptr_t left = thread_busy(thread);

	if (left && may_mend_last(thread))
		mend(thread, left, (uintptr_t)__builtin_dwarf_cfa(), 0);
}

void mend_at_exit(struct thread *thread)
{
	const struct raw_record *newest;

	if (thread_is_idle(thread) || !may_mend_last(thread))
		return;
	newest = go_back(thread);
	if (thread->level > 0 && (is_stored(thread, newest) || !is_started(thread)))
		forget_innermost(thread);
	show_open(thread);
	thread_set_idle(thread);
}
