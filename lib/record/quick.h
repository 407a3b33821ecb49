/* SPDX-License-Identifier: MIT */
/*
 * quick.h - calls that begin in one function of ours and end in another, as they mostly go: what regions, instrumented functions and stubs do inline, with nothing that is called.
 *
 *	if (quick_claim(thread)) {				if (quick_claim(thread)) {
 *		if (quick_has_room(thread)) {				now = clock_counter();
 *			quick_begin(thread, function, site, frame);	if (quick_top(thread) is the one) {
 *			return;							if (!quick_end(thread, 0, now))
 *		}									quick_leave(thread, now);
 *		quick_give_up(thread);						return;
 *	}								}
 *	the long way							quick_give_up(thread);
 *								}
 *								the long way
 *
 * The long way is that of call.h, and finds all as it was. An Intel Xeon lets a time stamp wait for the loads before it: so what is loaded one by the other, to find the record, comes behind it.
 */
#ifndef RECORDER_RECORD_QUICK_H
#define RECORDER_RECORD_QUICK_H

#include "record/pushed.h"

/* Marks it busy. False: the call needs more than is done here. */
static CALL_INLINE bool quick_claim(struct thread *thread)
{
	if (unlikely(!thread_is_idle(thread) || clock_is_monotonic))
		return false;
	thread_set_busy(thread);
	if (likely(thread_mode(thread) == THREAD_ACTIVE))
		return true;
	thread_set_idle(thread);
	return false;
}

/* The time, before it is known whether the call that has ended is still the innermost. Where the thread records nothing reading the counter may be forbidden (sandbox.h). */
static CALL_INLINE uint64_t quick_stamp(const struct thread *thread)
{
	return likely(thread_mode(thread) != THREAD_NONE) ? clock_counter() : 0;
}

static CALL_INLINE void quick_give_up(struct thread *thread)
{
	thread_set_idle(thread);
}

/* Just inside of the innermost open call's frame, see paired.h. */
static CALL_INLINE uintptr_t quick_frame_inside(const struct thread *thread)
{
	return thread->level ? thread->calls[thread->level - 1].frame - 1 : UINTPTR_MAX;
}

static CALL_INLINE bool quick_has_room(const struct thread *thread)
{
	return call_has_room(thread, sizeof(struct raw_record));
}

/* Opens a call without arguments that there is room for; the thread is idle afterwards. */
static CALL_INLINE struct raw_record *quick_begin(struct thread *thread, unsigned function,
						  uintptr_t site, uintptr_t frame)
{
	uint32_t level = thread->level, top = thread->open_top;
	struct raw_record *record = (struct raw_record *)(thread->open + top);
	struct ring_header *ring = thread->ring;

	record->head = record_head(sizeof(*record), (uint16_t)function, (uint16_t)level);
	record->tail = 0;
	record->callsite = site;
	record->result = 0;
	record->outcome = record_outcome(0, 1);
	record->stack_word = 0;
	thread->calls[level].frame = frame;
	thread->calls[level].place = top;
	thread->level = level + 1;
	top += sizeof(*record);
	thread->open_top = top;
	record->tstart = clock_counter();
	compiler_barrier();
	ring->open_top = top;
	thread_set_idle(thread);
	return record;
}

/* The innermost call, of a thread that has one. */
static CALL_INLINE struct raw_record *quick_top(const struct thread *thread)
{
	return call_open_record(thread, thread->level - 1);
}

/* Stores the innermost call, which ended at `now`, and closes it; the thread is idle afterwards. False: it is as it was, and there is more to be done. */
static CALL_INLINE bool quick_end(struct thread *thread, uint64_t result, uint64_t now)
{
	uint32_t level = thread->level - 1, begin = thread->head;
	uint32_t top = thread->calls[level].offset;
	const struct raw_record *record = (const struct raw_record *)(thread->open + top);
	struct raw_record *stored = (struct raw_record *)(thread->data + begin);
	uint64_t head = record->head, tstart = record->tstart;
	uint32_t size = (uint32_t)head, end = begin + size;

	if (unlikely(record->flags || now - tstart < call_min_ticks || now < thread->last_end ||
		     now > thread->attention || end > thread->data_size))
		return false;
	stored->head = head;
	stored->tail = record->tail | thread->sequence_low++;
	stored->tstart = tstart;
	stored->tend = now;
	stored->result = (int64_t)result;
	stored->callsite = record->callsite;
	stored->outcome = record_outcome(0, 1);
	stored->stack_word = record->stack_word;
	for (uint32_t i = 0; unlikely(sizeof(*record) + 8 * i < size); i++)
		stored->args[i] = record->args[i];
	thread->last_end = now;
	thread_publish(thread, size);
	thread->level = level;
	thread->open_top = top;
	thread->ring->open_top = top;
	thread_set_idle(thread);
	return true;
}

/* The long way for the innermost call, which ended at `now`. */
static inline void quick_leave(struct thread *thread, uint64_t now)
{
	struct call call = {thread, quick_top(thread)};

	call.record->tend = now;
	thread->calls[thread->level - 1].frame = (uintptr_t)&call;
	pushed_leave(&call);
}

/* ---- those of paired.h ---- */

/* Begins a call of a function that is on, seen from the stack at `here`. False: the long way. */
static CALL_INLINE bool quick_begin_paired(unsigned function, uintptr_t site, uintptr_t here)
{
	struct thread *thread = thread_tls.self;
	uintptr_t frame;

	sanitizer_forget_left();
	if (unlikely(!quick_claim(thread)))
		return false;
	frame = quick_frame_inside(thread);
	if (likely(frame >= here && quick_has_room(thread))) {
		quick_begin(thread, function, site, frame);
		return true;
	}
	quick_give_up(thread);
	return false;
}

/* Whether the innermost call is of that function, with nothing inside that was not recorded. */
static CALL_INLINE bool quick_is_top(const struct thread *thread, unsigned function)
{
	return thread->level > 0 && thread->calls[thread->level - 1].skipped == 0 &&
	       quick_top(thread)->function == function;
}

/* Ends the innermost call, if it is of that function. False: the long way. */
static CALL_INLINE bool quick_end_paired(unsigned function, uint64_t result)
{
	struct thread *thread = thread_tls.self;
	uint64_t now;

	sanitizer_forget_left();
	if (unlikely(!quick_claim(thread)))
		return false;
	now = clock_counter();
	if (likely(quick_is_top(thread, function) && quick_end(thread, result, now)))
		return true;
	quick_give_up(thread);
	return false;
}

#endif
